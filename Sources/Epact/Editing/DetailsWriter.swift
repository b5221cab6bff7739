// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// The content of events and reminders, which everyday edits change.
package protocol EditableContent: ItemContent {
  /// The description (RFC 5545 §3.8.1.5).
  var descriptionText: String? { get set }
  /// The location (RFC 5545 §3.8.1.7).
  var location: String? { get set }
  /// The priority from 1 (highest) through 9, or 0 for undefined (RFC 5545 §3.8.1.9).
  var priority: Int { get set }
  /// The alarms (RFC 5545 §3.6.6).
  var alarms: [Alarm] { get set }
}

extension Event: EditableContent {}

extension Reminder: EditableContent {}

/// Writes details to the content of an item; everything else stays.
struct DetailsWriter {
  let details: ItemDetails
  let times: TimeWriting

  /// Writes all values that are set.
  ///
  /// - Throws: `EpactError` if a value is invalid for the item.
  func write<Content: EditableContent>(to content: inout Content) throws(EpactError) {
    try writeTimes(to: &content)
    writeTexts(to: &content)
    if let priority = details.priority { content.priority = priority }
    if let parent = details.parent {
      content.relations.removeAll { $0.type == .parent }
      if !parent.rawValue.isEmpty {
        content.relations.append(Relation(to: parent.rawValue, type: .parent))
      }
    }
    try writeRepetition(to: &content)
    writeAlarms(to: &content)
  }

  private func writeTexts<Content: EditableContent>(to content: inout Content) {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    if let title = details.title { content.summary = text(title) }
    if let location = details.location { content.location = text(location) }
    if let note = details.note { content.descriptionText = text(note) }
    if let url = details.url { content.url = text(url) }
    if let categories = details.categories {
      content.categories = Categories(categories.filter { !$0.isEmpty })
    }
  }

  // MARK: Times

  private func writeTimes<Content: EditableContent>(to content: inout Content) throws(EpactError) {
    guard details.changesTimes else { return }
    if let reminder = content as? Reminder {
      var changed = reminder
      try writeTimes(of: &changed)
      if let result = changed as? Content { content = result }
    } else {
      try writeTimes(ofEvent: &content)
    }
  }

  private func writeTimes<Content: EditableContent>(
    ofEvent content: inout Content
  ) throws(EpactError) {
    let old = content.start
    var changed = old
    if let moment = details.start {
      changed = try time(moment, like: old, in: content)
    } else if let old {
      changed = try times.rezoned(old)
    }
    guard let start = changed else {
      throw EpactError(.argument, "an event needs a start, such as \"tomorrow 12:30\"")
    }
    let ending: EventEnd?
    if let end = details.end {
      ending = try times.end(end, from: start)
    } else if let duration = details.duration {
      ending = try times.end(after: duration, from: start)
    } else if let old {
      ending = times.moved(content.ending, from: old, to: start)
    } else {
      ending = start.isAllDay ? nil : try times.end(after: Self.hour, from: start)
    }
    content.start = start
    content.ending = ending
  }

  private static let hour = CivilDuration(hours: 1) ?? .zero

  /// The time of a moment, in the form of another time of the content.
  ///
  /// A local time in an hour that the clock repeats is the first of two (RFC 5545 §3.3.5). The
  /// second one is written in UTC, except in a series, whose occurrences follow the clock.
  private func time(
    _ moment: Moment, like other: EventTime?, in content: some EditableContent
  ) throws(EpactError) -> EventTime {
    let recurs = details.repetition.map { !$0.isNone } ?? content.recurrence.isRecurring
    let time = try times.time(moment, like: other)
    return try recurs ? time : times.instantForm(of: time, at: moment)
  }

  /// Writes the start and the due time, each only if it is set.
  private func writeTimes(of reminder: inout Reminder) throws(EpactError) {
    let (oldStart, oldDue) = (reminder.start, reminder.dueTime)
    if let end = details.end {
      reminder.due = .time(try time(end, like: oldDue ?? oldStart, in: reminder))
    } else if let old = oldDue, details.zone != nil {
      reminder.due = .time(try times.rezoned(old))
    }
    if let start = details.start {
      reminder.start = try time(start, like: oldStart ?? oldDue, in: reminder)
    } else if let old = oldStart {
      // A series begins when its first occurrence is due.
      reminder.start = old == oldDue ? reminder.dueTime : try times.rezoned(old)
    }
    if let duration = details.duration, let start = reminder.start ?? reminder.due?.time {
      reminder.start = start
      reminder.due = try times.end(after: duration, from: start)
    }
  }

  // MARK: Recurrence and alarms

  private func writeRepetition<Content: EditableContent>(
    to content: inout Content
  ) throws(EpactError) {
    guard let repetition = details.repetition else { return }
    guard !repetition.isNone else {
      content.recurrence = RecurrenceProperties()
      return
    }
    guard let start = content.start ?? content.ending?.time else {
      throw EpactError(.argument, "what repeats needs a date, such as \"tomorrow\"")
    }
    let rules = content.recurrence.rules
    let rule = try repetition.rule(for: start, rules) { times.instant(of: $0, like: start) }
    content.recurrence.rules = [rule].compactMap(\.self)
    // DTSTART is required in a series (RFC 5545 §3.8.5.3).
    if content.start == nil { content.start = start }
  }

  /// Writes the alarms; one that exists already keeps its other properties.
  private func writeAlarms<Content: EditableContent>(to content: inout Content) {
    guard let wanted = details.alarms else { return }
    let isDue = content.start == nil && content.ending != nil
    var known = content.alarms
    content.alarms = wanted.map { time in
      var trigger = time.trigger
      // Without a start, an alarm is relative to the due time (RFC 5545 §3.8.6.3).
      if case .relative(let duration, to: .start) = trigger, isDue {
        trigger = .relative(duration, to: .end)
      }
      if let place = known.firstIndex(where: { $0.trigger == trigger }) {
        return known.remove(at: place)
      }
      var alarm = Alarm()
      alarm.action = .display
      alarm.trigger = trigger
      alarm.descriptionText = content.summary ?? ""
      return alarm
    }
  }
}
