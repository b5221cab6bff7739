// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Tests of single lines for the sieve.
extension SiftedComponent {
  /// Whether a word starts with a colon or semicolon, which ends a name.
  @inline(__always)
  static func isSeparator(_ word: UInt64) -> Bool { word & 0xFE == 0x3A }

  /// Whether a line contains control characters, including tabs.
  @inline(__always)
  static func hasControls(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var index = start
    var found: UInt64 = 0
    while index &+ 8 <= end {
      found |= ByteWord.controls(bytes.word(at: index))
      index &+= 8
    }
    if index < end {
      let rest = end &- index
      let spaces = lowerCase << UInt64(truncatingIfNeeded: rest &* 8)
      found |= ByteWord.controls(ByteWord.prefix(bytes.word(at: index), rest) | spaces)
    }
    return found != 0
  }

  /// Whether a line starts with a name and a separator.
  @inline(__always)
  static func hasName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var index = start
    while index < end {
      let found = ByteWord.separators(bytes.word(at: index))
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 < end }
      index &+= 8
    }
    return false
  }

  /// The start of a line's value, or nil if quoted parameters may hide it.
  static func value(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    var index = start
    while index < end {
      if bytes[index] == ASCII.quote { return nil }
      if bytes[index] == ASCII.colon { return index &+ 1 }
      index &+= 1
    }
    return nil
  }

  /// The day number of the date at the start of a value, or nil if there is none.
  @inline(__always)
  static func day(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard start &+ 8 <= end, let year = number(bytes, start, 4),
      let month = number(bytes, start &+ 4, 2), let day = number(bytes, start &+ 6, 2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)?.dayNumber
  }

  /// The number in the next `count` digits, or nil if these are not digits.
  @inline(__always)
  static func number(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
    var number = 0
    for index in start..<start &+ count {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int(digit)
    }
    return number
  }

  /// Whether a line may have a RANGE parameter, so that the override affects later occurrences.
  static func hasRange(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var index = start
    while index &+ 4 < end, bytes[index] != ASCII.colon {
      // `rang`
      if (bytes.word(at: index) | lowerCase) & 0xFFFF_FFFF == 0x676E_6172 { return true }
      index &+= 1
    }
    return false
  }

  /// Whether a name that starts with `recur` is RECURRENCE-ID.
  static func isRecurrenceID(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    // `rence-id`
    bytes.word(at: start &+ 5) | lowerCase == 0x6469_2D65_636E_6572
  }
}
