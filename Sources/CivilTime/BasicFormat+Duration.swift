// SPDX-License-Identifier: Apache-2.0

// dur-value  = (["+"] / "-") "P" (dur-date / dur-time / dur-week)
// dur-date   = dur-day [dur-time]
// dur-time   = "T" (dur-hour / dur-minute / dur-second)
// dur-week   = 1*DIGIT "W"        dur-hour   = 1*DIGIT "H" [dur-minute]
// dur-day    = 1*DIGIT "D"        dur-minute = 1*DIGIT "M" [dur-second]
//                                 dur-second = 1*DIGIT "S"
//
// So weeks stand alone, and seconds follow hours only with minutes between them.

extension BasicFormat {
  /// Reads a duration such as `P15DT5H0M20S`, `-PT15M` or `P7W` (RFC 5545 §3.3.6).
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The duration.
  /// - Throws: `BasicFormatError` at the first part that does not fit the grammar.
  public static func duration(_ bytes: Span<UInt8>) throws(BasicFormatError) -> CivilDuration {
    var parts = DurationParts()
    try parts.read(bytes, isLenient: false)
    return try parts.duration(bytes)
  }

  /// Reads a duration also in the ways that other programs are known to write it.
  ///
  /// Beyond ``duration(_:)`` it takes an empty one (`P`, `PT`, `P1DT`) as zero, weeks beside other
  /// parts (`P1W2D`), hours and seconds without minutes (`PT1H5S`), and parts without the `P` or
  /// the `T` before them (`-15M`). Years and months are refused, because their length is not known.
  ///
  /// - Parameter bytes: The whole value.
  /// - Returns: The duration, and what a strict reading objects to.
  /// - Throws: `BasicFormatError`, the one of the strict form, if it cannot be read in any way.
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

/// The parts of a duration while it is read.
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
  /// The part that was read last.
  private var last: Int?
  /// Whether the `T` was read.
  private var hasTimeMark = false

  mutating func read(_ bytes: Span<UInt8>, isLenient: Bool) throws(BasicFormatError) {
    isNegative = scanner.sign(bytes) ?? false
    let hasMark = scanner.skip("P", in: bytes)
    guard hasMark || (isLenient && scanner.index < bytes.count) else {
      throw scanner.error(bytes, length: 1, expected: "\"P\"")
    }
    // Every round passes at least one byte or throws.
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

  /// What should stand where no number does, or where no part may follow.
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

  /// The parts that can follow if the order is all that is asked for.
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
