// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

// MARK: Every second one

extension PhraseParser {
  /// What a repetition repeats: weekdays, or a unit.
  private enum Repeated: Equatable {
    case weekdays([Weekday])
    case unit(Frequency)
  }

  /// The languages in which 15 days are two weeks, as in `tous les quinze jours`.
  static let fifteenDayLanguages: Set<String> = ["fr", "es", "it", "pt"]

  /// Takes `alternate fridays`, `un vendredi sur deux`, `un venerdì sì e uno no` or
  /// `sexta sim, sexta não`; nil if the tokens are none.
  mutating func takeAlternation(_ column: Int) -> RepetitionPhrase? {
    let start = tokens
    let isPrefixed = take(.alternate) != nil
    let isSingle = !isPrefixed && takeSingle()
    if !isPrefixed, !isSingle {
      // "a giorni alterni", "en semanas alternas"
      let isPlural = language.vocabulary.match(.plural, tokens) != nil
      if !isPlural { _ = take(.to) ?? take(.within) ?? take(.on) ?? take(.article) }
    }
    guard let repeated = takeRepeated(),
      let interval = isPrefixed ? 2 : takeIntervalAfter(repeated, isSingle: isSingle)
    else {
      tokens = start
      return nil
    }
    return Self.rule(repeated, interval, column)
  }

  private mutating func takeSingle() -> Bool {
    let start = tokens
    if take(.number) == "1" { return true }
    tokens = start
    return false
  }

  private mutating func takeRepeated() -> Repeated? {
    if let days = takeWeekdays() { return .weekdays(days) }
    // A letter such as "a" is a unit only after a number.
    guard (tokens.first?.length ?? 0) > 1, let unit = takeUnit() else { return nil }
    return Self.frequency(of: unit).map(Repeated.unit)
  }

  /// The interval that follows what is repeated.
  ///
  /// - Parameters:
  ///   - repeated: What is repeated.
  ///   - isSingle: Whether a word for one precedes, so that "ogni due" may follow.
  /// - Returns: The interval; nil if the tokens are none.
  private mutating func takeIntervalAfter(_ repeated: Repeated, isSingle: Bool) -> Int? {
    if take(.alternateAfter) != nil { return 2 }
    let start = tokens
    if isSingle, take(.outOf) != nil, let count = takeCount(),
      2...RepetitionPhrase.intervalLimit ~= count
    {
      return count
    }
    tokens = start
    guard take(.yes) != nil else { return nil }
    _ = takeSign(",")
    _ = take(.and)
    if take(.otherOne) == nil {
      let other = tokens
      if takeRepeated() != repeated { tokens = other }
    }
    guard take(.no) != nil else {
      tokens = start
      return nil
    }
    return 2
  }

  private static func rule(
    _ repeated: Repeated, _ interval: Int, _ column: Int
  ) -> RepetitionPhrase {
    var rule: RepetitionPhrase
    switch repeated {
    case .weekdays(let days):
      rule = RepetitionPhrase(column: column, .weekly)
      rule.days = days.map { WeekdayNumber($0) }
    case .unit(let frequency): rule = RepetitionPhrase(column: column, frequency)
    }
    rule.interval = interval
    return rule
  }

  /// The frequency of a unit; nil for hours and minutes.
  static func frequency(of unit: DateWords.Unit) -> Frequency? {
    switch unit {
    case .minute, .hour: nil
    case .day: .daily
    case .week: .weekly
    case .month: .monthly
    case .year: .yearly
    }
  }

  /// The repetition with an interval of units; whole weeks are weeks.
  func rule(
    every interval: Int, _ frequency: Frequency, isEnglish: Bool, _ column: Int
  ) -> RepetitionPhrase {
    var rule = RepetitionPhrase(column: column, frequency)
    rule.interval = interval
    guard frequency == .daily else { return rule }
    // "every 15 days" are 15 days in each language.
    if interval == 15, !isEnglish, Self.fifteenDayLanguages.contains(language.code) {
      (rule.frequency, rule.interval, rule.isFifteenDays) = (.weekly, 2, true)
    } else if interval % 7 == 0 {
      (rule.frequency, rule.interval) = (.weekly, interval / 7)
    }
    return rule
  }
}

// MARK: Ordinal numbers

extension PhraseParser {
  /// Whether an ordinal number stands before a unit, as in `every third month`.
  var isOrdinalBeforeUnit: Bool {
    var rest = self
    return rest.takeOrdinalInterval() != nil
  }

  /// Takes `third month` or `3rd week on friday` after "every"; nil if the tokens are none.
  ///
  /// - Throws: `DatePhraseError` for `second day of the month`, which may be an interval.
  mutating func takeOrdinalUnits(_ column: Int) throws(DatePhraseError) -> RepetitionPhrase? {
    let start = tokens
    guard let interval = takeOrdinalInterval() else { return nil }
    if take(.quarter) != nil {
      var rule = RepetitionPhrase(column: column, .monthly)
      rule.interval = 3 * interval
      return rule
    }
    let isEnglish = tokens.first?.word.map { EnglishDateWords.units[$0] != nil } ?? false
    guard let unit = takeUnit(), let frequency = Self.frequency(of: unit) else {
      tokens = start
      return nil
    }
    var rule = rule(every: interval, frequency, isEnglish: isEnglish, column)
    let rest = tokens
    if unit == .day, take(.of) != nil, takeMonthUnit(), 1...31 ~= interval {
      var day = RepetitionPhrase(column: column, .monthly)
      day.monthDays = [interval]
      throw unclear([rule.text, day.text], column, since: start)
    }
    tokens = rest
    takeDays(of: &rule)
    return rule
  }

