// SPDX-License-Identifier: Apache-2.0

internal import CICU
public import CivilTime

/// Formats dates and times for a locale.
///
/// Dates are Gregorian, as in iCalendar. Wall-clock times are formatted unchanged, without a time
/// zone. The type cannot be copied, because it owns ICU memory.
///
/// ```swift
/// var dates = try LocalizedDates(locale: "de_DE")
/// try dates.text(CivilDate(parsing: "20260401"), .weekdayAndDate)  // "Mittwoch, 1. April 2026"
/// dates.firstWeekday                                               // .monday
/// ```
public struct LocalizedDates: ~Copyable {
  /// The fields of a formatted date or time.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The date with the weekday, such as "Wednesday, 1 April 2026".
    case weekdayAndDate = "yMMMMEEEEd"
    /// The abbreviated date with the weekday, such as "Wed, 1 Apr 2026".
    case shortDate = "yMMMEd"
    /// The month and the year, such as "April 2026".
    case month = "yMMMM"
    /// The weekday, such as "Wednesday".
    case weekday = "cccc"
    /// The abbreviated weekday, such as "Wed".
    case shortWeekday = "ccc"
    /// The month, such as "April".
    case monthName = "LLLL"
    /// The time of day in minutes, such as "16:30" or "4:30 PM".
    case time = "jm"
    /// The abbreviated date with the time.
    case dateAndTime = "yMMMEdjm"
    /// The date in digits, such as "01/04/26", for narrow lists.
    case numericDate = "yyMMdd"
    /// The date in digits with the time.
    case numericDateAndTime = "yyMMddjm"
  }

  private let handle: DatesHandle
  private var formats: [Style: DateFormatHandle] = [:]
  private var intervalFormats: [Style: IntervalFormatHandle] = [:]
  /// The first day of a week.
  public let firstWeekday: Weekday

  /// Opens the date formats of a locale.
  ///
  /// - Parameter locale: The language and region, such as `de_AT` or `en-GB`. For an unknown
  ///   locale, ICU falls back to the closest known language, and finally to English.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(locale: String) throws(ICUError) {
    let handle = try DatesHandle(locale: locale)
    // ICU counts from Sunday as 1.
    let first = UInt8(truncatingIfNeeded: (try handle.firstWeekday() + 5) % 7)
    firstWeekday = Weekday(rawValue: first) ?? .monday
    self.handle = handle
  }

  /// Formats a date.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  public mutating func text(_ date: CivilDate, _ style: Style) throws(ICUError) -> String {
    try text(CivilDateTime(date, .midnight), style)
  }

  /// Formats a wall-clock time.
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

  /// Formats an interval without repeating common fields, such as "1–3 April 2026".
  ///
  /// - Parameters:
  ///   - start: The wall-clock time of the start.
  ///   - end: The wall-clock time of the end.
  ///   - style: The fields of both times.
  /// - Returns: The interval, or only the start if both texts are equal.
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

/// The date formats of an ICU locale, which are closed on deinitialization.
///
/// It cannot be copied, because two copies would close it twice.
@safe struct DatesHandle: ~Copyable {
  private let pointer: OpaquePointer

  init(locale: String) throws(ICUError) {
    var status: Int32 = 0
    guard let opened = unsafe cicu_dates_open(locale, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    unsafe pointer = opened
  }

  deinit {
    unsafe cicu_dates_close(pointer)
  }

  /// The first day of a week, from 1 for Sunday through 7.
  func firstWeekday() throws(ICUError) -> Int {
    var status: Int32 = 0
    let day = unsafe cicu_dates_first_weekday(pointer, &status)
    try ICUCalls.check(status)
    return Int(day)
  }

  func format(_ skeleton: String) throws(ICUError) -> DateFormatHandle {
    var status: Int32 = 0
    guard let opened = unsafe cicu_date_format_open(pointer, skeleton, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    return unsafe DateFormatHandle(opened)
  }

  func intervalFormat(_ skeleton: String) throws(ICUError) -> IntervalFormatHandle {
    var status: Int32 = 0
    guard let opened = unsafe cicu_interval_format_open(pointer, skeleton, &status) else {
      throw ICUError(.failed, "ICU failed with \(ICUCalls.errorName(status))")
    }
    return unsafe IntervalFormatHandle(opened)
  }
}

/// An ICU date formatter; a class, because a dictionary caches the formatters.
@safe final class DateFormatHandle {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe cicu_date_format_close(pointer)
  }

  func text(milliseconds: Double) throws(ICUError) -> String {
    var status: Int32 = 0
    let text = unsafe ICUCalls.text(cicu_date_format_apply(pointer, milliseconds, &status))
    try ICUCalls.check(status)
    return text ?? ""
  }
}

/// An ICU interval formatter; a class, because a dictionary caches the formatters.
@safe final class IntervalFormatHandle {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe cicu_interval_format_close(pointer)
  }

  func text(from start: Double, to end: Double) throws(ICUError) -> String {
    var status: Int32 = 0
    let text = unsafe ICUCalls.text(cicu_interval_format_apply(pointer, start, end, &status))
    try ICUCalls.check(status)
    return text ?? ""
  }
}
