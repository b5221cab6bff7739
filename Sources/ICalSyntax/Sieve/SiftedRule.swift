// SPDX-License-Identifier: Apache-2.0

/// The limits of a recurrence rule (RFC 5545 §3.3.10) that a sieve needs.
struct SiftedRule {
  /// The maximum number that is accepted.
  private static let numberLimit = 100_000

  /// The maximum number of days between two instances that no part excludes.
  ///
  /// It is 0 if the frequency does not limit it.
  private var step = 0
  private var interval = 1
  private var count: Int?
  /// The day of UNTIL, since 1970-01-01.
  private var until: Int?
  /// Whether no part can exclude days that the frequency includes.
  private var isPlain = true

  /// Parses a rule, or returns nil if its syntax is invalid.
  init?(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    var index = start
    while index < end {
      let name = bytes.word(at: index) | 0x2020_2020_2020_2020
      let equals = bytes.firstIndex(of: ASCII.equals, from: index) ?? end
      guard equals < end else { return nil }
      let semicolon = bytes.firstIndex(of: ASCII.semicolon, from: equals) ?? end
      let valueEnd = min(semicolon, end)
      guard read(name, length: equals &- index, bytes, equals &+ 1, valueEnd) else { return nil }
      index = valueEnd &+ 1
    }
  }

  /// The last day on which the rule can have an instance, or nil if there is no limit.
  func lastDay(from start: Int) -> Int? {
    if let until { return until }
    guard let count, step > 0, isPlain else { return nil }
    // An instance in a gap may be omitted and not counted, at most twice a year. The first week may
    // contain none of the weekdays.
    let days = (count + 1) * interval * step
    return start + days + (days / 180 + 2) * interval * step
  }

  private mutating func read(
    _ name: UInt64, length: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    switch (length, name & (length < 8 ? 1 << UInt64(length * 8) &- 1 : .max)) {
    case (4, 0x7165_7266):  // freq
      switch end &- start {
      case 5 where bytes[start] | 0x20 == UInt8(ascii: "d"): step = 1
      case 6 where bytes[start] | 0x20 == UInt8(ascii: "w"): step = 7
      default: step = 0
      }
      return true
    case (8, 0x6C61_7672_6574_6E69):  // interval
      guard let number = Self.number(bytes, start, end), number > 0 else { return false }
      interval = number
      return true
    case (5, 0x74_6E75_6F63):  // count
      count = Self.number(bytes, start, end)
      return count != nil
    case (5, 0x6C_6974_6E75):  // until
      until = SiftedComponent.day(bytes, start, end)
      return until != nil
    case (4, 0x7473_6B77): return true  // wkst
    case (5, 0x79_6164_7962):  // byday
      // Each week contains at least one of the weekdays, but not every day is included.
      if step != 7 { isPlain = false }
      return true
    default:
      isPlain = false
      return true
    }
  }

  private static func number(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard start < end, end &- start <= 6 else { return nil }
    var number = 0
    for index in start..<end {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number <= numberLimit ? number : nil
  }
}