  /// Takes an ordinal number from 2 before a unit, in words or digits.
  private mutating func takeOrdinalInterval() -> Int? {
    let start = tokens
    var number = take(.nth).flatMap(Int.init)
    if number == nil, let token = tokens.first, token.length <= 3, let digits = token.number {
      tokens.removeFirst()
      if takeSign(".") || takeOrdinal() { number = digits }
    }
    if let number, 2...RepetitionPhrase.intervalLimit ~= number, isUnitOfInterval { return number }
    tokens = start
    return nil
  }

  /// Whether the tokens are a unit of days or more; the Polish genitive follows a day of the month.
  private var isUnitOfInterval: Bool {
    if language.vocabulary.match(.quarter, tokens) != nil { return true }
    guard (tokens.first?.length ?? 0) > 1, !peekWord(["miesiąca", "miesiaca"]) else { return false }
    var rest = self
    return rest.takeUnit().flatMap(Self.frequency) != nil
  }
}

// MARK: Days of a month

extension PhraseParser {
  /// The maximum number of days in a list.
  private static let monthDayLimit = 10

  /// The words between the number of a day and its month.
  private static let dayMarks: Set<String> = [
    "dnia", "числа", "число", "日", "号", "號", "일", "일에",
  ]

  /// The numbers that are days of a month.
  enum MonthDayForm {
    /// Those with the sign of an ordinal number.
    case ordinal
    /// These, and words such as `first`.
    case words
    /// All numbers and words.
    case all
  }

  /// Takes days of a month, such as `1st and 15th` and `last day`; the last one is -1.
  ///
  /// - Parameter kind: The numbers that are days.
  /// - Returns: The days; nil if the tokens are none.
  mutating func takeMonthDays(_ kind: MonthDayForm) -> [Int]? {
    if let isEnd = takeEdge() { return [isEnd ? -1 : 1] }
    guard let first = takeMonthDay(kind) else { return nil }
    var days = [first]
    while days.count < Self.monthDayLimit {
      let start = tokens
      _ = takeSign(",")
      _ = take(.and)
      _ = take(.on) ?? take(.article)
      guard tokens.count < start.count, let day = takeMonthDay(kind), !days.contains(day) else {
        tokens = start
        break
      }
      days.append(day)
    }
    return days
  }

  /// Takes a number from 1 through 31, or its word.
  private mutating func takeMonthDay(_ kind: MonthDayForm) -> Int? {
    let start = tokens
    if let token = tokens.first, token.length <= 2, let day = token.number, 1...31 ~= day {
      tokens.removeFirst()
      let isOrdinal = takeSign(".") || takeOrdinal()
      let hasMark = takeDayMark()
      if isOrdinal || hasMark || kind == .all { return day }
      tokens = start
      return nil
    }
    guard kind != .ordinal else { return nil }
    if let day = take(.monthDay).flatMap(Int.init) {
      _ = takeDayMark()
      return day
    }
    guard kind == .all, let day = take(.number).flatMap(Int.init), 1...31 ~= day else {
      tokens = start
      return nil
    }
    return day
  }

  private mutating func takeDayMark() -> Bool {
    guard peekWord(Self.dayMarks) else { return false }
    tokens.removeFirst()
    return true
  }

  /// Takes the days of `每月1日` and `cada día 15`, whose numbers have no sign of an ordinal number.
  mutating func takeMarkedMonthDays() -> [Int]? {
    guard let token = tokens.first, token.length <= 2, let day = token.number, 1...31 ~= day,
      self.token(after: 1)?.word.map(Self.dayMarks.contains) == true
    else { return nil }
    tokens = tokens.dropFirst(2)
    return [day]
  }

  /// Takes `día 15` after "every", which is a day of each month; nil if the tokens are none.
  mutating func takeNumberedDay(_ column: Int) -> RepetitionPhrase? {
    let start = tokens
    guard ["es", "pt"].contains(language.code), takeUnit() == .day || take(.on) != nil,
      !isTime(after: 1) || tokens.first?.number == nil, !isRangeOfHours,
      let days = takeMonthDays(.all)
    else {
      tokens = start
      return nil
    }
    takeMonthAfterDay()
    var rule = RepetitionPhrase(column: column, .monthly)
    rule.monthDays = days
    return rule
  }

  /// Takes `of the month` after a day of it.
  mutating func takeMonthAfterDay() {
    let start = tokens
    _ = take(.of)
    if !takeMonthUnit() { tokens = start }
  }

  /// Takes `month` or `the month`, also after `every`.
  mutating func takeMonthUnit() -> Bool {
    let start = tokens
    _ = take(.every) ?? take(.article)
    if takeUnit() == .month { return true }
    tokens = start
    return false
  }

  /// Takes `first monday of every month` or `15th of every month`.
  mutating func takeDayOfEveryMonth(_ column: Int) -> RepetitionPhrase? {
    var rule = RepetitionPhrase(column: column, .monthly)
    let start = tokens
    if let (weekday, ordinal) = takeOrdinalWeekday() {
      rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
    } else if let days = takeMonthDays(.all) {
      rule.monthDays = days
    } else {
      return nil
    }
    _ = take(.of)
    guard take(.every) != nil, takeUnit() == .month else {
      tokens = start
      return nil
    }
    return rule
  }
}
