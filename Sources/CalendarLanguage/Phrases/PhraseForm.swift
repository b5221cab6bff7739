// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// A parsed date phrase, before the current time is known.
struct PhraseForm: Hashable, Sendable {
  /// The separator of the two points of a range.
  enum Separator: Hashable, Sendable {
    /// A hyphen or a word, as in `fri 9-10:30` and `9 to 10:30 on friday`.
    case hyphen
    /// A word that also precedes a single time, as the `à` of `samedi 5 à 10h`.
    case at
    /// Two full stops, as in `mon..fri`.
    case points
    /// None, as in `fri 9:00 10:30` and `21 dec 31 dec`.
    case adjacent
  }

  /// A time zone of a phrase.
  struct Zone: Hashable, Sendable {
    /// The column of the zone, from 1.
    let column: Int
    let rules: ZoneRules
  }

  var start: PhrasePoint
  var separator: Separator?
  var end: PhrasePoint?
  var duration: PhraseDuration?
  var repetition: RepetitionPhrase?
  var zone: Zone?
  /// The part of the day of a repetition, as in `every morning`.
  var part: PhraseTime.Part?
  /// Whether the start is the beginning of a repetition, as in `every monday from 1 dec`.
  var isAnchor = false
  /// Whether the word before the start names a start alone, as `from` and `ab`.
  var isStart = false
  /// Whether the end of the repetition follows the start as that of a range does, so that its year
  /// is that of the start, too: `every friday from 1 jun to 30 jun 2028`.
  var sharesYear = false
  /// Whether the end of the repetition stands directly after the start, so that both may be a range:
  /// `every week from mon to thu`.
  var isBeforeEnd = false
  /// Whether a week follows both weekdays of the range, as in `fri to mon next week`.
  var sharesWeek = false
  /// Whether words such as `all day` ask for whole days.
  var isAllDay = false

  init(start: PhrasePoint = PhrasePoint(column: 1)) { self.start = start }

  /// Whether the form has a day or a time.
  var hasPoint: Bool { !start.isEmpty }

  /// Whether the form has a day.
  var hasDay: Bool { start.day != nil || start.moment != nil || end?.day != nil }

  /// The column of the first time of day, also that of a duration in hours; nil for none.
  var timeColumn: Int? {
    for point in [start, end].compactMap(\.self) {
      if let time = point.time { return time.column }
      if point.moment != nil || point.day?.isExact == true { return point.column }
    }
    return duration.flatMap { $0.seconds > 0 ? $0.column : nil }
  }

  /// Whether the zone follows the time at the end of a range.
  var hasZoneAfterEnd: Bool {
    guard let zone, let last = end?.time else { return false }
    return start.hasTime && last.column < zone.column
  }

  /// Whether the repetition names its days, and the form names no other one.
  var hasRepeatedDays: Bool {
    guard let repetition, !hasDay else { return false }
    return !repetition.days.isEmpty || !repetition.monthDays.isEmpty
  }

  /// Whether the form has an hour after midnight beside `night` and a day, which may be the day
  /// before or after the night; `tonight` and `every night` are known.
  var namesUnclearNight: Bool {
    guard start.isNight else { return false }
    guard let day = start.day else { return repetition.map { !$0.days.isEmpty } ?? false }
    return day.base != .day(0) || !day.offsets.isEmpty
  }

  /// Whether the form consists of hours alone, such as `9-10`.
  var isBareHours: Bool {
    guard repetition == nil, zone == nil, duration == nil, start.day == nil, end?.day == nil else {
      return false
    }
    return [start, end].compactMap(\.self).allSatisfy {
      $0.time?.isPlain == true && $0.time?.isAfternoon == nil
    }
  }
}

/// A day, a time, or both.
struct PhrasePoint: Hashable, Sendable {
  /// The column of the point, from 1.
  let column: Int
  var day: PhraseDay?
  var time: PhraseTime?
  /// A moment in iCalendar or RFC 3339 format instead of a day and a time.
  var moment: Moment?
  /// Whether the time is one of the hours after midnight of a night, as in `tonight 2am`.
  var isNight = false

  init(column: Int, day: PhraseDay? = nil) { (self.column, self.day) = (column, day) }

  var isEmpty: Bool { day == nil && time == nil && moment == nil }

  /// Whether the point has a time of day.
  var hasTime: Bool { time != nil || moment != nil || day?.isExact == true }
}

