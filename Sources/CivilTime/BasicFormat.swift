// SPDX-License-Identifier: Apache-2.0

/// The basic formats of iCalendar dates, times, durations, offsets and numbers (RFC 5545 §3.3).
///
/// ```text
/// date       19970902            date-time  19970902T090000   19970902T130000Z
/// time       090000  130000Z     duration   P15DT5H0M20S  -PT15M  P7W
/// utc-offset -0500   +001640     integer    -42               float  37.386013
/// ```
///
/// Each function parses a whole value and rejects bytes before or after it. Letters match in either
/// case, as everywhere in the grammar (RFC 5234 §2.3). All numbers and dates are scanned here. The
/// functions allocate only when they throw.
///
/// ## Topics
///
/// ### Dates and times
/// - ``date(_:)``
/// - ``time(_:)``
/// - ``dateTime(_:)``
/// - ``localDateTime(_:)``
///
/// ### Durations and offsets
/// - ``duration(_:)``
/// - ``lenientDuration(_:)``
/// - ``utcOffset(_:)``
/// - ``lenientUTCOffset(_:)``
///
/// ### Numbers
/// - ``integer(_:in:)``
/// - ``float(_:)``
public enum BasicFormat {
  /// Reads a date such as `19970902` (RFC 5545 §3.3.4).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The date.
  /// - Throws: `BasicFormatError` at the first invalid field.
  public static func date(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDate {
    if bytes.count == 8, let date = DigitPairs.date(bytes) { return date }
    var scanner = BasicScanner(section: "RFC 5545 §3.3.4")
    let date = try scanner.date(bytes)
    try scanner.end(bytes)
    return date
  }

  /// Reads a time such as `090000` or `130000Z` (RFC 5545 §3.3.12).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The time, and whether it is in UTC (it ends in `Z`).
  /// - Throws: `BasicFormatError` at the first invalid field.
  public static func time(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> (value: TimeOfDay, isUTC: Bool) {
    var scanner = BasicScanner(section: "RFC 5545 §3.3.12")
    let time = try scanner.time(bytes)
    let isUTC = scanner.skip("Z", in: bytes)
    try scanner.end(bytes)
    return (time, isUTC)
  }

  /// Reads a date-time such as `19970902T090000` or `19970902T130000Z` (RFC 5545 §3.3.5).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The date-time, and whether it is in UTC (it ends in `Z`).
  /// - Throws: `BasicFormatError` at the first invalid field.
  public static func dateTime(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> (value: CivilDateTime, isUTC: Bool) {
    let isUTC = bytes.count == 16 && bytes[15] == UInt8(ascii: "Z")
    if isUTC || bytes.count == 15, let value = DigitPairs.dateTime(bytes) { return (value, isUTC) }
    var scanner = BasicScanner(section: "RFC 5545 §3.3.5")
    let value = try scanner.dateTime(bytes)
    let endsInZ = scanner.skip("Z", in: bytes)
    try scanner.end(bytes)
    return (value, endsInZ)
  }

  /// Reads a local date-time such as `19970902T090000` (RFC 5545 §3.3.5, form 1).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The date-time.
  /// - Throws: `BasicFormatError` at the first invalid field or at a `Z`.
  public static func localDateTime(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDateTime {
    var scanner = BasicScanner(section: "RFC 5545 §3.3.5")
    let value = try scanner.dateTime(bytes)
    try scanner.end(bytes)
    return value
  }

  /// Reads a UTC offset such as `-0500` or `+001640` (RFC 5545 §3.3.14).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The offset.
  /// - Throws: `BasicFormatError` at the first invalid field, and for `-0000`.
  public static func utcOffset(_ bytes: Span<UInt8>) throws(BasicFormatError) -> UTCOffset {
    var scanner = BasicScanner(section: "RFC 5545 §3.3.14")
    guard let isNegative = scanner.sign(bytes) else {
      throw scanner.error(bytes, length: 1, expected: "\"+\" or \"-\"")
    }
    let seconds = try scanner.offsetFields(bytes, separator: nil)
    try scanner.end(bytes)
    guard seconds != 0 || !isNegative else {
      scanner.index = 0
      throw scanner.error(bytes, length: bytes.count, expected: "\"+\" before an offset of zero")
    }
    return scanner.offset(seconds, isNegative: isNegative)
  }

  /// Reads a UTC offset leniently, including malformed variants that other programs write.
  ///
  /// In addition to the forms that ``utcOffset(_:)`` accepts, it accepts `-0000`, colons (`+01:00`)
  /// and a missing sign, which means east.
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The offset, and the error that strict parsing reports.
  /// - Throws: The `BasicFormatError` of strict parsing if the lenient rules do not apply either.
  public static func lenientUTCOffset(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> LenientReading<UTCOffset> {
    let deviation: BasicFormatError
    do {
      return LenientReading(value: try utcOffset(bytes), deviation: nil)
    } catch {
      deviation = error
    }
    var scanner = BasicScanner(section: deviation.section)
    let isNegative = scanner.sign(bytes) ?? false
    let hasColons =
      scanner.index + 2 < bytes.count && bytes[scanner.index + 2] == UInt8(ascii: ":")
    guard let seconds = try? scanner.offsetFields(bytes, separator: hasColons ? ":" : nil),
      scanner.index == bytes.count
    else { throw deviation }
    return LenientReading(
      value: scanner.offset(seconds, isNegative: isNegative), deviation: deviation)
  }

  /// Reads an integer such as `1234567890`, `-42` or `+7` (RFC 5545 §3.3.8).
  ///
  /// - Parameters:
  ///   - bytes: The whole value.
  ///   - range: The allowed values; by default the 32-bit range of the RFC.
  /// - Returns: The integer, which lies in the range.
  /// - Throws: `BasicFormatError` if the value is not an integer or is outside the range.
  public static func integer(
    _ bytes: Span<UInt8>, in range: ClosedRange<Int> = -2_147_483_648...2_147_483_647
  ) throws(BasicFormatError) -> Int {
    var scanner = BasicScanner(section: "RFC 5545 §3.3.8")
    let isNegative = scanner.sign(bytes) ?? false
    let start = scanner.index
    let magnitude = scanner.number(bytes)
    guard scanner.index > start, scanner.index == bytes.count, let magnitude,
      range ~= (isNegative ? -magnitude : magnitude)
    else {
      scanner.index = 0
      throw scanner.error(
        bytes, length: bytes.count,
        expected: "an integer from \(range.lowerBound) through \(range.upperBound)")
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Reads a float such as `37.386013` or `-3.14` (RFC 5545 §3.3.7).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The nearest finite `Double`.
  /// - Throws: `BasicFormatError` if the value is not a float, has an exponent, or is too large.
  public static func float(_ bytes: Span<UInt8>) throws(BasicFormatError) -> Double {
    var scanner = BasicScanner(section: "RFC 5545 §3.3.7")
    _ = scanner.sign(bytes)
    let hasInteger = scanner.skipDigits(bytes)
    var isFloat = hasInteger
    if hasInteger, scanner.skip(".", in: bytes) { isFloat = scanner.skipDigits(bytes) }
    guard isFloat, scanner.index == bytes.count,
      let value = Double(scanner.text(bytes, from: 0, length: bytes.count)), value.isFinite
    else {
      scanner.index = 0
      throw scanner.error(
        bytes, length: bytes.count, expected: "a number such as \"37.386013\"")
    }
    return value
  }
}

/// A value from a lenient parser, with the deviation from the RFC.
public struct LenientReading<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The parsed value.
  public let value: Value
  /// The error that strict parsing reports, or nil if the value is valid.
  public let deviation: BasicFormatError?

  /// Creates a reading.
  package init(value: Value, deviation: BasicFormatError?) {
    self.value = value
    self.deviation = deviation
  }

  /// Whether only a lenient parser accepts the value.
  public var isLenient: Bool { deviation != nil }
}

/// An error in a value that does not match its basic format, with the offset of the error.
///
/// ```text
/// expected a month from 01 through 12, found "13"
/// ```
public struct BasicFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the invalid part, in bytes from the start of the value.
  public let offset: Int
  /// The expected text, such as `a month from 01 through 12`.
  public let expected: String
  /// The text that was found, in quotes, or `the end of the value`.
  public let found: String
  /// The section that defines the format, such as `RFC 5545 §3.3.4`.
  public let section: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - offset: The offset in bytes from the start of the value.
  ///   - expected: The expected text.
  ///   - found: The text that was found, in quotes if it is part of the value.
  ///   - section: The section that defines the format.
  package init(offset: Int, expected: String, found: String, section: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.section = section
  }

  /// The message without the offset and the section.
  public var message: String { "expected \(expected), found \(found)" }

  /// The message with the section in parentheses.
  public var description: String { "\(message) (\(section))" }

  /// Returns the same error for a longer value that contains this one.
  ///
  /// - Parameter bytes: The offset of the inner value in the longer one, in bytes.
  /// - Returns: The error with the offset in the longer value.
  public func shifted(by bytes: Int) -> BasicFormatError {
    BasicFormatError(offset: offset + bytes, expected: expected, found: found, section: section)
  }
}
