// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
import ICalSyntax
package import Recurrence

/// Sets the status of reminders, and completes or cancels series one occurrence at a time.
///
/// The completion of a recurring reminder concerns its first open occurrence by the actual times.
/// It becomes a completed reminder of its own. Its UID is derived from the UID of the series and the
/// original start, so that two machines that complete the same occurrence make the same reminder.
/// The series keeps its UID and goes on with the next occurrence: DTSTART and DUE move, and COUNT
/// decreases. Programs that do not support overrides of reminders then show the right due time.
/// Absolute alarms move as well, as in Tasks.org: a series would be announced once only. Snooze
/// alarms are removed.
///
/// All other occurrences stay as they are, also those that an override moved:
///
/// - The next occurrence is that with the next original start, so that the rules still generate
///   each remaining override.
/// - If the original start of the completed occurrence is not the first one, the series keeps its
///   start and excludes the occurrence (EXDATE, RFC 5545 §3.8.5.1).
/// - If earlier occurrences are closed by overrides, the occurrence gets one, too (§3.8.4.4), and
///   the series stays.
///
/// The last open occurrence completes the series.
package struct TaskCompletion: Sendable {
  /// The changed components of a reminder.
  package struct Result: Sendable {
    /// The reminder with the status; after a detachment, the series from the next occurrence on.
    package let item: CalendarItem
    /// The occurrence with the status, as a new reminder; nil if none was detached.
    package var detached: CalendarItem?
    /// The original start of the only occurrence that has the status; nil for the item as a whole.
    package var occurrence: EventTime?
    /// The effects on the rest of the series, besides the occurrence.
    package var effects: [EditEffect] = []
  }

  fileprivate let editor: ItemEditor
  private let viewer: ZoneRules
  private let recurrence: RecurrenceOptions
  /// The time of completion.
  private let time: Instant
  /// Whether the calendar of the reminders has an item with a UID.
  ///
  /// It has that of a completed occurrence if the series was moved back to it.
  package var isTaken: @Sendable (UID) -> Bool = { _ in false }

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
    if isEnd, item.main.map({ Reminder($0).statedStatus }) == status { return nil }
    guard isEnd, !isWhole, let series = try OpenSeries(item, self) else {
      return try marking(status, of: item)
    }
    guard series.hasMore else { return try marking(status, of: item, with: series) }
    let place = try editor.neighbours(of: series.current, in: series.item, as: Reminder.self)
    let isClosedBefore = place.earlierOverrides.contains {
      Reminder($0).statedStatus?.isClosed == true
    }
    guard !isClosedBefore, let detached = try detached(status, series) else {
      return try marking(status, .occurrence(series.current), of: series.item)
    }
    let rest: CalendarItem
    if place.isFirst, let next = place.next {
      rest = try advanced(series, to: next, since: item)
    } else {
      let others = try series.item.excluding(series.current, editor)
      rest = series.occurrence.component.isOverride ? others : try others.withoutSnoozes()
    }
    var result = Result(item: rest, detached: detached)
    result.effects = EditEffect.removals(from: item, to: rest)
    return result
  }

  /// Opens an occurrence again that an override closed.
  ///
  /// - Parameters:
  ///   - start: The original start of the occurrence.
  ///   - item: The series.
  /// - Returns: The changed item; nil if the occurrence is not closed by an override.
  /// - Throws: `EditError`; `ItemError`.
  package func reopening(_ start: EventTime, of item: CalendarItem) throws -> Result? {
    let override = item.overrides.map { Reminder($0) }.first { $0.recurrenceID?.time == start }
    guard override?.statedStatus?.isClosed == true else { return nil }
    return try marking(.needsAction, .occurrence(start), of: item)
  }

  /// The item with a status as a whole.
  ///
  /// Open overrides are closed with their series, and are opened again with it. The overrides that
  /// were closed with the series have its LAST-MODIFIED.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - item: The item.
  ///   - series: The series of which only the last open occurrence is closed; nil for a status of
  ///     all occurrences.
  /// - Returns: The changed item; nil if nothing remains of it.
  /// - Throws: `EditError`; `ItemError`.
  private func marking(
    _ status: ReminderStatus, of item: CalendarItem, with series: OpenSeries? = nil
  ) throws -> Result? {
    guard let result = try marking(status, .all, of: item) else { return nil }
    guard let main = item.main.map({ Reminder($0) }) else { return result }
    let last = series.flatMap { $0.occurrence.component.isOverride ? $0.occurrence.component : nil }
    let components = result.item.components.map { component -> Component in
      guard component.isOverride else { return component }
      var (reminder, changed) = (Reminder(component), component)
      let isClosed = reminder.statedStatus?.isClosed == true
      let isMeant: Bool
      if status.isClosed {
        isMeant = !isClosed && (series == nil || component == last)
      } else {
        isMeant =
          isClosed && reminder.status == main.status && reminder.lastModified == main.lastModified
      }
      guard isMeant else { return component }
      reminder.set(status, at: time)
      reminder.sequence += 1
      (reminder.stamp, reminder.lastModified) = (editor.now, editor.now)
      reminder.write(to: &changed)
      return changed
    }
    guard components != result.item.components else { return result }
    return Result(
      item: try result.item.replacing(components: components, timeZones: result.item.timeZones))
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
    let uid = UID(
      StableIdentifier(
        of: "occurrence", series.item.uid.rawValue, "\(series.current.wallTime)"
      ).text.lowercased())
    reminder.uid = isTaken(uid) ? editor.makeUID() : uid
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
    let clocks = ItemClocks(
      zones: editor.zones, definitions: series.item.timeZones, viewer: viewer)
    guard case .absolute(let instant)? = alarm.trigger,
      let new = clocks.moved(instant, from: series.current, to: next)
    else { return part }
    var part = part
    alarm.trigger = .absolute(new)
    alarm.write(to: &part)
    return part
  }

  /// The occurrences of an item in a range, computed on demand.
  func occurrences(of item: CalendarItem, in range: Range<Instant>) -> Occurrences {
    item.occurrences(in: range, viewer: viewer, zones: editor.zones, recurrence: recurrence)
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
  /// Whether another occurrence is open.
  let hasMore: Bool

  /// Finds the open occurrence; nil if the item does not recur, or has none.
  ///
  /// - Throws: `EditError`.
  package init?(_ original: CalendarItem, _ tasks: TaskCompletion) throws(EditError) {
    guard original.main != nil, original.isSeries(of: Reminder.self) else { return nil }
    let item = try tasks.editor.beginningWhenDue(original)
    guard let span = item.span else { return nil }
    var open: (id: EventTime, occurrence: Occurrence)?
    var hasMore = false
    for (count, occurrence) in tasks.occurrences(of: item, in: span).enumerated() {
      guard count < Self.limit, !hasMore else { break }
      guard !occurrence.isDone, let id = occurrence.recurrenceID?.time else { continue }
      if open == nil { open = (id, occurrence) } else { hasMore = true }
    }
    guard let open else { return nil }
    (self.item, self.hasMore) = (item, hasMore)
    (current, occurrence) = open
  }
}

