// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax
import Recurrence

/// The visible fields of an event or a reminder.
///
/// Saving writes only the values that differ from those that were read.
package struct ItemFields: Equatable, Sendable {
  /// The identifier of the calendar.
  var calendar: String?
  var title: String? = ""
  var notes: String?
  var url: URL?
  var alarms: [EKAlarm.Value] = []
  var rules: [EKRecurrenceRule.Value] = []

  // MARK: Events

  var times = EventTimes()
  var availability = EKEventAvailability.busy
  /// The location of an event; a reminder has a text only.
  var location: EKStructuredLocation.Value?

  // MARK: Reminders

  var dates = ReminderDates()
  var completion = Completion()
  var priority = 0

  /// Takes the latest values of all fields that have no changes.
  mutating func merge(_ latest: ItemFields, changedSince base: ItemFields) {
    func take<Value: Equatable>(_ field: WritableKeyPath<ItemFields, Value>) {
      guard self[keyPath: field] == base[keyPath: field] else { return }
      self[keyPath: field] = latest[keyPath: field]
    }
    take(\.calendar)
    take(\.title)
    take(\.notes)
    take(\.url)
    take(\.alarms)
    take(\.rules)
    take(\.times.start)
    take(\.times.end)
    take(\.times.isAllDay)
    take(\.times.timeZone)
    take(\.availability)
    take(\.location)
    take(\.dates.start)
    take(\.dates.due)
    take(\.completion)
    take(\.priority)
  }

  /// Whether a field was changed here and differently by another program.
  func conflicts(with latest: ItemFields, changedSince base: ItemFields) -> Bool {
    func differs<Value: Equatable>(_ field: KeyPath<ItemFields, Value>) -> Bool {
      let (here, there, before) = (
        self[keyPath: field], latest[keyPath: field], base[keyPath: field]
      )
      return here != before && there != before && here != there
    }
    return differs(\.title) || differs(\.notes) || differs(\.url) || differs(\.alarms)
      || differs(\.rules) || differs(\.times) || differs(\.availability) || differs(\.location)
      || differs(\.dates) || differs(\.completion) || differs(\.priority)
  }
}

/// When an event is.
struct EventTimes: Equatable, Sendable {
  var start: Date?
  /// The end; the last second of the last day of an all-day event.
  var end: Date?
  var isAllDay = false
  /// The zone of the clock; nil for floating times and days.
  var timeZone: TimeZone?

  /// The times of whole days for those of an event that has become one.
  mutating func round(_ zones: ItemZones) {
    guard isAllDay else { return }
    start = start.map { zones.start(of: $0) }
    end = end.map { zones.end(of: $0) }
  }
}

/// When a reminder starts and is due.
struct ReminderDates: Equatable, Sendable {
  var start: DateComponents?
  var due: DateComponents?
}

/// Whether and when a reminder was completed.
struct Completion: Equatable, Sendable {
  var isCompleted = false
  var date: Date?
}

extension DateComponents {
  /// The components that objects return for a time of a file, with their calendar.
  init(_ time: EventTime, _ zones: ItemZones, _ definitions: [Component]) {
    switch time {
    case .date(let date): self.init(date)
    case .floating(let wall): self.init(wall)
    case .utc, .zoned:
      self.init(time.wallTime, timeZone: zones.timeZone(of: time, definitions))
    }
    calendar = ItemZones.gregorian
  }

  /// The components that a program sets, in the form in which objects return them.
  ///
  /// Without an hour, a minute and a second they are a day, which has no time zone. Components of
  /// another calendar are converted.
  var plain: DateComponents {
    if let calendar, ![.gregorian, .iso8601].contains(calendar.identifier), let date {
      return converted(date, from: calendar)
    }
    var result = DateComponents(year: year, month: month, day: day)
    result.calendar = ItemZones.gregorian
    guard hour != nil || minute != nil || second != nil else { return result }
    result.hour = hour ?? 0
    result.minute = minute ?? 0
    result.second = second ?? 0
    result.timeZone = timeZone
    return result
  }

  private func converted(_ date: Date, from calendar: Calendar) -> DateComponents {
    var gregorian = ItemZones.gregorian
    gregorian.timeZone = timeZone ?? calendar.timeZone
    let hasTime = hour != nil || minute != nil || second != nil
    let names: Set<Calendar.Component> =
      hasTime ? [.year, .month, .day, .hour, .minute, .second] : [.year, .month, .day]
    var result = gregorian.dateComponents(names, from: date)
    result.timeZone = hasTime ? timeZone : nil
    result.calendar = ItemZones.gregorian
    return result
  }
}