/// A day or a period, relative to the current time.
struct PhraseDay: Hashable, Sendable {
  /// The day before offsets are added.
  enum Base: Hashable, Sendable {
    case now
    case day(Int)
    /// A weekday, with its distance if a word states one.
    case weekday(Weekday, Int?)
    /// A weekday of a week, by the distance of the week from the current one.
    case weekdayOfWeek(Weekday, Int)
    /// A weekday of a month, counted from its first day, or from its last one if negative.
    case weekdayOfMonth(Weekday, ordinal: Int, month: Month)
    /// The first or the last day of a month.
    case edgeOfMonth(Month, isEnd: Bool)
    case date(CivilDate)
    case dateOfYear(month: Int, day: Int)
    /// The next day of a month with a number, as in `the 15th`.
    case dayOfMonth(Int)
    case month(Int, year: Int?)
    case period(DateWords.Unit, Int)
    /// Saturday and Sunday, by the distance of their week.
    case weekend(Int)
  }

  /// The month of a weekday.
  enum Month: Hashable, Sendable {
    case named(Int, year: Int?)
    case near(Int)
    /// The current one or the next one, whose day is not over.
    case coming
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

  /// Whether the day is a whole month or year.
  var isLongPeriod: Bool {
    guard offsets.isEmpty else { return false }
    switch base {
    case .month, .period(.month, _), .period(.year, _): return true
    default: return false
    }
  }

  /// Whether the day is a date in numbers or with the name of its month.
  var isDate: Bool {
    switch base {
    case .date, .dateOfYear: offsets.isEmpty
    default: false
    }
  }
}

/// A time of day.
struct PhraseTime: Hashable, Sendable {
  /// A part of the day.
  enum Part: String, Hashable, Sendable {
    case morning, midday, afternoon, evening, night
  }

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
  /// Whether the hour has one digit, or is on the clock of 12 hours, so that it has two readings.
  var isShort = false
  /// Whether the time is the word for midnight, which may be the beginning or the end of a day.
  var isMidnight = false
  /// Whether a word such as `Uhr` states the clock of 24 hours.
  var hasMark = false
  /// Whether the hour alone has no preposition either.
  var isPlain = false
  /// Whether a part of the day, such as `in the afternoon`, states its half.
  var hasPart = false
  /// Whether the hour beside minutes may be one of the clock of 12 hours, as in `3:20-3:40pm`.
  var mayBeTwelve = false

  init(column: Int, hour: Int) {
    (self.column, self.hour) = (column, hour)
  }

  /// The seconds after midnight, from 0 through 86,400.
  var secondOfDay: Int {
    let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
    return hour * 3600 + minute * 60 + second
  }

  /// Whether the time is before noon or after it, which the phrase does not state.
  var isAmbiguous: Bool { isShort && isAfternoon == nil && 1...8 ~= hour }

  /// The time in the same half as another one, for `2-3pm` and `3:20-3:40pm`.
  func inHalf(of other: PhraseTime) -> PhraseTime {
    // "de 2h à 4h de l'après-midi"
    let isOfPart = other.hasPart && hasMark
    guard isBare || mayBeTwelve || isOfPart, isAfternoon == nil, 1...12 ~= hour,
      let half = other.isAfternoon
    else {
      return self
    }
    var time = self
    time.isAfternoon = half
    if time.secondOfDay >= other.secondOfDay { time.isAfternoon = !half }
    return time
  }

  /// The time in the afternoon, as the end of a range whose start is there by the words for a part of
  /// the day: `friday evening 7:30-9:30`.
  func after(_ start: PhraseTime) -> PhraseTime {
    guard start.hasPart, isAfternoon == nil, 1...11 ~= hour, secondOfDay <= start.secondOfDay else {
      return self
    }
    var time = self
    time.isAfternoon = true
    (time.isShort, time.isBare) = (false, false)
    return time.secondOfDay > start.secondOfDay ? time : self
  }

  /// The time in a part of the day; nil if it is not in that part.
  func inPart(_ part: Part) -> PhraseTime? {
    if let isAfternoon {
      // "tomorrow morning 3pm" contradicts itself.
      switch part {
      case .morning: return isAfternoon ? nil : self
      case .afternoon: return isAfternoon ? self : nil
      // "tonight 2am" is after midnight.
      case .evening: return isAfternoon || hour % 12 < 6 ? self : nil
      case .midday, .night: return self
      }
    }
    let afternoon: Bool?
    switch (part, hour) {
    case (.morning, 0...11), (.night, 1...5), (.midday, 11): afternoon = hour == 0 ? nil : false
    case (.midday, 12), (.midday, 1...2), (.afternoon, 1...8), (.afternoon, 12),
      (.evening, 4...11), (.night, 6...11):
      afternoon = true
    case (.midday, 13...14), (.afternoon, 13...20), (.evening, 16...23), (.night, 18...23),
      (.night, 0):
      afternoon = nil
    default: return nil
    }
    var time = self
    time.isAfternoon = afternoon
    (time.isShort, time.isBare, time.hasPart) = (false, false, true)
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
