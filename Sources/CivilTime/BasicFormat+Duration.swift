// SPDX-License-Identifier: Apache-2.0

// dur-value  = (["+"] / "-") "P" (dur-date / dur-time / dur-week)
// dur-date   = dur-day [dur-time]
// dur-time   = "T" (dur-hour / dur-minute / dur-second)
// dur-week   = 1*DIGIT "W"        dur-hour   = 1*DIGIT "H" [dur-minute]
// dur-day    = 1*DIGIT "D"        dur-minute = 1*DIGIT "M" [dur-second]
//                                 dur-second = 1*DIGIT "S"
//
// Weeks cannot be combined with other parts, and seconds follow hours only with minutes in between.

extension BasicFormat {
  /// Reads a duration such as `P15DT5H0M20S`, `-PT15M` or `P7W` (RFC 5545 §3.3.6).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The duration.
  /// - Throws: `BasicFormatError` at the first part that does not match the grammar.
  public static func duration(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDuration {
    var parts = DurationParts()
    try parts.read(bytes, isLenient: false)
    return try parts.duration(bytes)
  }

  /// Reads a duration leniently, including malformed variants that other programs write.
  ///
  /// In addition to the forms that ``duration(_:)`` accepts, it accepts:
  /// - an empty duration (`P`, `PT`, `P1DT`), as zero
  /// - weeks combined with other parts (`P1W2D`)
  /// - hours and seconds without minutes (`PT1H5S`)
  /// - parts without the preceding `P` or `T` (`-15M`)
  ///
  /// It rejects years and months, because their length varies.
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The duration, and the error that strict parsing reports.
  /// - Throws: The `BasicFormatError` of strict parsing if the lenient rules do not apply either.
  public static func lenientDuration(
    _ bytes: Span<UInt8>
  ) throws(BasicFormatError) -> LenientReading<CivilDuration> {
    let deviation: BasicFormatError
    do {
      return LenientReading(value: try duration(bytes), deviation: nil)
    } catch {
      deviation = error
    }
    var parts = DurationParts()
    do {
      try parts.read(bytes, isLenient: true)
      return LenientReading(value: try parts.duration(bytes), deviation: deviation)
    } catch {
      throw deviation
    }
  }
}

/// The parts of a duration that has been read so far.
private struct DurationParts {
  /// The letters of the parts, in the order of the grammar.
  private static let designators: InlineArray<5, Unicode.Scalar> = ["W", "D", "H", "M", "S"]
  private static let week = 0
  private static let day = 1
  private static let hour = 2
  private static let second = 4

  private var scanner = BasicScanner(section: "RFC 5545 §3.3.6")
  private var isNegative = false
  private var numbers = InlineArray<5, Int>(repeating: 0)
  /// The index of the part that was read last.
  private var last: Int?
  /// Whether the `T` was read.
  private var hasTimeMark = false

  mutating func read(_ bytes: Span<UInt8>, isLenient: Bool) throws(BasicFormatError) {
    isNegative = scanner.sign(bytes) ?? false
    let hasMark = scanner.skip("P", in: bytes)
    guard hasMark || (isLenient && scanner.index < bytes.count) else {
      throw scanner.error(bytes, length: 1, expected: "\"P\"")
    }
    // Each iteration consumes at least one byte or throws.
    repeat {
      if !hasTimeMark, isLenient || last != DurationParts.week {
        hasTimeMark = scanner.skip("T", in: bytes)
      }
      if isLenient, scanner.index == bytes.count, hasMark { return }
      try readPart(bytes, isLenient: isLenient)
    } while scanner.index < bytes.count
  }

  private mutating func readPart(
    _ bytes: Span<UInt8>, isLenient: Bool
  ) throws(BasicFormatError) {
    let start = scanner.index
    let candidates = isLenient ? lenientParts : strictParts
    let number = scanner.number(bytes)
    guard scanner.index > start, !candidates.isEmpty else {
      let length = max(1, scanner.index - start)
      scanner.index = start
      throw scanner.error(bytes, length: length, expected: expectation(candidates))
    }
    var match: Int?
    for part in candidates where scanner.skip(DurationParts.designators[part], in: bytes) {
      match = part
      break
    }
    guard let part = match else {
      let names = candidates.map { "\"\(DurationParts.designators[$0])\"" }
      throw scanner.error(bytes, length: 1, expected: names.joined(separator: " or "))
    }
    guard let number, number <= CivilDuration.greatestPart else {
      let length = scanner.index - 1 - start
      scanner.index = start
      throw scanner.error(
        bytes, length: length, expected: "a number from 0 through \(CivilDuration.greatestPart)")
    }
    numbers[part] = number
    last = part
  }

  /// The expected text for the error at a missing number or an unexpected part.
  private func expectation(_ candidates: Range<Int>) -> String {
    if !candidates.isEmpty { return last == nil && !hasTimeMark ? "\"T\" or a number" : "a number" }
    return last == DurationParts.day ? "\"T\" or the end of the value" : "the end of the value"
  }

  /// The parts that the grammar allows next.
  private var strictParts: Range<Int> {
    guard let last else {
      return hasTimeMark
        ? DurationParts.hour..<DurationParts.second + 1 : DurationParts.week..<DurationParts.hour
    }
    switch last {
    case DurationParts.week: return 0..<0
    case DurationParts.day:
      return hasTimeMark ? DurationParts.hour..<DurationParts.second + 1 : 0..<0
    default: return last + 1..<min(last + 2, DurationParts.second + 1)
    }
  }

  /// The parts that may follow when only their order is checked.
  private var lenientParts: Range<Int> {
    let next = last.map { $0 + 1 } ?? DurationParts.week
    return max(next, hasTimeMark ? DurationParts.hour : DurationParts.week)..<DurationParts.second
      + 1
  }

  func duration(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDuration {
    guard
      let duration = CivilDuration(
        isNegative: isNegative, weeks: numbers[0], days: numbers[1], hours: numbers[2],
        minutes: numbers[3], seconds: numbers[4])
    else { throw scanner.error(bytes, length: 1, expected: "a shorter duration") }
    return duration
  }
}
