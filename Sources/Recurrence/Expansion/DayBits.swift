// SPDX-License-Identifier: Apache-2.0

/// A set of days from a first day on: a bit a day, enough for a year and the weeks around it.
struct DayBits: Sendable {
  /// The number of words.
  static let wordCount = 7
  /// The number of days that a set can hold.
  static let capacity = wordCount * 64

  private(set) var words: InlineArray<7, UInt64> = InlineArray(repeating: 0)

  /// Creates an empty set.
  init() {}

  /// Creates a set of days in the first 64.
  init(word: UInt64) {
    words[0] = word
  }

  /// Creates the days of some weekdays.
  ///
  /// - Parameters:
  ///   - weekdays: A bit a weekday, from Monday in bit 0 on.
  ///   - day: The number of the first day, since 1970-01-01.
  init(weekdays: UInt8, from day: Int) {
    let first = DayBits.weekday(ofDay: day)
    // 64 days are nine weeks and a day.
    for index in 0..<DayBits.wordCount {
      words[index] = DayBits.pattern(weekdays: weekdays, from: (first + index) % 7)
    }
  }

  subscript(word: Int) -> UInt64 { words[word] }

  var isEmpty: Bool { (0..<DayBits.wordCount).allSatisfy { words[$0] == 0 } }

  var count: Int {
    var count = 0
    for index in 0..<DayBits.wordCount { count += words[index].nonzeroBitCount }
    return count
  }

  /// Adds a day, if the set can hold it.
  mutating func insert(_ day: Int) {
    guard 0..<DayBits.capacity ~= day else { return }
    words[day >> 6] |= 1 << UInt64(day & 63)
  }

  mutating func insert(_ days: Range<Int>) {
    for day in days { insert(day) }
  }

  /// Adds the days of a word whose bit 0 is a day of this set, or the one before it.
  mutating func insert(_ word: UInt64, at day: Int) {
    var rest = word
    while rest != 0 {
      insert(day + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  mutating func formUnion(_ other: DayBits) {
    for index in 0..<DayBits.wordCount { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: DayBits) {
    for index in 0..<DayBits.wordCount { words[index] &= other.words[index] }
  }

  /// The first day of the set from a day on, or nil if there is none.
  func first(from day: Int) -> Int? {
    guard day < DayBits.capacity else { return nil }
    let day = max(day, 0)
    var index = day >> 6
    var word = words[index] & (UInt64.max << UInt64(day & 63))
    while word == 0 {
      index += 1
      guard index < DayBits.wordCount else { return nil }
      word = words[index]
    }
    return index << 6 + word.trailingZeroBitCount
  }

  /// The day at a place in the order of the set, counted from 0; it must be less than ``count``.
  func day(at place: Int) -> Int {
    var rest = place
    var index = 0
    while index < DayBits.wordCount - 1 {
      let count = words[index].nonzeroBitCount
      if rest < count { break }
      rest -= count
      index += 1
    }
    return index << 6 + DayBits.bit(at: rest, of: words[index])
  }

  /// The weekday of a day number, from 0 for Monday.
  ///
  /// The day is at most some 3,800 years before 1970, so that what is divided is not negative.
  static func weekday(ofDay day: Int) -> Int {
    Int(UInt32(truncatingIfNeeded: day &+ 1_400_003) % 7)
  }

  /// The bit at a place in the order of a word's bits, counted from 0; it must be less than their count.
  static func bit(at place: Int, of word: UInt64) -> Int {
    var rest = word
    let fromEnd = word.nonzeroBitCount &- 1 &- place
    if fromEnd < place {
      for _ in 0..<fromEnd { rest ^= 1 << UInt64(63 &- rest.leadingZeroBitCount) }
      return 63 &- rest.leadingZeroBitCount
    }
    for _ in 0..<place { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }

  /// The days of some weekdays among 64 days, of which the first is a weekday.
  static func pattern(weekdays: UInt8, from first: Int) -> UInt64 {
    let mask = UInt64(weekdays)
    let week = (mask | mask << 7) >> UInt64(first) & 0x7F
    // A bit at every seventh place copies the week to each of them.
    return week &* 0x8102_0408_1020_4081
  }
}