extension EditEffect {
  /// The removals of snooze alarms and exclusions of the main component, in its order.
  fileprivate static func removals(from before: CalendarItem, to after: CalendarItem) -> [Self] {
    guard let old = before.main.map({ Reminder($0) }), let new = after.main.map({ Reminder($0) })
    else { return [] }
    let excluded = Set(new.recurrence.excludedDates)
    let exclusions = old.recurrence.excludedDates.filter { !excluded.contains($0) }
    let kept = Set(new.alarms.filter { $0.snoozedAlarm != nil }.map(\.trigger))
    let snoozes = old.alarms.filter { $0.snoozedAlarm != nil && !kept.contains($0.trigger) }
    return snoozes.map { alarm in
      if case .absolute(let instant)? = alarm.trigger {
        .snoozeRemoved(instant)
      } else {
        .snoozeRemoved(nil)
      }
    } + exclusions.map { .occurrence(.exclusionRemoved, $0) }
  }
}

extension CalendarItem {
  /// The item without one of several occurrences.
  fileprivate func excluding(_ time: EventTime, _ editor: ItemEditor) throws -> CalendarItem {
    guard let rest = try editor.delete(self, .occurrence(time)).item else {
      throw EditError(.unsupported, "the series has no other occurrence")
    }
    return rest
  }

  /// The item without the snooze alarms of its main component.
  fileprivate func withoutSnoozes() throws -> CalendarItem {
    let components = components.map { component in
      guard !component.isOverride else { return component }
      let parts = component.components.filter { $0.name != .alarm || Alarm($0).snoozedAlarm == nil }
      guard parts.count < component.components.count else { return component }
      var changed = component
      changed.components = ComponentList(parts)
      return changed
    }
    return try replacing(components: components, timeZones: timeZones)
  }
}
