// SPDX-License-Identifier: Apache-2.0

public import CivilTime
package import ICalSyntax
public import Recurrence

/// Edits items or single occurrences and preserves unknown properties.
///
/// ```swift
/// import CalendarModel
///
/// func move(_ item: CalendarItem, _ start: EventTime, at now: Instant) throws -> EditedItem {
///   let editor = ItemEditor(now: now)
///   return try editor.edit(item, .occurrence(start)) { (event: inout Event) in
///     event.location = "Room 2"
///   }
/// }
/// ```
///
/// <doc:EditingItems> describes the effect of each span. Every changed component gets a new DTSTAMP
/// and LAST-MODIFIED. SEQUENCE is incremented if the times, the rules or the status change (RFC
/// 5545 §3.8.7).
public struct ItemEditor: Sendable {
  package let zones: ZoneResolver
  package let now: Instant
  package let makeUID: @Sendable () -> UID
  /// Whether the user is the organizer, who increments SEQUENCE (RFC 5545 §3.8.7.4).
  public var isOrganizer = true
  /// The addresses of the user.
  ///
  /// In a meeting of another organizer, SEQUENCE and DTSTAMP stay those of the organizer's last
  /// message, by which the next one is compared (RFC 5546 §2.1.5).
  public var userAddresses: Set<CalendarAddress> = []
  /// The options for rules, with the available calendars of RFC 7529.
  public var recurrence = RecurrenceOptions()
  /// The viewer's time zone, for floating times and the alarms of dates; UTC if it is not set.
  public var viewer = ZoneRules.utc

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - zones: The resolver of time zones.
  ///   - now: The time for the timestamps of changed components.
  ///   - makeUID: Creates the UIDs of split series.
  public init(
    zones: ZoneResolver = .system, now: Instant,
    makeUID: @escaping @Sendable () -> UID = { UID.random() }
  ) {
    self.zones = zones
    self.now = now
    self.makeUID = makeUID
  }

