// SPDX-License-Identifier: Apache-2.0

/// What a sieve sees of a recurrence rule (RFC 5545 §3.3.10): until when it may give instances.
struct SiftedRule {
  /// The greatest number that is believed.
  private static let numberLimit = 100_000

  /// How many days lie between two instances at the most, if nothing leaves any out; 0 if that cannot be
  /// told from the frequency.
  private var step = 0
  private var interval = 1
  private var count: Int?
  /// In days since 1970-01-01.
  private var until: Int?
  /// Whether only parts are there that leave out no day of which the frequency is sure.
  private var isPlain = true

  /// Reads a rule; nil if it is not spelled as the RFC has it.
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

  /// The last day on which it may give an instance; nil if there is none.
  func lastDay(from start: Int) -> Int? {
    if let until { return until }
    guard let count, step > 0, isPlain else { return nil }
    // A start that the clocks skip may be left out and not counted, twice a year at the most; and the first
    // week may have none of the days.
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
      // Some day of each week is there, but not each day.
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
