// SPDX-License-Identifier: Apache-2.0

/// A place in a value from which one field after the other is read.
///
/// The bytes are handed to each function instead of being kept, so that a scanner needs no lifetime.
struct BasicScanner {
  /// The index of the next byte.
  var index = 0
  /// The section of the RFC that errors name.
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

  /// Reads the hours, minutes and seconds of an offset, without the sign, as seconds.
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

  /// The offset of a number of seconds that `offsetFields` returned.
  func offset(_ seconds: Int, isNegative: Bool) -> UTCOffset {
    UTCOffset(seconds: isNegative ? -seconds : seconds) ?? .zero
  }

  /// Reads a field of a fixed width.
  private mutating func field(
    _ bytes: Span<UInt8>, _ width: Int, _ range: ClosedRange<Int>, _ expected: String
  ) throws(BasicFormatError) -> Int {
    guard let number = digits(bytes, width), range ~= number else {
      throw error(bytes, length: width, expected: expected)
    }
    index += width
    return number
  }

  /// The number that the next digits make, or nil if there are not as many.
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

  /// Reads the digits that follow, as many as there are.
  ///
  /// - Returns: The number they make, or nil if there are none or it is above `Int32.max` by far.
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

  /// Passes digits and tells whether there were any.
  mutating func skipDigits(_ bytes: Span<UInt8>) -> Bool {
    let start = index
    while index < bytes.count, bytes[index] &- 0x30 <= 9 { index += 1 }
    return index > start
  }

  /// Reads a sign if there is one, and tells whether it is a minus.
  mutating func sign(_ bytes: Span<UInt8>) -> Bool? {
    if skip("-", in: bytes) { return true }
    return skip("+", in: bytes) ? false : nil
  }

  /// Passes a character in either case and tells whether it was there.
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

  /// The error that something else stands at the index.
  ///
  /// - Parameters:
  ///   - bytes: The whole value.
  ///   - length: How many bytes from the index on do not fit.
  ///   - expected: What should stand there.
  /// - Returns: The error, with what stands there in quotes.
  func error(_ bytes: Span<UInt8>, length: Int, expected: String) -> BasicFormatError {
    let found =
      index >= bytes.count
      ? "the end of the value" : quoted(text(bytes, from: index, length: length))
    return BasicFormatError(offset: index, expected: expected, found: found, section: section)
  }

  /// The bytes of a range, as far as it lies in the value, as text.
  func text(_ bytes: Span<UInt8>, from start: Int, length: Int) -> String {
    var copy: [UInt8] = []
    for place in start..<min(bytes.count, start + length) { copy.append(bytes[place]) }
    return String(decoding: copy, as: UTF8.self)
  }
}

/// A piece of a value in quotes, short enough for a line and without control characters.
package func quoted(_ text: String) -> String {
  let limit = 30
  var quoted = "\""
  for scalar in text.unicodeScalars.prefix(limit) {
    let isControl = scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    quoted += isControl ? "\u{FFFD}" : String(scalar)
  }
  return quoted + (text.unicodeScalars.count > limit ? "…\"" : "\"")
}
