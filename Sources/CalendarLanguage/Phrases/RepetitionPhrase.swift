// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

/// A repetition as people write it: `every 2 weeks on monday until 18 dec`.
struct RepetitionPhrase: Hashable, Sendable {
  /// The maximum interval.
  static let intervalLimit = 999

  /// The column of the repetition, from 1.
  let column: Int
  var frequency: Frequency
  var interval = 1
  /// The days of the week, with their number in the month or the year.
  var days: [WeekdayNumber] = []
  /// The days of the month; -1 is the last one.
  var monthDays: [Int] = []
  /// The month of a yearly repetition.
  var month: Int?
  /// The number of occurrences.
  var count: Int?
  /// The last day, or the last time.
  var until: PhrasePoint?
  /// Whether the phrase is `mondays`, which an interval may follow.
  var isPlural = false
  /// Whether the phrase is an interval of 15 days, which is two weeks beside a weekday.
  var isFifteenDays = false
  /// Whether the phrase is one word that may be an adjective, such as `weekly`.
  var isAdverb = false

  /// Creates a repetition.
  init(column: Int, _ frequency: Frequency) {
    (self.column, self.frequency) = (column, frequency)
  }

  /// Creates the repetition of a rule; nil if no phrase describes it.
  init?(_ rule: RecurrenceRule) {
    self.init(column: 1, rule.frequency)
    (interval, days) = (rule.interval, rule.byDay)
    (monthDays, month) = (rule.byMonthDay, rule.byMonth.first?.number)
    let known = "\(rule)".split(separator: ";").filter {
      !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=")
    }
    guard isPhrase, known.joined(separator: ";") == ruleText else { return nil }
  }

  /// Whether the grammar has a form for the parts.
  private var isPhrase: Bool {
    guard frequency >= .daily, 1...Self.intervalLimit ~= interval else { return false }
    guard let first = days.first else {
      guard !monthDays.isEmpty else { return month == nil }
      return frequency == .monthly && month == nil
        && (monthDays == [-1] || monthDays.allSatisfy { 1...31 ~= $0 })
    }
    guard monthDays.isEmpty else { return false }
    guard let ordinal = first.ordinal else {
      return frequency == .weekly && month == nil && days.allSatisfy { $0.ordinal == nil }
    }
    guard days.count == 1, Self.ordinals[ordinal] != nil else { return false }
    return month == nil ? frequency == .monthly : frequency == .yearly
  }

  /// The text of the rule (RFC 5545 §3.3.10), without its end.
  var ruleText: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if !days.isEmpty { parts.append("BYDAY=" + days.map(\.description).joined(separator: ",")) }
    if !monthDays.isEmpty {
      parts.append("BYMONTHDAY=" + monthDays.map(String.init).joined(separator: ","))
    }
    if let month { parts.append("BYMONTH=\(month)") }
    return parts.joined(separator: ";")
  }

  /// Adds the end of another one, which has nothing else.
  mutating func joinEnd(of other: RepetitionPhrase) -> Bool {
    guard other.isEnd, (count == nil && until == nil) else { return false }
    (count, until) = (other.count, other.until)
    return true
  }

  /// Adds the interval of `fridays every two weeks`.
  ///
  /// - Returns: Whether one of the phrases names the weekdays and the other one only the weeks.
  mutating func joinInterval(of other: RepetitionPhrase) -> Bool {
    let (plural, weeks) = isPlural ? (self, other) : (other, self)
    guard plural.isPlural, plural.interval == 1, !weeks.isEnd, weeks.frequency == .weekly,
      weeks.days.isEmpty, weeks.interval > 1, count == nil, until == nil
    else { return false }
    var joined = plural
    joined.interval = weeks.interval
    (joined.count, joined.until) = (other.count, other.until)
    joined.isPlural = false
    self = joined
    return true
  }

  /// The readings of 15 days without a weekday; nil for other repetitions.
  var readingsOfFifteenDays: [String]? {
    isFifteenDays && days.isEmpty ? [text, "every 15 days"] : nil
  }

  /// Whether this is only the end of a repetition.
  var isEnd = false

  /// Whether an occurrence can be on a date, for the first interval.
  func matches(_ date: CivilDate) -> Bool {
    if let month, date.month != month { return false }
    if !monthDays.isEmpty {
      let length = CivilDate.daysInMonth(date.month, of: date.year)
      guard monthDays.contains(where: { date.day == ($0 < 0 ? length + 1 + $0 : $0) }) else {
        return false
      }
    }
    guard !days.isEmpty else { return true }
    return days.contains { number in
      guard number.weekday == date.weekday else { return false }
      guard let ordinal = number.ordinal else { return true }
      let length = CivilDate.daysInMonth(date.month, of: date.year)
      return ordinal > 0
        ? (date.day - 1) / 7 + 1 == ordinal : (length - date.day) / 7 + 1 == -ordinal
    }
  }

  /// The first date that matches, from a date on; nil if there is none in ten years.
  func first(from date: CivilDate) -> CivilDate? {
    (0...3660).lazy.compactMap { date.adding(days: $0) }.first { matches($0) }
  }

  /// The number of days after which an occurrence is repeated, at least.
  var period: Int {
    switch frequency {
    case .daily: interval
    case .weekly: days.count > 1 ? 1 : 7 * interval
    case .monthly: monthDays.count > 1 ? 1 : 28 * interval
    default: 365 * interval
    }
  }
}

