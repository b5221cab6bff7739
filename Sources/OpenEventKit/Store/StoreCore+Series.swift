// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactFoundation
import Foundation
import ICalSyntax

/// Recurring reminders, whose objects show the first open occurrence.
extension StoreCore {
  /// Completes occurrences.
  private func tasks(at time: Instant? = nil) -> TaskCompletion {
    TaskCompletion(
      editor, viewer: zones.viewerRules, recurrence: occurrenceOptions.recurrence, at: time)
  }

  /// The first open occurrence of a series.
  private struct Open {
    /// The time of the occurrence in the series.
    let time: EventTime
    /// Whether it has a component of its own.
    let isOverride: Bool
  }

  /// The first open occurrence; nil if the main component describes it, or if there is none.
  private func openOccurrence(of item: CalendarItem) -> Open? {
    guard let main = item.main, item.isSeries(of: Reminder.self) else { return nil }
    let reminder = Reminder(main)
    guard reminder.statedStatus?.isClosed != true else { return nil }
    // A rule that cannot be expanded has no occurrence that could be shown.
    guard let series = (try? OpenSeries(item, tasks())) ?? nil else { return nil }
    let isOverride = series.occurrence.component.isOverride
    let isFirst = series.current == reminder.start ?? reminder.due?.time
    return isFirst && !isOverride ? nil : Open(time: series.current, isOverride: isOverride)
  }

  /// The time of a single occurrence without its series, such as that of an invitation to it alone; nil
  /// for other items (RFC 5545 §3.8.4.4).
  private func occurrenceAlone(of item: CalendarItem) -> EventTime? {
    guard item.main == nil, let override = item.overrides.first else { return nil }
    return Reminder(override).recurrenceID?.time
  }

  /// The values of a reminder: those of its first open occurrence, or of its only one.
  func reminderSnapshot(of origin: ItemOrigin) -> ItemSnapshot? {
    let item = origin.item
    let time = openOccurrence(of: item)?.time ?? occurrenceAlone(of: item)
    let reading: OccurrenceReading<Reminder>? =
      time.flatMap { editor.reading(at: $0, of: item) } ?? editor.reading(at: nil, of: item)
    return reading.map { ItemSnapshot(reminder: $0, of: item, in: origin.calendar, zones) }
  }

  /// The time of the shown occurrence in the series, if it has a component of its own to change.
  ///
  /// Rules are changed in the main component.
  func ownOccurrence(of item: CalendarItem, _ change: ItemChange) -> EventTime? {
    if let time = occurrenceAlone(of: item) { return time }
    guard !change.changesRules, let open = openOccurrence(of: item), open.isOverride else {
      return nil
    }
    return open.time
  }

  /// Completes the first open occurrence of a recurring reminder, by `TaskCompletion`.
  ///
  /// - Parameters:
  ///   - change: The change with the time of completion.
  ///   - forms: Makes all other changes.
  /// - Returns: The reminder from the next occurrence on, and the completed one, if it is a
  ///   reminder of its own; nil if nothing is completed or the item does not recur.
  /// - Throws: `EditError` or `ItemError`.
  func completion<Content: ItemContent>(
    of change: ItemChange, _ forms: (ItemChange) throws -> ItemSaving<Content>.Result
  ) throws -> (result: ItemSaving<Content>.Result, detached: CalendarItem?)? {
    guard change.completes else { return nil }
    var result = try forms(change.open)
    guard result.saved.main != nil, result.saved.isSeries(of: Reminder.self) else { return nil }
    let time = change.after.completion.date.flatMap { Instant($0) }
    guard let completed = try tasks(at: time).setting(.completed, of: result.saved) else {
      return nil
    }
    result.saved = completed.item
    return (result, completed.detached)
  }
}
