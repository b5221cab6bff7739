// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import ICalSyntax
package import Recurrence

/// Sets the status of reminders, and completes or cancels series one occurrence at a time.
///
/// The completion of a recurring reminder concerns its first open occurrence. That becomes a
/// completed reminder of its own, with its own UID, and the series goes on with the next occurrence
/// under its UID: DTSTART and DUE move, and COUNT decreases. Programs that know no overrides of
/// reminders show the right due time then. Absolute alarms move with them, as in Tasks.org: a
/// series would be announced once only. Snooze alarms are removed. If earlier occurrences have
/// overrides, the occurrence gets one, too (RFC 5545 §3.8.4.4), and the series stays. The last
/// occurrence completes the series.
package struct TaskCompletion: Sendable {
  /// The changed components of a reminder.
  package struct Result: Sendable {
    /// The reminder with the status; after a detachment, the series from the next occurrence on.
    package let item: CalendarItem
    /// The occurrence with the status, as a new reminder; nil if none was detached.
    package var detached: CalendarItem?
    /// The original start of the only occurrence that has the status; nil for the item as a whole.
    package var occurrence: EventTime?
  }

  private let editor: ItemEditor
  private let viewer: ZoneRules
  private let recurrence: RecurrenceOptions
  /// The time of completion.
  private let time: Instant

  /// Creates the completion.
  ///
  /// - Parameters:
  ///   - editor: The clock, the time zones, and the UIDs of detached reminders.
  ///   - viewer: The time zone of dates and of floating times.
  ///   - recurrence: The calendars and limits of rules.
  ///   - time: The time of completion; nil for the time of the clock.
  package init(
    _ editor: ItemEditor, viewer: ZoneRules, recurrence: RecurrenceOptions, at time: Instant? = nil
  ) {
    self.editor = editor
    self.viewer = viewer
    self.recurrence = recurrence
    self.time = time ?? editor.now
  }

  /// Sets the status of a reminder.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - item: The reminder.
  ///   - isWhole: Whether a series gets the status as a whole.
  /// - Returns: The changed reminder; nil if it is completed or cancelled already, as set.
  /// - Throws: `EditError` if the item is not a reminder, or its series does not support the edit;
  ///   `ItemError` if it is damaged.
  package func setting(
    _ status: ReminderStatus, of item: CalendarItem, isWhole: Bool = false
  ) throws -> Result? {
    let isEnd = status.isClosed
    if isEnd, item.main.map({ Reminder($0).status }) == status { return nil }
    guard isEnd, !isWhole, let series = try OpenSeries(item, self), let next = series.next else {
      return try marking(status, .all, of: item)
    }
    guard series.isFirst else { return try marking(status, .occurrence(series.current), of: item) }
    guard let detached = try detached(status, series) else {
      return try marking(status, .occurrence(series.current), of: item)
    }
    return Result(item: try advanced(series, to: next, since: item), detached: detached)
  }

  private func marking(
    _ status: ReminderStatus, _ span: EditSpan, of item: CalendarItem
  ) throws -> Result? {
    let edited = try editor.edit(item, span) { (reminder: inout Reminder) in
      reminder.set(status, at: time)
    }
    guard let changed = edited.item else { return nil }
    var result = Result(item: changed)
    if case .occurrence(let time) = span { result.occurrence = time }
    return result
  }

  /// The current occurrence as an item of its own.
  private func detached(_ status: ReminderStatus, _ series: OpenSeries) throws -> CalendarItem? {
    let occurrence: (content: Reminder, component: Component)? = editor.occurrence(
      at: series.current, of: series.item)
    guard var (reminder, component) = occurrence else { return nil }
    reminder.uid = editor.makeUID()
    reminder.recurrenceID = nil
    reminder.recurrence = RecurrenceProperties()
    reminder.relations.append(Relation(to: series.item.uid.rawValue, type: .sibling))
    (reminder.stamp, reminder.lastModified) = (editor.now, editor.now)
    reminder.set(status, at: time)
    reminder.write(to: &component)
    return try series.item.replacing(components: [component], timeZones: series.item.timeZones)
  }

  /// The series from the next occurrence on, under its UID.
  private func advanced(
    _ series: OpenSeries, to next: EventTime, since original: CalendarItem
  ) throws -> CalendarItem {
    let edited = try editor.edit(series.item, .future(from: next)) { (_: inout Reminder) in }
    guard let rest = edited.successor, let main = original.main else {
      throw EditError(.unsupported, "the series has no part that begins with its next occurrence")
    }
    let before = Reminder(main)
    let item = try rest.renamed(original.uid, stamped: nil)
    let components = item.components.map { component in
      guard !component.isOverride else { return component }
      var component = component
      var reminder = Reminder(component)
      reminder.relations = before.relations
      reminder.created = before.created
      reminder.sequence = before.sequence + 1
      reminder.set(.needsAction, at: time)
      reminder.write(to: &component)
      component.components = ComponentList(
        component.components.compactMap { advanced($0, series, to: next) })
      return component
    }
    return try item.replacing(components: components, timeZones: item.timeZones)
  }

  /// A part of the series after the move to the next occurrence; nil for a snooze alarm.
  ///
  /// An absolute alarm moves on the clock of the series, as the occurrence does.
  private func advanced(
    _ part: Component, _ series: OpenSeries, to next: EventTime
  ) -> Component? {
    guard part.name == .alarm else { return part }
    var alarm = Alarm(part)
    guard alarm.snoozedAlarm == nil else { return nil }
    guard case .absolute(let instant)? = alarm.trigger,
      let new = moved(
        instant, by: next.wallTime.wallSeconds - series.current.wallTime.wallSeconds,
        like: next, series.item.timeZones)
    else { return part }
    var part = part
    alarm.trigger = .absolute(new)
    alarm.write(to: &part)
    return part
  }

  /// An instant later on the clock of a time.
  private func moved(
    _ instant: Instant, by seconds: Int64, like time: EventTime, _ definitions: [Component]
  ) -> Instant? {
    let rules: ZoneRules?
    switch time {
    case .utc: return instant.adding(seconds: seconds)
    case .zoned(_, let tzID):
      rules = try? editor.zones.rules(of: editor.zones.resolve(tzID, definitions: definitions))
    case .date, .floating: rules = nil
    }
    let clock = rules ?? viewer
    return clock.civil(at: instant)?.adding(seconds: seconds).map { clock.instant(of: $0) }
  }

  /// The occurrences of an item in a range, computed on demand.
  func occurrences(of item: CalendarItem, in range: Range<Instant>) -> Occurrences {
    item.occurrences(in: range, viewer: viewer, zones: editor.zones, recurrence: recurrence)
  }

  /// The item with a start: a series without DTSTART begins when it is due (RFC 5545 §3.8.5.3).
  func started(_ item: CalendarItem) throws(EditError) -> CalendarItem {
    guard let main = item.main, Reminder(main).start == nil else { return item }
    return try editor.edit(item, .all) { (reminder: inout Reminder) in
      reminder.beginWhenDue()
    }.item ?? item
  }
}

