// SPDX-License-Identifier: Apache-2.0

/// A date of the Gregorian calendar, without a time or zone (RFC 5545 §3.3.4, the DATE type).
///
/// The Gregorian calendar applies to all years from 1 through 9999, including those before its
/// introduction (proleptic).
///
/// ```swift
/// CivilDate(year: 1997, month: 9, day: 2)?.description  // "19970902"
/// ```
///
/// ## Topics
///
/// ### Making dates
/// - ``init(year:month:day:)``
/// - ``init(dayNumber:)``
/// - ``init(parsing:)``
///
/// ### Arithmetic
/// - ``dayNumber``
/// - ``adding(days:)``
/// - ``weekday``
public struct CivilDate: Hashable, Sendable, Comparable {
  private let storedYear: Int16
  private let storedMonth: UInt8
  private let storedDay: UInt8

  /// The first valid date, 0001-01-01.
  public static let first = CivilDate(unchecked: 1, 1, 1)
  /// The last valid date, 9999-12-31.
  public static let last = CivilDate(unchecked: 9999, 12, 31)

  /// Creates a date, or returns nil if the date does not exist.
  ///
  /// - Parameters:
  ///   - year: The year, from 1 through 9999.
  ///   - month: The month, from 1 through 12.
  ///   - day: The day, from 1 through the length of the month.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
      day <= CivilDate.daysInMonth(month, of: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  private init(unchecked year: Int, _ month: Int, _ day: Int) {
    storedYear = Int16(truncatingIfNeeded: year)
    storedMonth = UInt8(truncatingIfNeeded: month)
    storedDay = UInt8(truncatingIfNeeded: day)
  }

  /// Creates a date from a day number, or returns nil outside the years 1 through 9999.
  ///
  /// - Parameter dayNumber: The number of days since 1970-01-01.
  public init?(dayNumber: Int) {
    guard -719_162...2_932_896 ~= dayNumber else { return nil }
    // Years are counted from March, so that the leap day is the last day of a year; day 0 is March
    // 1 of the year 0. Divisions are by constants, or products whose high half is the quotient and
    // whose low half yields the remainder (Neri and Schneider, "Euclidean affine functions and
    // their application to calendar algorithms", 2022). Expansion creates millions of dates.
    let day = UInt32(truncatingIfNeeded: dayNumber + 719_468)
    let century = (4 * day + 3) / 146_097
    let dayOfCentury = (4 * day + 3) % 146_097 / 4
    let product = 2_939_745 * UInt64(4 * dayOfCentury + 3)
    let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
    let months = 2141 * dayOfYear + 197_913
    let isAfterNewYear = dayOfYear >= 306
    let year = Int(100 * century) + Int(product >> 32) + (isAfterNewYear ? 1 : 0)
    let month = Int(months >> 16) - (isAfterNewYear ? 12 : 0)
    self.init(unchecked: year, month, Int(months & 0xFFFF) / 2141 + 1)
  }

  /// The year, from 1 through 9999.
  public var year: Int { Int(storedYear) }
  /// The month, from 1 through 12.
  public var month: Int { Int(storedMonth) }
  /// The day of the month, from 1 through 31.
  public var day: Int { Int(storedDay) }

  /// The number of days since 1970-01-01; negative before it.
  public var dayNumber: Int { CivilDate.dayNumber(year: year, month: month, day: day) }

  /// The day of the week.
  public var weekday: Weekday { Weekday(dayNumber: dayNumber) }

  /// The day of the year, from 1 through 366.
  public var dayOfYear: Int { dayNumber - CivilDate.dayNumber(year: year, month: 1, day: 1) + 1 }

  /// The date `days` days later (earlier if negative), or nil outside the years 1 through 9999.
  public func adding(days: Int) -> CivilDate? {
    let (sum, overflow) = dayNumber.addingReportingOverflow(days)
    return overflow ? nil : CivilDate(dayNumber: sum)
  }

  /// Whether a year is a leap year.
  public static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days in a month, from 28 through 31; 0 for an invalid `month`.
  public static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    case 1...12: 31
    default: 0
    }
  }

  /// Whether the left date is earlier.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.ordinal < right.ordinal
  }

  private var ordinal: Int { year << 9 | month << 5 | day }

  /// The number of days from 1970-01-01 to a date, also slightly outside the years 1 through 9999.
  ///
  /// Zone rules look up the year before and after, which a `CivilDate` cannot hold. The month is
  /// from 1 through 12; the day is any number.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    // Counting from ten 400-year cycles earlier keeps all numbers small and non-negative, so that
    // nothing overflows and divisions are fast.
    let isBeforeMarch = month <= 2
    let years = UInt32(truncatingIfNeeded: year &+ (isBeforeMarch ? 3999 : 4000))
    let centuries = years / 100
    let monthFromMarch = UInt32(truncatingIfNeeded: month &+ (isBeforeMarch ? 9 : -3))
    let days = years &* 1461 / 4 &- centuries &+ centuries / 4 &+ (153 &* monthFromMarch &+ 2) / 5
    return Int(days) &+ day &- 2_180_439
  }
}

