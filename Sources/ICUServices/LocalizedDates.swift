// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Writes dates and times as people of a language and country do.
///
/// Dates are those of the Gregorian calendar, in which iCalendar has them; what a clock shows is written
/// as it is, so that no time zone is involved. It cannot be copied, because it owns memory of ICU.
///
/// ```swift
/// var dates = try LocalizedDates(locale: "de_DE")
/// try dates.text(CivilDate(parsing: "20260401"), .weekdayAndDate)  // "Mittwoch, 1. April 2026"
/// dates.firstWeekday                                               // .monday
/// ```
public struct LocalizedDates: ~Copyable {
  /// What is written of a date or a time.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The date with the name of its weekday, as "Wednesday, 1 April 2026".
    case weekdayAndDate = "yMMMMEEEEd"
    /// The same, as short as it can be understood, as "Wed, 1 Apr 2026".
    case shortDate = "yMMMEd"
    /// The month and the year, as "April 2026".
    case month = "yMMMM"
    /// The name of the weekday, as "Wednesday".
    case weekday = "cccc"
    /// The short name of the weekday, as "Wed".
    case shortWeekday = "ccc"
    /// The name of the month, as "April".
    case monthName = "LLLL"
    /// The time of day to the minute, as "16:30" or "4:30 PM".
    case time = "jm"
    /// A short date with the time.
    case dateAndTime = "yMMMEdjm"
  }

  private let handle: DatesHandle
  private var formats: [Style: DateFormatHandle] = [:]
  private var intervalFormats: [Style: IntervalFormatHandle] = [:]
  /// The day on which weeks begin.
  public let firstWeekday: Weekday

  /// Opens the dates of a language.
  ///
  /// - Parameter locale: The language and the country, such as `de_AT` or `en-GB`; one that is not known
  ///   is written as the language that most of it is known of, at last as English.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(locale: String) throws(ICUError) {
    let handle = try DatesHandle(locale: locale)
    // ICU counts from Sunday as 1.
    let first = UInt8(truncatingIfNeeded: (try handle.firstWeekday() + 5) % 7)
    firstWeekday = Weekday(rawValue: first) ?? .monday
    self.handle = handle
  }

  /// Writes a date.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  public mutating func text(_ date: CivilDate, _ style: Style) throws(ICUError) -> String {
    try text(CivilDateTime(date, .midnight), style)
  }

  /// Writes what a clock shows.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  public mutating func text(_ wall: CivilDateTime, _ style: Style) throws(ICUError) -> String {
    let format: DateFormatHandle
    if let open = formats[style] {
      format = open
    } else {
      format = try handle.format(style.rawValue)
      formats[style] = format
    }
    return try format.text(milliseconds: Self.milliseconds(wall))
  }

  /// Writes an interval, and what its ends share only once, as "1–3 April 2026".
  ///
  /// - Parameters:
  ///   - start: What a clock shows at the start.
  ///   - end: What it shows at the end.
  ///   - style: What is written of each.
  /// - Returns: The interval, or the start alone if both are the same.
  /// - Throws: `ICUError` if ICU lacks its data.
  public mutating func interval(
    from start: CivilDateTime, to end: CivilDateTime, _ style: Style
  ) throws(ICUError) -> String {
    let format: IntervalFormatHandle
    if let open = intervalFormats[style] {
      format = open
    } else {
      format = try handle.intervalFormat(style.rawValue)
      intervalFormats[style] = format
    }
    return try format.text(from: Self.milliseconds(start), to: Self.milliseconds(end))
  }

  private static func milliseconds(_ wall: CivilDateTime) -> Double {
    Double(wall.wallSeconds) * 1000
  }
}
