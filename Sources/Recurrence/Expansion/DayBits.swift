// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A bit set of consecutive days, large enough for a year and the weeks around it.
struct DayBits: Sendable {
  /// The number of words in the set.
  static let wordCount = 7
  /// The maximum number of days in the set.
  static let capacity = wordCount * 64

  private(set) var words: InlineArray<7, UInt64> = InlineArray(repeating: 0)

  /// Creates an empty set.
  init() {}

  /// Creates a set from a bit mask of the first 64 days.
  init(word: UInt64) {
    words[0] = word
  }

  /// Creates the set of all days that fall on some weekdays.
  ///
  /// - Parameters:
  ///   - weekdays: A bit for each weekday; bit 0 is Monday.
  ///   - day: The number of the first day, since 1970-01-01.
  init(weekdays: UInt8, from day: Int) {
    let first = DayBits.weekday(ofDay: day)
    // 64 days are nine weeks and one day, so each word starts one weekday later.
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

  /// Inserts a day if it is within the capacity.
  mutating func insert(_ day: Int) {
    guard 0..<DayBits.capacity ~= day else { return }
    words[day >> 6] |= 1 << UInt64(day & 63)
  }

  mutating func insert(_ days: Range<Int>) {
    for day in days { insert(day) }
  }

  /// Inserts the days of a bit mask whose bit 0 is `day`, which may be -1.
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

  /// The first day of the set at or after a day, or nil if there is none.
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

  /// The day at a zero-based position in the sorted set; it must be less than ``count``.
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

  /// The weekday of a day number; 0 is Monday.
  ///
  /// The constant keeps the dividend non-negative for days up to about 3,800 years before 1970.
  static func weekday(ofDay day: Int) -> Int {
    Int(UInt32(truncatingIfNeeded: day &+ 1_400_003) % 7)
  }

  /// The bit at a zero-based position among the set bits; it must be less than their count.
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

  /// A mask of the given weekdays in 64 days that start on the weekday `first`.
  static func pattern(weekdays: UInt8, from first: Int) -> UInt64 {
    let mask = UInt64(weekdays)
    let week = (mask | mask << 7) >> UInt64(first) & 0x7F
    // A bit at every seventh position copies the week there.
    return week &* 0x8102_0408_1020_4081
  }
}

/// The selected days of years, cached by the shape of the year.
///
/// A Gregorian year starts on one of seven weekdays and may be a leap year. The same applies to its
/// neighbours, whose days belong to its weeks. This yields 28 shapes, and a rule selects the same
/// days in all years of one shape. Other calendars compute each year again.
struct YearShapes: Sendable {
  private let choice: DayChoice
  /// The calendar, or nil for the Gregorian one.
  private let calendar: (any CalendarSystem)?
  private let isGregorian: Bool
  /// The days by shape; empty until first used.
  private var shapes: [DayBits?] = []

  init(_ choice: DayChoice, calendar: (any CalendarSystem)?) {
    self.choice = choice
    self.calendar = calendar
    isGregorian = calendar == nil
  }

  /// The selected days of a year, or nil if the calendar does not support the year.
  mutating func year(_ number: Int) -> ChosenYear? {
    if !isGregorian, let calendar { return year(number, in: calendar) }
    guard 0...10_000 ~= number else { return nil }
    let firstDay = CivilDate.dayNumber(year: number, month: 1, day: 1)
    let isLeap = CivilDate.isLeapYear(number)
    var shape = DayBits.weekday(ofDay: firstDay)
    if isLeap { shape |= 8 }
    if CivilDate.isLeapYear(number - 1) { shape |= 16 }
    if CivilDate.isLeapYear(number + 1) { shape |= 32 }
    if shapes.isEmpty { shapes = Array(repeating: nil, count: 64) }
    let base = firstDay - ChosenYear.margin
    let length = isLeap ? 366 : 365
    if let days = shapes[shape] {
      return ChosenYear(number: number, base: base, length: length, days: days)
    }
    guard let year = year(number, in: GregorianCalendar()) else { return nil }
    shapes[shape] = year.days
    return year
  }

  /// The selected days of the year that contains a day, or nil if the calendar has no such year.
  mutating func year(containingDay day: Int) -> ChosenYear? {
    if !isGregorian, let calendar {
      return calendar.year(containingDay: day).flatMap { year($0.number) }
    }
    return CivilDate(dayNumber: day).flatMap { year($0.year) }
  }

  private func year(_ number: Int, in calendar: some CalendarSystem) -> ChosenYear? {
    guard let years = YearNeighbourhood(number, in: calendar, for: choice) else { return nil }
    return ChosenYear(
      number: number, base: years.year.firstDay - ChosenYear.margin, length: years.year.length,
      days: choice.days(in: years))
  }
}
