// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import ICalSyntax

/// The text of an item's times, which is a date phrase for the same times.
struct WhenText {
  /// The viewer's time zone, for times in UTC.
  let viewer: ZoneRules

  /// The text of a moment.
  func text(_ moment: Moment) -> String { MomentReading(zone: viewer).text(moment) }

  /// The time zone of a time, after a space; empty if it is the viewer's.
  func zone(of time: EventTime) -> String {
    guard case .zoned(_, let tzID) = time, tzID != viewer.name else { return "" }
    return " \(tzID)"
  }

  /// The text of a start and an end for people, with the zone if it is not the viewer's; ends in
  /// different zones have the name of each.
  func sentence(from start: EventTime, to end: EventEnd?, _ times: TimeWriting) -> String {
    guard let end = foreignEnd(end, from: start, times) else {
      return text(from: start, to: end, times) + zone(of: start)
    }
    let name = if case .utc = start { "" } else { start.tzID.map { " \($0)" } ?? "" }
    return "\(text(moment(start)))\(name) to \(end)"
  }

  /// The text of a start and an end.
  func text(from start: EventTime, to end: EventEnd?, _ times: TimeWriting) -> String {
    let first = moment(start)
    guard let last = times.time(of: end, from: start), last.isAllDay == start.isAllDay,
      last != start
    else { return text(first) }
    return MomentReading(zone: viewer).text(from: first, to: moment(last))
  }

  /// The end of an event in another time zone than its start, with that zone; nil for any other end.
  func foreignEnd(_ end: EventEnd?, from start: EventTime?, _ times: TimeWriting) -> String? {
    guard let start, let last = times.time(of: end, from: start), case .zoned(_, let tzID) = last
    else { return nil }
    if case .zoned(_, tzID) = start { return nil }
    return "\(text(moment(last))) \(tzID)"
  }

  /// The time of a file in the form of RFC 3339, without an offset.
  static func rfc3339(_ time: EventTime) -> String {
    let wall = time.wallTime
    let text = OccurrenceTime(time.isAllDay ? time : .utc(wall), Instant(utc: wall)).rfc3339
    return time.isAllDay ? text : String(text.prefix { $0 != "Z" && $0 != "+" })
  }

  /// That a time is stored in UTC, with the local time of later occurrences if it is another one.
  ///
  /// A series in UTC keeps no local time of day when the clocks change.
  func storage(of component: Component) -> String? {
    let event = Event(component)
    // Some reminders have a due date only.
    guard case .utc(let wall)? = event.start ?? Reminder(component).dueTime, viewer.name != "UTC"
    else {
      return nil
    }
    let text = "stored in UTC"
    let start = Instant(utc: wall)
    let end = Instant(secondsSinceEpoch: start.secondsSinceEpoch + Self.year)
    var changes = viewer.transitions(from: start, to: end)
    guard event.recurrence.isRecurring, let own = viewer.civil(at: start),
      let change = changes.next(), let day = viewer.civil(at: change.instant)?.date,
      let next = change.instant.civil(at: .zero)?.date.adding(days: 1),
      let later = viewer.civil(at: Instant(utc: CivilDateTime(next, wall.time))),
      later.time != own.time
    else { return text }
    return "\(text), so at \(MomentReading.text(later.time)) from \(self.text(.date(day))) on"
  }

  /// The seconds of a year, in which the clocks change if they do so every year.
  private static let year: Int64 = 366 * 86_400

  /// The local time of a file's time; one in UTC is in the viewer's zone.
  func moment(_ time: EventTime) -> Moment {
    switch time {
    case .date(let date): .date(date)
    case .floating(let wall), .zoned(let wall, _): .local(wall)
    case .utc(let wall):
      viewer.civil(at: Instant(utc: wall)).map { .local($0) } ?? .instant(Instant(utc: wall))
    }
  }
}
