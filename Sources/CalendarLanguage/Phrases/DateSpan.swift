// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// The time that a phrase names: a day, several days, a time, or a range of times.
///
/// ```swift
/// let span = try phrases.span("fri 9-10:30")
/// span.start    // .local(2026-11-27 09:00)
/// span.end      // .local(2026-11-27 10:30)
/// span.reading  // "Fri 2026-11-27 09:00-10:30"
/// ```
public struct DateSpan: Hashable, Sendable {
  /// The start: a date for whole days, otherwise a time.
  public let start: Moment
  /// The exclusive end; nil if the phrase names a single time.
  ///
  /// The end of whole days is the date after the last one. Otherwise it is a time.
  public let end: Moment?
  /// The unambiguous text of the span, which is a phrase for the same span at any time.
  public let reading: String

  /// Whether the span consists of whole days.
  public var isAllDay: Bool { if case .date = start { true } else { false } }

  /// Returns the instants of the span; a single time is an empty range.
  ///
  /// - Parameter zone: The viewer's time zone.
  /// - Returns: The range, which is empty if the end is not after the start.
  public func range(in zone: ZoneRules) -> Range<Instant> {
    let first = start.instant(in: zone)
    return first..<max(first, end?.instant(in: zone) ?? first)
  }

  /// Creates a span with its reading.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The exclusive end; nil for a single time.
  ///   - zone: The viewer's time zone.
  init(from start: Moment, to end: Moment?, in zone: ZoneRules) {
    self.start = start
    self.end = end
    let reader = MomentReading(zone: zone)
    reading = reader.text(from: start, to: end)
  }
}

/// The notation of moments in readings: `Fri 2026-11-27 09:00`, or RFC 3339 for instants.
package struct MomentReading {
  let zone: ZoneRules

  /// Creates a reading for a viewer's time zone.
  package init(zone: ZoneRules) { self.zone = zone }

  /// The text of a moment.
  package func text(_ moment: Moment) -> String {
    switch moment {
    case .date(let date): Self.text(date)
    case .local(let wall): "\(Self.text(wall.date)) \(Self.text(wall.time))"
    case .instant(let instant): zone.rfc3339(instant)
    }
  }

  /// The text of a span; the last of several days is included.
  package func text(from start: Moment, to end: Moment?) -> String {
    switch (start, end) {
    case (_, nil): return text(start)
    case (.date(let first), .date(let end)?):
      let last = end.adding(days: -1) ?? end
      return first >= last ? Self.text(first) : "\(Self.text(first))..\(Self.text(last))"
    case (.local(let first), .local(let last)?):
      if first.date == last.date, first.time < last.time {
        return "\(text(start))-\(Self.text(last.time))"
      }
      if first.date.adding(days: 1) == last.date, last.time == .midnight {
        return "\(text(start))-24:00"
      }
      return "\(text(start))..\(text(.local(last)))"
    case (_, let end?): return "\(text(start))..\(text(end))"
    }
  }

  /// The weekday and the date, as `Fri 2026-11-27`.
  private static func text(_ date: CivilDate) -> String {
    "\(EnglishDateWords.abbreviation(of: date.weekday)) \(iso(date))"
  }

  /// The date in ISO 8601 format, as `2026-11-27`.
  package static func iso(_ date: CivilDate) -> String {
    OccurrenceTime(.date(date), Instant(secondsSinceEpoch: 0)).rfc3339
  }

  /// The time in minutes, or in seconds if it has some.
  package static func text(_ time: TimeOfDay) -> String {
    let digits = Array(time.description)
    let fields = stride(from: 0, to: time.second == 0 ? 4 : 6, by: 2).map {
      String(digits[$0..<$0 + 2])
    }
    return fields.joined(separator: ":")
  }
}

extension DatePhrases {
  /// The days of the next week with a number of ISO 8601, as a phrase; nil if the year has none.
  package func reading(ofWeek number: Int) -> String? {
    let today = resolver().today
    for year in [today.year, today.year + 1] {
      // Week 1 has 4 January.
      guard let fourth = CivilDate(year: year, month: 1, day: 4),
        let first = fourth.adding(days: 7 * (number - 1) - Int(fourth.weekday.rawValue)),
        let end = first.adding(days: 7), end > today
      else { continue }
      // The year of a week is that of its Thursday.
      guard first.adding(days: 3)?.year == year else { return nil }
      return DateSpan(from: .date(first), to: .date(end), in: zone).reading
    }
    return nil
  }
}
