// SPDX-License-Identifier: Apache-2.0

/// A cursor that reads the fields of a value one after the other.
///
/// The caller passes the bytes to each function, so the scanner does not need a lifetime
/// dependency.
struct BasicScanner {
  /// The index of the next byte.
  var index = 0
  /// The section that errors refer to.
  let section: String

  init(section: String) {
    self.section = section
  }

  mutating func date(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDate {
    let year = try field(bytes, 4, 1...9999, "a year from 0001 through 9999")
    let month = try field(bytes, 2, 1...12, "a month from 01 through 12")
    let length = CivilDate.daysInMonth(month, of: year)
    if let day = digits(bytes, 2), let date = CivilDate(year: year, month: month, day: day) {
      index += 2
      return date
    }
    throw error(bytes, length: 2, expected: "a day from 01 through \(length)")
  }

  mutating func time(_ bytes: Span<UInt8>) throws(BasicFormatError) -> TimeOfDay {
    let hour = try field(bytes, 2, 0...23, "an hour from 00 through 23")
    let minute = try field(bytes, 2, 0...59, "a minute from 00 through 59")
    let start = index
    let second = try field(bytes, 2, 0...60, "a second from 00 through 60")
    guard let time = TimeOfDay(hour: hour, minute: minute, second: second) else {
      index = start
      throw error(bytes, length: 2, expected: "a time of day")
    }
    return time
  }

  mutating func dateTime(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDateTime {
    let date = try date(bytes)
    guard skip("T", in: bytes) else {
      throw error(bytes, length: 1, expected: "\"T\" and a time of day")
    }
    return CivilDateTime(date, try time(bytes))
  }

  /// Reads the hours, minutes and seconds of an unsigned offset, and returns them in seconds.
  mutating func offsetFields(
    _ bytes: Span<UInt8>, separator: Unicode.Scalar?
  ) throws(BasicFormatError) -> Int {
    let hour = try field(bytes, 2, 0...23, "an hour from 00 through 23")
    if let separator { _ = skip(separator, in: bytes) }
    let minute = try field(bytes, 2, 0...59, "a minute from 00 through 59")
    guard index < bytes.count else { return hour * 3600 + minute * 60 }
    if let separator { _ = skip(separator, in: bytes) }
    let second = try field(bytes, 2, 0...59, "a second from 00 through 59")
    return hour * 3600 + minute * 60 + second
  }

  /// Converts the result of `offsetFields` to a signed offset.
  func offset(_ seconds: Int, isNegative: Bool) -> UTCOffset {
    UTCOffset(seconds: isNegative ? -seconds : seconds) ?? .zero
  }

  /// Reads a field of fixed width.
  private mutating func field(
    _ bytes: Span<UInt8>, _ width: Int, _ range: ClosedRange<Int>, _ expected: String
  ) throws(BasicFormatError) -> Int {
    guard let number = digits(bytes, width), range ~= number else {
      throw error(bytes, length: width, expected: expected)
    }
    index += width
    return number
  }

  /// The number in the next `width` bytes, or nil if they are not all digits.
  private func digits(_ bytes: Span<UInt8>, _ width: Int) -> Int? {
    guard index + width <= bytes.count else { return nil }
    var number = 0
    for place in index..<index + width {
      let digit = bytes[place] &- 0x30
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// Reads a run of digits of any length.
  ///
  /// - Returns: The number, or nil if there are no digits or the number far exceeds `Int32.max`.
  mutating func number(_ bytes: Span<UInt8>) -> Int? {
    var number = 0
    var isTooLarge = false
    let start = index
    while index < bytes.count {
      let digit = bytes[index] &- 0x30
      guard digit <= 9 else { break }
      index += 1
      if number > 1 << 40 { isTooLarge = true } else { number = number * 10 + Int(digit) }
    }
    return index == start || isTooLarge ? nil : number
  }

  /// Skips digits, and returns whether there were any.
  mutating func skipDigits(_ bytes: Span<UInt8>) -> Bool {
    let start = index
    while index < bytes.count, bytes[index] &- 0x30 <= 9 { index += 1 }
    return index > start
  }

  /// Reads an optional sign, and returns true for a minus, false for a plus and nil for none.
  mutating func sign(_ bytes: Span<UInt8>) -> Bool? {
    if skip("-", in: bytes) { return true }
    return skip("+", in: bytes) ? false : nil
  }

  /// Skips a character in either case, and returns whether it was present.
  mutating func skip(_ character: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    let isLetter = byte >= 0x61 && byte <= 0x7A
    guard UInt32(isLetter ? byte & 0xDF : byte) == character.value else { return false }
    index += 1
    return true
  }

  func end(_ bytes: Span<UInt8>) throws(BasicFormatError) {
    guard index == bytes.count else {
      throw error(bytes, length: bytes.count - index, expected: "the end of the value")
    }
  }

  /// Creates an error for unexpected text at the index.
  ///
  /// - Parameters:
  ///   - bytes: The whole value.
  ///   - length: The number of unexpected bytes from the index on.
  ///   - expected: The expected text.
  /// - Returns: The error, which quotes the unexpected text.
  func error(_ bytes: Span<UInt8>, length: Int, expected: String) -> BasicFormatError {
    let found =
      index >= bytes.count
      ? "the end of the value" : quoted(text(bytes, from: index, length: length))
    return BasicFormatError(offset: index, expected: expected, found: found, section: section)
  }

  /// The part of a byte range that lies in the value, as text.
  func text(_ bytes: Span<UInt8>, from start: Int, length: Int) -> String {
    var copy: [UInt8] = []
    for place in start..<min(bytes.count, start + length) { copy.append(bytes[place]) }
    return String(decoding: copy, as: UTF8.self)
  }
}

/// Quotes a text for an error message, shortened and without control characters.
package func quoted(_ text: String) -> String {
  let limit = 30
  var quoted = "\""
  for scalar in text.unicodeScalars.prefix(limit) {
    let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    quoted += isControl ? "\u{FFFD}" : String(scalar)
  }
  return quoted + (text.unicodeScalars.count > limit ? "…\"" : "\"")
}

/// A fast path that reads well-formed dates and times eight bytes at a time.
///
/// It returns nil for any other text; `BasicScanner` then finds the error.
enum DigitPairs {
  /// The date in the first eight bytes.
  @inline(__always)
  static func date(_ bytes: Span<UInt8>) -> CivilDate? {
    guard let pairs = pairs(word(bytes, 0)) else { return nil }
    let year = number(pairs, 0) &* 100 &+ number(pairs, 1)
    return CivilDate(year: year, month: number(pairs, 2), day: number(pairs, 3))
  }

  /// The date-time in the first fifteen bytes.
  @inline(__always)
  static func dateTime(_ bytes: Span<UInt8>) -> CivilDateTime? {
    // The word starts with the last digit of the date and the `T`; both are replaced by zeros.
    let last = word(bytes, 7)
    guard last >> 8 & 0xFF == 0x54, let date = date(bytes),
      let pairs = pairs(last & ~0xFFFF | 0x3030),
      let time = TimeOfDay(
        hour: number(pairs, 1), minute: number(pairs, 2), second: number(pairs, 3))
    else { return nil }
    return CivilDateTime(date, time)
  }

  /// Eight bytes from an index on, in little-endian order.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    let low =
      UInt64(bytes[index]) | UInt64(bytes[index &+ 1]) << 8 | UInt64(bytes[index &+ 2]) << 16
      | UInt64(bytes[index &+ 3]) << 24
    return low | UInt64(bytes[index &+ 4]) << 32 | UInt64(bytes[index &+ 5]) << 40
      | UInt64(bytes[index &+ 6]) << 48 | UInt64(bytes[index &+ 7]) << 56
  }

  /// The four two-digit numbers in eight digits, or nil if a byte is not a digit.
  @inline(__always)
  private static func pairs(_ word: UInt64) -> UInt64? {
    // Digits are 0x30 through 0x39. Adding 6 changes the high nibble of any byte after `9`.
    let sixteens: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let zeros: UInt64 = 0x3030_3030_3030_3030
    guard word & sixteens == zeros, (word &+ 0x0606_0606_0606_0606) & sixteens == zeros else {
      return nil
    }
    let digits = word ^ zeros
    return (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
  }

  @inline(__always)
  private static func number(_ pairs: UInt64, _ place: UInt64) -> Int {
    Int(truncatingIfNeeded: pairs >> (place &* 16) & 0xFF)
  }
}
