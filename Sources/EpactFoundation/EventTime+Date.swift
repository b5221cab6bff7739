// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CivilTime
public import Foundation

extension EventTime {
  /// Creates the local time of a date in a time zone, whose identifier becomes the TZID.
  ///
  /// ```swift
  /// import CalendarModel
  /// import EpactFoundation
  /// import Foundation
  ///
  /// let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt
  /// let noon = Date(timeIntervalSince1970: 1_796_036_400)
  /// if let start = EventTime(noon, in: berlin) { print(start) }
  /// ```
  ///
  /// A fraction of a second is dropped, towards the past. The time is in UTC if the zone is GMT, and
  /// in the second of two hours that a clock repeats, for which iCalendar has no local form (RFC
  /// 5545 §3.3.5). It is nil outside the years 1 through 9999.
  public init?(_ date: Date, in zone: TimeZone) {
    guard let instant = Instant(date), let utc = instant.civil() else { return nil }
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
    var components = calendar.dateComponents(units, from: date)
    guard let first = calendar.date(from: components), Instant(first) == instant else {
      self = .utc(utc)
      return
    }
    components.timeZone = zone
    self.init(components)
  }
}