extension CivilDate: CustomStringConvertible {
  /// Reads a date in the basic form `19970902` (RFC 5545 §3.3.4), or in the extended form of
  /// ISO 8601, `1997-09-02`, which no value in an iCalendar file has.
  ///
  /// - Parameter text: The text, with nothing before or after the date.
  /// - Throws: `BasicFormatError` at the first character that does not fit.
  public init(parsing text: String) throws(BasicFormatError) {
    let form = ExtendedForm(text)
    do throws(BasicFormatError) {
      self = try BasicFormat.date(form.basic.utf8.span)
    } catch {
      throw form.located(error)
    }
  }

  /// The basic form, such as `19970902` (RFC 5545 §3.3.4).
  public var description: String {
    var digits: [UInt8] = []
    appendDigits(to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the basic form.
  func appendDigits(to bytes: inout [UInt8]) {
    bytes.appendDigits(year, width: 4)
    bytes.appendDigits(month, width: 2)
    bytes.appendDigits(day, width: 2)
  }
}

extension Weekday {
  /// The weekday of a day number, counted from 1970-01-01, a Thursday.
  package init(dayNumber: Int) {
    let place = (dayNumber % 7 + 10) % 7
    self = Weekday(rawValue: UInt8(truncatingIfNeeded: place)) ?? .monday
  }
}

extension [UInt8] {
  /// Appends the last `width` decimal digits of a non-negative number.
  mutating func appendDigits(_ number: Int, width: Int) {
    var unit = 1
    for _ in 1..<width { unit *= 10 }
    while unit > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / unit % 10))
      unit /= 10
    }
  }
}

/// The decimal digits of a non-negative number, padded with zeros to a width.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// A day of the week, named as in recurrence rules (RFC 5545 §3.3.10).
public enum Weekday: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Monday, written `MO`.
  case monday
  /// Tuesday, written `TU`.
  case tuesday
  /// Wednesday, written `WE`.
  case wednesday
  /// Thursday, written `TH`.
  case thursday
  /// Friday, written `FR`.
  case friday
  /// Saturday, written `SA`.
  case saturday
  /// Sunday, written `SU`.
  case sunday

  /// Creates a weekday from its two-letter code in either case, or returns nil for other texts.
  public init?(_ code: some StringProtocol) {
    let code = code.uppercased()
    guard let match = Weekday.allCases.first(where: { $0.description == code }) else { return nil }
    self = match
  }

  /// The two-letter code, from `MO` through `SU`.
  public var description: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }

  /// The number of days since the last `first`, from 0 through 6.
  ///
  /// This is the position of the day in a week that starts on `first`.
  public func days(since first: Weekday) -> Int {
    let difference = Int(rawValue) - Int(first.rawValue)
    return difference < 0 ? difference + 7 : difference
  }
}
