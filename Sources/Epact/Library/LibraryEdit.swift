// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// Changes of items and calendars that are made together: all of them, or none.
///
/// ```swift
/// var edit = LibraryEdit()
/// edit.items.append(.init(in: home.id, uid: edited.uid, from: entry, to: edited))
/// edit.items.append(.init(in: work.id, uid: created.uid, from: nil, to: created))
/// try library.commit(edit)
/// ```
public struct LibraryEdit: Sendable {
  /// The change of an item.
  public struct Item: Sendable {
    /// The identifier of the calendar.
    public var calendar: String
    /// The UID.
    public var uid: UID
    /// The entry that is changed or removed; nil adds the item.
    public var base: LocalEntry?
    /// The new content; nil removes the item.
    public var item: CalendarItem?

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - calendar: The identifier of the calendar.
    ///   - uid: The UID.
    ///   - base: The entry that is changed or removed; nil adds the item.
    ///   - item: The new content; nil removes the item.
    public init(in calendar: String, uid: UID, from base: LocalEntry?, to item: CalendarItem?) {
      self.calendar = calendar
      self.uid = uid
      self.base = base
      self.item = item
    }

    /// The change, conditional on the entry; nil if there is none.
    var change: LocalChange? {
      switch (base, item) {
      case (nil, let item?): .create(item)
      case (let base?, let item?): .update(name: base.name, from: base.revision, to: item)
      case (let base?, nil): .delete(name: base.name, from: base.revision)
      case (nil, nil): nil
      }
    }
  }

  /// A new calendar, as ``CalendarLibrary/newCalendar(titled:in:beside:)`` proposes it.
  public struct NewCalendar: Hashable, Sendable {
    /// The identifier that the calendar is going to have.
    public let id: String
    /// The name in the configuration.
    public let name: String
    /// The canonical path of the folder.
    public let path: String
    /// The source.
    public let source: CalendarSource
    /// The name for people.
    public var title: String
    /// The color as `#RRGGBB`; nil for none.
    public var color: String?
    /// The kinds of new items.
    public var kinds = CalendarInfo.standardKinds

    init(name: String, path: String, source: CalendarSource, title: String) {
      id = StableIdentifier(calendarAt: path).text
      self.name = name
      self.path = path
      self.source = source
      self.title = title
    }
  }

  /// The change of a calendar as a whole.
  public enum Calendar: Hashable, Sendable {
    /// Adds a calendar.
    case create(NewCalendar)
    /// Changes the properties of a calendar; those that are nil stay.
    case update(id: String, title: String?, color: String?, kinds: Set<ItemKind>?)
    /// Removes a calendar with all its items.
    case remove(id: String)
  }

  /// The changes of items; several changes of one item are not allowed.
  public var items: [Item] = []
  /// The changes of calendars.
  public var calendars: [Calendar] = []

  /// Creates an edit without changes.
  public init() {}

  /// Whether there are no changes.
  public var isEmpty: Bool { items.isEmpty && calendars.isEmpty }

  /// Whether items are removed, and no calendar is changed.
  public var deletesItems: Bool {
    calendars.isEmpty && items.contains { $0.base != nil && $0.item == nil }
  }
}
