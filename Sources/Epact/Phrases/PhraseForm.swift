// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// A parsed date phrase, before the current time is known.
struct PhraseForm: Hashable, Sendable {
  /// The separator of the two points of a range.
  enum Separator: Hashable, Sendable {
    /// A hyphen or a word, as in `fri 9-10:30` and `9 to 10:30 on friday`.
    case hyphen
    /// Two full stops, as in `mon..fri`.
    case points
  }

  var start: PhrasePoint
  var separator: Separator?
  var end: PhrasePoint?
  var duration: PhraseDuration?
}

/// A day, a time, or both.
struct PhrasePoint: Hashable, Sendable {
  /// The column of the point, from 1.
  let column: Int
  var day: PhraseDay?
  var time: PhraseTime?
  /// A moment in iCalendar or RFC 3339 format instead of a day and a time.
  var moment: Moment?

  init(column: Int) { self.column = column }

  var isEmpty: Bool { day == nil && time == nil && moment == nil }
}

/// A day or a period, relative to the current time.
struct PhraseDay: Hashable, Sendable {
  /// The day before offsets are added.
  enum Base: Hashable, Sendable {
    case now
    case day(Int)
    /// A weekday, with its distance if a word states one.
    case weekday(Weekday, Int?)
    case date(CivilDate)
    case dateOfYear(month: Int, day: Int)
    case month(Int, year: Int?)
    case period(DateWords.Unit, Int)
  }

  /// A number of units to add.
  struct Offset: Hashable, Sendable {
    let count: Int
    let unit: DateWords.Unit
  }

  /// The column of the day, from 1.
  let column: Int
  /// The day that the offsets are added to; nil for the start of a range, or else the present.
  var base: Base?
  var offsets: [Offset] = []
  /// The weekday that is stated beside the date.
  var weekday: Weekday?

  /// Whether the offsets name a time, and not a day.
  var isExact: Bool {
    base == .now || offsets.contains { $0.unit == .minute || $0.unit == .hour }
  }
}

/// A time of day.
struct PhraseTime: Hashable, Sendable {
  /// The column of the time, from 1.
  let column: Int
  /// The hour from 0 through 24, or from 1 through 12 with a half.
  let hour: Int
  var minute = 0
  var second = 0
  /// Whether the time is in the afternoon; nil for the 24-hour clock.
  var isAfternoon: Bool?
  /// Whether the hour stands alone, so that it may be in the half of the end of its range.
  var isBare = false

  /// The seconds after midnight, from 0 through 86,400.
  var secondOfDay: Int {
    let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
    return hour * 3600 + minute * 60 + second
  }

  /// The time in the same half as another one, for `2-3pm`.
  func inHalf(of other: PhraseTime) -> PhraseTime {
    guard isBare, isAfternoon == nil, 1...12 ~= hour, let half = other.isAfternoon else {
      return self
    }
    var time = self
    time.isAfternoon = half
    if time.secondOfDay >= other.secondOfDay { time.isAfternoon = !half }
    return time
  }
}

/// The duration after `for`.
struct PhraseDuration: Hashable, Sendable {
  /// The column of the duration, from 1.
  let column: Int
  var days = 0
  var seconds = 0

  /// The maximum number of days, and of seconds.
  static let limit = 400_000_000

  /// Adds a number of units.
  ///
  /// - Returns: Whether the unit has a fixed length, and the sum is within the limit.
  mutating func add(_ count: Int, _ unit: DateWords.Unit) -> Bool {
    guard 0...Self.limit ~= count else { return false }
    switch unit {
    case .minute: seconds += count * 60
    case .hour: seconds += count * 3600
    case .day: days += count
    case .week: days += count * 7
    case .month, .year: return false
    }
    return days <= Self.limit && seconds <= Self.limit
  }
}
