// SPDX-License-Identifier: Apache-2.0

/// A date and wall-clock time without a zone (RFC 5545 §3.3.5, form 1).
///
/// The instant that it denotes depends on a zone; see ``ZoneRules/resolve(_:)``.
///
/// ```swift
/// try CivilDateTime(parsing: "19970902T090000").adding(.days(1))
/// ```
public struct CivilDateTime: Hashable, Sendable, Comparable {
  /// The day.
  public let date: CivilDate
  /// The time of the day.
  public let time: TimeOfDay

  /// Creates a date-time from a date and a time.
  public init(_ date: CivilDate, _ time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// Creates a date-time from its fields, or returns nil if the date or time does not exist.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) {
    guard let date = CivilDate(year: year, month: month, day: day),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(date, time)
  }

  /// Creates a date-time from its ``wallSeconds``, or returns nil outside the years 1 through 9999.
  public init?(wallSeconds: Int64) {
    // Counting from 0001-01-01 keeps the numbers non-negative, which makes divisions fast.
    let seconds = UInt64(bitPattern: wallSeconds &+ 62_135_596_800)
    guard let date = CivilDate(dayNumber: Int(truncatingIfNeeded: seconds / 86_400) &- 719_162),
      let time = TimeOfDay(secondOfDay: Int(truncatingIfNeeded: seconds % 86_400))
    else { return nil }
    self.init(date, time)
  }

  /// The seconds since 1970-01-01T00:00:00 on the same wall clock; negative before it.
  ///
  /// Every day counts 86,400 seconds, whatever the transitions of a zone.
  public var wallSeconds: Int64 { Int64(date.dayNumber) * 86_400 + Int64(time.secondOfDay) }

  /// The date-time some days later at the same time of day, or nil outside the years 1 to 9999.
  public func adding(days: Int) -> CivilDateTime? {
    date.adding(days: days).map { CivilDateTime($0, time) }
  }

  /// The date-time some seconds later on the same wall clock, or nil outside the years 1 to 9999.
  public func adding(seconds: Int64) -> CivilDateTime? {
    let (sum, overflow) = wallSeconds.addingReportingOverflow(seconds)
    return overflow ? nil : CivilDateTime(wallSeconds: sum)
  }

  /// The date-time a duration later on the same wall clock, or nil outside the years 1 to 9999.
  ///
  /// This is exact for floating and UTC times. In a zone, use ``ZoneRules/instant(of:adding:)``,
  /// because hours are exact there.
  public func adding(_ duration: CivilDuration) -> CivilDateTime? {
    adding(days: duration.nominalDays).flatMap { start in
      duration.exactSeconds == 0 ? start : start.adding(seconds: duration.exactSeconds)
    }
  }

  /// The instant at which a clock with an offset from UTC shows this date-time.
  public func instant(at offset: UTCOffset) -> Instant {
    Instant(secondsSinceEpoch: wallSeconds - Int64(offset.seconds))
  }

  /// Whether the left date-time is earlier on the same wall clock.
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    left.date == right.date ? left.time < right.time : left.date < right.date
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// Reads a date-time in the basic form `19970902T090000`, without a `Z` (RFC 5545 §3.3.5), or in
  /// the extended form of ISO 8601, `1997-09-02T09:00:00` or `1997-09-02T09:00`, which no value in an
  /// iCalendar file has.
  ///
  /// - Parameter text: The text, with nothing before or after the date-time.
  /// - Throws: `BasicFormatError` at the first character that does not fit.
  public init(parsing text: String) throws(BasicFormatError) {
    let form = ExtendedForm(text)
    do throws(BasicFormatError) {
      self = try BasicFormat.localDateTime(form.basic.utf8.span)
    } catch {
      throw form.located(error)
    }
  }

  /// The basic form, such as `19970902T090000` (RFC 5545 §3.3.5).
  public var description: String {
    // The bytes are written directly, because canonical forms contain many of these texts.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(15)
    date.appendDigits(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    time.appendDigits(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A wall-clock time without a date or zone (RFC 5545 §3.3.12, the TIME type).
public struct TimeOfDay: Hashable, Sendable, Comparable {
  private let storedHour: UInt8
  private let storedMinute: UInt8
  private let storedSecond: UInt8

  /// The start of a day, 00:00:00.
  public static let midnight = TimeOfDay(unchecked: 0, 0, 0)

  /// Creates a time, or returns nil if the time does not exist.
  ///
  /// - Parameters:
  ///   - hour: The hour, from 0 through 23.
  ///   - minute: The minute, from 0 through 59.
  ///   - second: The second, from 0 through 60; 60 is a leap second and is preserved.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second else { return nil }
    self.init(unchecked: hour, minute, second)
  }

  private init(unchecked hour: Int, _ minute: Int, _ second: Int) {
    storedHour = UInt8(truncatingIfNeeded: hour)
    storedMinute = UInt8(truncatingIfNeeded: minute)
    storedSecond = UInt8(truncatingIfNeeded: second)
  }

  /// Creates a time from the seconds after midnight, or returns nil outside 0 through 86,399.
  public init?(secondOfDay: Int) {
    guard 0..<86_400 ~= secondOfDay else { return nil }
    let second = UInt32(truncatingIfNeeded: secondOfDay)
    let minute = second / 60
    self.init(unchecked: Int(minute / 60), Int(minute % 60), Int(second % 60))
  }

  /// The hour, from 0 through 23.
  public var hour: Int { Int(storedHour) }
  /// The minute, from 0 through 59.
  public var minute: Int { Int(storedMinute) }
  /// The second, from 0 through 60.
  public var second: Int { Int(storedSecond) }

  /// The number of seconds since midnight, from 0 through 86,399.
  ///
  /// Second 60 counts as second 59, as RFC 5545 §3.3.12 allows for systems without leap seconds.
  public var secondOfDay: Int { hour * 3600 + minute * 60 + min(second, 59) }

  /// Whether the left time is earlier.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.ordinal < right.ordinal
  }

  private var ordinal: Int { hour << 12 | minute << 6 | second }
}

extension TimeOfDay: CustomStringConvertible {
  /// The basic form, such as `090000` (RFC 5545 §3.3.12).
  public var description: String {
    var digits: [UInt8] = []
    appendDigits(to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the basic form.
  func appendDigits(to bytes: inout [UInt8]) {
    bytes.appendDigits(hour, width: 2)
    bytes.appendDigits(minute, width: 2)
    bytes.appendDigits(second, width: 2)
  }
}
