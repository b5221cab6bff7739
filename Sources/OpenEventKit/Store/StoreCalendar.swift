// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CalendarSync
import Epact
import Foundation

/// A calendar as a store shows it, with the changes that are not committed.
@usableFromInline
package struct StoreCalendar: Hashable, Sendable {
  let id: String
  var title: String
  /// The color as `#RRGGBB`.
  var color: String?
  let source: CalendarSource
  let isReadOnly: Bool
  let isSubscribed: Bool
  let isImmutable: Bool
  var kinds: Set<ItemKind>
  /// The committed calendar; nil for a new one.
  let info: CalendarInfo?

  /// A committed calendar.
  init(_ info: CalendarInfo) {
    id = info.id
    title = info.title
    color = info.color
    source = info.source
    isReadOnly = info.isReadOnly
    isSubscribed = info.isSubscribed
    isImmutable = info.isImmutable
    kinds = info.kinds
    self.info = info
  }

  /// A new calendar.
  init(_ new: LibraryEdit.NewCalendar) {
    id = new.id
    title = new.title
    color = new.color
    source = new.source
    isReadOnly = false
    isSubscribed = false
    isImmutable = false
    kinds = new.kinds
    info = nil
  }

  /// A calendar that reveals nothing, for a program with write-only access.
  ///
  /// - Parameter id: The identifier of the calendar that it stands for.
  package init(token id: String) {
    let title = "Calendar"
    self.id = id
    self.title = title
    source = CalendarSource(
      id: "00000000-0000-8000-8000-000000000000", kind: .local, title: title)
    isReadOnly = false
    isSubscribed = false
    isImmutable = true
    kinds = [.event]
    info = nil
  }

  /// The calendar of a program with write-only access, which stands for the one that the user
  /// chose.
  static let virtual = StoreCalendar(token: "00000000-0000-8000-8000-000000000001")
}

/// Changes of items and calendars that a store has not committed.
package struct Overlay {
  /// The change of an item.
  package struct Change {
    /// The entry in the calendar; nil if the item is new.
    let base: LocalEntry?
    /// The new content; nil if the item is removed.
    package let item: CalendarItem?
  }

  /// The change of a committed calendar.
  struct CalendarUpdate {
    /// The calendar before the first change.
    let base: StoreCalendar
    /// The calendar with the changes.
    let new: StoreCalendar

    /// Makes the changes in the latest properties of the calendar, and keeps those of others.
    func applied(to latest: StoreCalendar) -> StoreCalendar {
      var result = latest
      if new.title != base.title { result.title = new.title }
      if new.color != base.color { result.color = new.color }
      if new.kinds != base.kinds { result.kinds = new.kinds }
      return result
    }
  }

  /// The changes by calendar and UID.
  private(set) var items: [String: [UID: Change]] = [:]
  /// The new calendars.
  private(set) var created: [LibraryEdit.NewCalendar] = []
  /// The changes of committed calendars.
  private(set) var updated: [String: CalendarUpdate] = [:]
  /// The removed calendars.
  private(set) var removed: Set<String> = []

  /// Whether there are no changes.
  package var isEmpty: Bool {
    items.isEmpty && created.isEmpty && updated.isEmpty && removed.isEmpty
  }

  // MARK: Items

  /// The change of an item, if any.
  package func change(of uid: UID, in calendar: String) -> Change? { items[calendar]?[uid] }

  /// Changes an item, conditional on the entry of the first change.
  mutating func set(_ item: CalendarItem?, for uid: UID, in calendar: String, base: LocalEntry?) {
    let base = items[calendar]?[uid]?.base ?? base
    if base == nil, item == nil {
      items[calendar]?[uid] = nil
      if items[calendar]?.isEmpty == true { items[calendar] = nil }
    } else {
      items[calendar, default: [:]][uid] = Change(base: base, item: item)
    }
  }

  // MARK: Calendars

  /// The calendars with the changes.
  func applied(to calendars: [StoreCalendar]) -> [StoreCalendar] {
    calendars.filter { !removed.contains($0.id) }.map { updated[$0.id]?.applied(to: $0) ?? $0 }
      + created.map { StoreCalendar($0) }
  }

  /// Adds a new calendar, or changes one that is not committed.
  mutating func create(_ calendar: LibraryEdit.NewCalendar) {
    if let place = created.firstIndex(where: { $0.id == calendar.id }) {
      created[place] = calendar
    } else {
      created.append(calendar)
    }
  }

  /// Changes the properties of a committed calendar, since the base of the first change.
  mutating func update(_ base: StoreCalendar, to new: StoreCalendar) {
    updated[new.id] = CalendarUpdate(base: updated[new.id]?.base ?? base, new: new)
  }

  /// Removes a calendar with the changes of its items.
  mutating func remove(_ id: String) {
    items[id] = nil
    updated[id] = nil
    let count = created.count
    created.removeAll { $0.id == id }
    if created.count == count { removed.insert(id) }
  }

  // MARK: Committing

  /// All changes as one edit.
  func edit(of calendars: [CalendarInfo]) -> LibraryEdit {
    var edit = LibraryEdit()
    edit.calendars = created.map { .create($0) }
    for id in updated.keys.sorted() {
      guard let update = updated[id], let info = calendars.first(where: { $0.id == id }) else {
        continue
      }
      let old = StoreCalendar(info)
      let new = update.applied(to: old)
      edit.calendars.append(
        .update(
          id: id, title: new.title == old.title ? nil : new.title,
          color: new.color == old.color ? nil : new.color,
          kinds: new.kinds == old.kinds ? nil : new.kinds))
    }
    edit.calendars += removed.sorted().map { .remove(id: $0) }
    for calendar in items.keys.sorted() {
      for (uid, change) in (items[calendar] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let isSame =
          change.base != nil
          && change.base?.item.serialized() == change.item?.serialized()
        guard !isSame else { continue }
        edit.items.append(.init(in: calendar, uid: uid, from: change.base, to: change.item))
      }
    }
    return edit
  }
}