extension PhraseForm {
  /// The error of a weekday after a repetition in months or years, as in `every month on friday`; nil
  /// for others.
  ///
  /// Before it, the weekday is the first occurrence, as in `friday 10:00 monthly`.
  var weekdayInMonths: DatePhraseError? {
    guard let rule = repetition, rule.frequency == .monthly || rule.frequency == .yearly,
      rule.days.isEmpty, rule.monthDays.isEmpty, !isAnchor, let day = start.day,
      day.column > rule.column, day.weekday == nil, day.offsets.isEmpty,
      case .weekday(let weekday, nil) = day.base
    else { return nil }
    let name = EnglishDateWords.name(of: weekday).lowercased()
    var readings = ["\(rule.text) from \(name)"]
    if rule.frequency == .monthly {
      let isEach = rule.interval == 1
      readings.append(
        isEach ? "every first \(name) of the month" : "\(rule.text) on the first \(name)")
    }
    return DatePhraseError(
      .ambiguous, column: day.column,
      "a weekday after \"\(rule.text)\" needs its number or a date: write "
        + readings.joined(separator: " or "), readings: readings)
  }
}

// MARK: Words

extension RepetitionPhrase {
  /// The English text without an end, which is a phrase for the same repetition.
  var text: String {
    let unit = Self.units[frequency, default: "day"]
    let names = Self.list(days.map { EnglishDateWords.name(of: $0.weekday) })
    if !monthDays.isEmpty, days.isEmpty {
      let numbers = Self.list(monthDays.map { $0 < 0 ? "last day" : Self.ordinal($0) })
      return "\(every(unit)) on the \(numbers)"
    }
    guard let first = days.first else {
      return interval == 1 ? Self.adverbs[frequency, default: "daily"] : every(unit)
    }
    if let ordinal = first.ordinal {
      let place = "\(Self.ordinals[ordinal, default: "first"]) \(names)"
      if let month {
        let name = EnglishDateWords.name(ofMonth: month)
        return interval == 1
          ? "every \(place) of \(name)" : "\(every(unit)) on the \(place) of \(name)"
      }
      return interval == 1 ? "every \(place) of the month" : "\(every(unit)) on the \(place)"
    }
    guard interval == 1 else { return "\(every(unit)) on \(names)" }
    return days.map(\.weekday) == Self.workdays ? "weekdays" : "every \(names)"
  }

  private func every(_ unit: String) -> String {
    interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
  }

  static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  private static let units: [Frequency: String] = [
    .daily: "day", .weekly: "week", .monthly: "month", .yearly: "year",
  ]

  private static let adverbs: [Frequency: String] = [
    .daily: "daily", .weekly: "weekly", .monthly: "monthly", .yearly: "yearly",
  ]

  private static let ordinals = [
    1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "penultimate",
  ]

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 10, number / 10) {
      case (1, 0), (1, 2), (1, 3): "st"
      case (2, 0), (2, 2): "nd"
      case (3, 0), (3, 2): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }

  private static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