  /// Changes an item or a part of it.
  ///
  /// - Parameters:
  ///   - item: The original item.
  ///   - span: The part of a series to change.
  ///   - change: Changes the content. It receives the content of the occurrence, or of the series
  ///     from the
  ///     occurrence on, with the corresponding start and end.
  /// - Returns: The changed item, and the successor after a split.
  /// - Throws: `EditError` if the occurrence does not exist or the series does not support the
  ///   edit.
  public func edit<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, _ change: (inout Content) -> Void
  ) throws(EditError) -> EditedItem {
    try edit(item, span, change) { _ in }
  }

  /// Changes an item or a part of it, by a change that can fail.
  ///
  /// - Parameters:
  ///   - item: The original item.
  ///   - span: The part of a series to change.
  ///   - change: Changes the content, as without errors. If it throws, nothing is changed.
  /// - Returns: The changed item, and the successor after a split.
  /// - Throws: The first error of `change`; `EditError` if the occurrence does not exist or the
  ///   series does not support the edit.
  public func edit<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, _ change: (inout Content) throws -> Void
  ) throws -> EditedItem {
    var failure: (any Error)?
    let edited = Result { () throws(EditError) in
      try edit(item, span) { (content: inout Content) in
        guard failure == nil else { return }
        var changed = content
        do {
          try change(&changed)
          content = changed
        } catch {
          failure = error
        }
      } component: { _ in
      }
    }
    if let failure { throw failure }
    return try edited.get()
  }

  /// Changes an item or a part of it, with properties that its content does not have.
  ///
  /// - Parameters:
  ///   - item: The original item.
  ///   - span: The part of a series to change.
  ///   - change: Changes the content, as without `finish`.
  ///   - finish: Changes the component of the content, after the content was written to it.
  /// - Returns: The changed item, and the successor after a split.
  /// - Throws: `EditError` if the occurrence does not exist or the series does not support the
  ///   edit.
  package func edit<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, _ change: (inout Content) -> Void,
    component finish: (inout Component) -> Void
  ) throws(EditError) -> EditedItem {
    guard ItemKind(Content.componentName) == item.kind else {
      throw EditError(
        .otherKind,
        "expected a \(Content.componentName.rawName), found a \(item.kind.rawValue)")
    }
    let item = span == .all ? item : try beginningWhenDue(item)
    let edited =
      switch span {
      case .all: try changeAll(of: item, change, finish)
      case .occurrence(let time): try changeOne(at: time, of: item, change, finish)
      case .future(let time): try changeFuture(from: time, of: item, change, finish)
      }
    return try edited.movingSnoozes(of: item, self)
  }

  /// Deletes an item or a part of it.
  ///
  /// - Parameters:
  ///   - item: The original item.
  ///   - span: The part of a series to delete.
  /// - Returns: The remaining item, which is nil if nothing remains.
  /// - Throws: `EditError` if the occurrence does not exist or the series does not support the
  ///   edit.
  public func delete(_ item: CalendarItem, _ span: EditSpan) throws(EditError) -> EditedItem {
    guard span != .all else { return EditedItem(nil) }
    let item = try beginningWhenDue(item)
    let rest =
      switch item.kind {
      case .event: try delete(item, span, as: Event.self)
      case .reminder: try delete(item, span, as: Reminder.self)
      case .journal: try delete(item, span, as: Journal.self)
      case .freeBusy, .availability:
        throw EditError(
          .otherKind,
          "expected an event, a reminder or a journal entry, found a \(item.kind.rawValue)")
      }
    return try EditedItem(rest).movingSnoozes(of: item, self)
  }

  private func delete<Content: ItemContent>(
    _ item: CalendarItem, _ span: EditSpan, as type: Content.Type
  ) throws(EditError) -> CalendarItem? {
    switch span {
    case .all: return nil
    case .occurrence(let time): return try deleteOne(at: time, of: item, as: type)
    case .future(let time): return try deleteFuture(from: time, of: item, as: type)
    }
  }

  /// Returns a reminder that recurs by its due date alone with a start at that date, so that its
  /// occurrences can be identified (RFC 5545 §3.8.5.3 requires DTSTART).
  package func beginningWhenDue(_ item: CalendarItem) throws(EditError) -> CalendarItem {
    guard item.kind == .reminder, let main = item.main else { return item }
    var reminder = Reminder(main)
    guard reminder.start == nil, reminder.due != nil, reminder.recurrence.isRecurring else {
      return item
    }
    reminder.beginWhenDue()
    var component = main
    reminder.write(to: &component)
    return try remade(item, item.components.map { $0 == main ? component : $0 })
  }

  /// Returns the item with other components.
  func remade(_ item: CalendarItem, _ components: [Component]) throws(EditError) -> CalendarItem {
    do throws(ItemError) {
      return try item.replacing(components: components, timeZones: item.timeZones)
    } catch {
      throw EditError(.unsupported, error.message)
    }
  }

  /// Returns the error for a missing occurrence.
  func noOccurrence(_ time: EventTime) -> EditError {
    EditError(.noOccurrence, "expected an occurrence at \(time.spelled), found none")
  }
}

/// The part of a series that an edit affects, modelled on EventKit.
///
/// The original start identifies an occurrence, even if an override has moved it.
public enum EditSpan: Hashable, Sendable {
  /// One occurrence: its override is created or changed (RFC 5545 §3.8.4.4).
  case occurrence(EventTime)
  /// An occurrence and all later ones: the series is split.
  case future(from: EventTime)
  /// All occurrences, or a nonrecurring item.
  case all
}

/// The result of an edit.
public struct EditedItem: Hashable, Sendable {
  /// The item to store; nil if nothing remains and the item is to be deleted.
  public let item: CalendarItem?
  /// The series after a split, with its own UID; nil if the item was not split.
  public let successor: CalendarItem?
  /// The effects on occurrences with overrides or exclusions, which the edit is not about.
  public let effects: [EditEffect]

  package init(
    _ item: CalendarItem?, successor: CalendarItem? = nil, effects: [EditEffect] = []
  ) {
    self.item = item
    self.successor = successor
    self.effects = effects
  }

  /// The same result with other items.
  func replacing(_ item: CalendarItem, successor: CalendarItem?) -> EditedItem {
    EditedItem(item, successor: successor, effects: effects)
  }
}

/// The reason why an edit of an item is impossible.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noOccurrence, noSeries, otherKind, unsupported
    }

    private let value: Value

    /// The series has no occurrence at the requested time.
    public static let noOccurrence = Code(value: .noOccurrence)
    /// The item has no main component, or its start is unreadable.
    public static let noSeries = Code(value: .noSeries)
    /// The kind of the item differs from the type of the content.
    public static let otherKind = Code(value: .otherKind)
    /// The recurrence of the series cannot be split or is not supported.
    public static let unsupported = Code(value: .unsupported)
  }

  /// The kind of the error.
  public let code: Code
  /// The description of the problem, for display.
  public let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The description of the problem, for display.
  public var description: String { message }
}