/// A recurring reminder with its first open occurrence.
package struct OpenSeries {
  /// The maximum number of occurrences that are examined.
  private static let limit = 100_000

  /// The item; its main component has a start.
  let item: CalendarItem
  /// The original start of the first occurrence that is neither completed nor cancelled.
  package let current: EventTime
  /// The occurrence.
  package let occurrence: Occurrence
  /// The original start of the next one; nil if there is none.
  let next: EventTime?
  /// Whether no occurrence precedes the current one.
  let isFirst: Bool

  /// Finds the open occurrence; nil if the item does not recur, or has none.
  ///
  /// - Throws: `EditError`.
  package init?(_ original: CalendarItem, _ tasks: TaskCompletion) throws(EditError) {
    guard original.main != nil, original.isSeries(of: Reminder.self) else { return nil }
    let item = try tasks.started(original)
    guard let span = item.span else { return nil }
    var open: (id: EventTime, occurrence: Occurrence)?
    var (isFirst, next): (Bool, EventTime?) = (true, nil)
    for (count, occurrence) in tasks.occurrences(of: item, in: span).enumerated() {
      guard count < Self.limit, next == nil else { break }
      if !occurrence.isDone, let id = occurrence.recurrenceID?.time {
        if open == nil { open = (id, occurrence) } else { next = id }
      } else if open == nil {
        isFirst = false
      }
    }
    guard let open else { return nil }
    (self.item, self.isFirst, self.next) = (item, isFirst, next)
    (current, occurrence) = open
  }
}
