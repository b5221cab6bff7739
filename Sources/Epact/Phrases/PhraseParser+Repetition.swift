// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

extension PhraseParser {
  /// The maximum number of weekdays in a list, and of occurrences.
  private static let listLimit = 7
  private static let countLimit = 1_000_000

  /// Takes a repetition, or the end of the one before; nil if the tokens are none.
  mutating func takeRepetition() throws(DatePhraseError) -> PhraseForm? {
    if hasRepetition, let end = try takeEndOfRepetition() { return end }
    let start = tokens
    guard var form = try repetition() else {
      tokens = start
      return nil
    }
    frequency = form.repetition?.frequency
    if let end = try takeEndOfRepetition()?.repetition { _ = form.repetition?.joinEnd(of: end) }
    return form
  }

  /// Parses a repetition without its end.
  private mutating func repetition() throws(DatePhraseError) -> PhraseForm? {
    let (start, column) = (tokens, column)
    if let value = take(.adverb) {
      guard var rule = Self.rule(value, column) else {
        throw DatePhraseError(
          .ambiguous, column: column,
          "\"\(text(since: start))\" is ambiguous: write \"every 2 months\"",
          readings: ["every 2 months"])
      }
      takeDays(of: &rule)
      rule.isAdverb = rule.days.isEmpty && rule.monthDays.isEmpty
      return Self.form(rule)
    }
    if take(.every) != nil { return try takeRest(ofEvery: column) }
    if let days = takePlurals() { return Self.form(Self.weekly(days, column)) }
    _ = take(.on)
    if let days = takePlurals() { return Self.form(Self.weekly(days, column)) }
    _ = take(.article)
    return takeDayOfEveryMonth(column)
  }

  private static func form(_ rule: RepetitionPhrase) -> PhraseForm {
    var form = PhraseForm()
    form.repetition = rule
    return form
  }

  private static func weekly(_ days: [Weekday], _ column: Int) -> RepetitionPhrase {
    var rule = RepetitionPhrase(column: column, .weekly)
    rule.days = days.map { WeekdayNumber($0) }
    return rule
  }

  /// The repetition of a value of the table, such as `2w` or `SA SU`.
  private static func rule(_ value: String, _ column: Int) -> RepetitionPhrase? {
    let days = value.split(separator: " ").compactMap { weekday(String($0)) }
    guard days.isEmpty else { return weekly(days, column) }
    let frequencies: [Character: Frequency] = [
      "d": .daily, "w": .weekly, "m": .monthly, "y": .yearly,
    ]
    guard let unit = value.last.flatMap({ frequencies[$0] }), let interval = Int(value.dropLast())
    else { return nil }
    var rule = RepetitionPhrase(column: column, unit)
    rule.interval = interval
    return rule
  }

  // MARK: Every

  /// Takes what follows `every`: `2 weeks on monday`, `monday and thursday` or `last friday`.
  private mutating func takeRest(ofEvery column: Int) throws(DatePhraseError) -> PhraseForm? {
    let rest = tokens
    if take(.workday) != nil { return Self.form(Self.weekly(RepetitionPhrase.workdays, column)) }
    if take(.weekend) != nil { return Self.form(Self.weekly([.saturday, .sunday], column)) }
    if let part = take(.daypart).flatMap(PhraseTime.Part.init) {
      var form = Self.form(RepetitionPhrase(column: column, .daily))
      form.part = part
      return form
    }
    if let form = takeOrdinalAfterEvery(column) { return form }
    tokens = rest
    if let date = try date(), let form = Self.yearly(on: date, column) { return form }
    tokens = rest
    if let words = try? takeWords(), let form = Self.yearly(on: words, column) { return form }
    tokens = rest
    let interval = try takeInterval() ?? 1
    if let days = takeWeekdays() {
      var rule = Self.weekly(days, column)
      rule.interval = interval
      return Self.form(rule)
    }
    if take(.quarter) != nil {
      var rule = RepetitionPhrase(column: column, .monthly)
      rule.interval = 3 * interval
      return Self.form(rule)
    }
    // A letter such as "a" is a unit only after a number.
    guard interval > 1 || (tokens.first?.length ?? 0) > 1, let unit = takeUnit() else { return nil }
    let frequencies: [DateWords.Unit: Frequency] = [
      .day: .daily, .week: .weekly, .month: .monthly, .year: .yearly,
    ]
    guard let frequency = frequencies[unit] else {
      throw DatePhraseError(
        .invalid, column: column, "expected a repetition in days, weeks, months or years")
    }
    var rule = RepetitionPhrase(column: column, frequency)
    rule.interval = interval
    takeDays(of: &rule)
    return Self.form(rule)
  }

  /// Takes the number of units between two occurrences; nil without one.
  private mutating func takeInterval() throws(DatePhraseError) -> Int? {
    if take(.other) != nil { return 2 }
    let column = column
    let start = tokens
    guard !peekWord(["a", "an"]), let number = takeCount() else { return nil }
    guard 1...RepetitionPhrase.intervalLimit ~= number else {
      throw DatePhraseError(
        .invalid, column: column,
        "expected a number from 1 through \(RepetitionPhrase.intervalLimit), found \(number)")
    }
    guard tokens.first?.word != nil else {
      tokens = start
      return nil
    }
    return number
  }

  /// Takes `first monday of the month`, `last friday of december` or `15th of the month`.
  private mutating func takeOrdinalAfterEvery(_ column: Int) -> PhraseForm? {
    if let (weekday, ordinal) = takeOrdinalWeekday() {
      // "every second tuesday" is every other one; in a month it is the second one.
      if let rule = takeMonth(of: weekday, ordinal, column) { return Self.form(rule) }
      guard ordinal != 2 else { return nil }
      var rule = RepetitionPhrase(column: column, .monthly)
      rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
      return Self.form(rule)
    }
    guard let days = takeMonthDays(isPlain: false) else { return nil }
    let start = tokens
    _ = take(.of)
    if !takeMonthUnit() {
      tokens = start
      // "every 24th december" is a date.
      guard language.match(tokens) == nil, days != [-1] else { return nil }
    }
    var rule = RepetitionPhrase(column: column, .monthly)
    rule.monthDays = days
    return Self.form(rule)
  }

  /// Takes the month or the year after a weekday with a number.
  private mutating func takeMonth(
    of weekday: Weekday, _ ordinal: Int, _ column: Int
  ) -> RepetitionPhrase? {
    let start = tokens
    var rule = RepetitionPhrase(column: column, .monthly)
    rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
    if take(.of) != nil {
      if takeMonthUnit() { return rule }
      if let match = language.match(tokens) {
        for case .month(let month) in match.meanings {
          tokens = tokens.dropFirst(match.count)
          (rule.frequency, rule.month) = (.yearly, month)
          return rule
        }
      }
    }
    tokens = start
    return nil
  }

  /// Takes `month` or `the month`, also after `every`.
  private mutating func takeMonthUnit() -> Bool {
    let start = tokens
    _ = take(.every) ?? take(.article)
    if takeUnit() == .month { return true }
    tokens = start
    return false
  }

  private static func yearly(on base: PhraseDay.Base, _ column: Int) -> PhraseForm? {
    guard case .dateOfYear = base else { return nil }
    var form = form(RepetitionPhrase(column: column, .yearly))
    form.start.day = PhraseDay(column: column, base: base)
    return form
  }

  // MARK: Days

  /// Takes `on monday and thursday`, `on the 15th` or `on the first monday` after a repetition.
  private mutating func takeDays(of rule: inout RepetitionPhrase) {
    let start = tokens
    guard rule.days.isEmpty else { return }
    // "alle zwei Wochen montags"
    let isWeeks = rule.frequency == .daily && rule.interval % 7 == 0
    if rule.frequency == .weekly || isWeeks, let days = takePlurals() {
      // "alle 14 Tage montags"
      if isWeeks { (rule.frequency, rule.interval) = (.weekly, rule.interval / 7) }
      return rule.days = days.map { WeekdayNumber($0) }
    }
    guard take(.on) != nil else { return }
    _ = take(.article)
    switch rule.frequency {
    case .daily where isWeeks:
      if let days = takeWeekdays() {
        (rule.frequency, rule.interval) = (.weekly, rule.interval / 7)
        return rule.days = days.map { WeekdayNumber($0) }
      }
    case .weekly:
      if let days = takeWeekdays() { return rule.days = days.map { WeekdayNumber($0) } }
    case .monthly, .yearly:
      if let (weekday, ordinal) = takeOrdinalWeekday() {
        if rule.frequency == .monthly {
          return rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
        }
        if let yearly = takeMonth(of: weekday, ordinal, rule.column), yearly.month != nil {
          return (rule.days, rule.month) = (yearly.days, yearly.month)
        }
      } else if rule.frequency == .monthly, let days = takeMonthDays(isPlain: false) {
        // "monthly on the 15th of december" is a date.
        let isDate = language.vocabulary.match(.of, tokens) != nil || language.match(tokens) != nil
        if !isDate { return rule.monthDays = days }
      }
    default: break
    }
    tokens = start
  }

  /// Takes days of a month, such as `1st and 15th` and `last day`; the last one is -1.
  ///
  /// - Parameter isPlain: Whether numbers without the sign of an ordinal number are days.
  /// - Returns: The days; nil if the tokens are none.
  private mutating func takeMonthDays(isPlain: Bool) -> [Int]? {
    if let isEnd = takeEdge() { return [isEnd ? -1 : 1] }
    guard let first = takeMonthDay(isPlain: isPlain) else { return nil }
    var days = [first]
    while days.count < Self.monthDayLimit {
      let start = tokens
      _ = takeSign(",")
      _ = take(.and)
      _ = take(.on) ?? take(.article)
      guard tokens.count < start.count, let day = takeMonthDay(isPlain: isPlain),
        !days.contains(day)
      else {
        tokens = start
        break
      }
      days.append(day)
    }
    return days
  }

  /// The maximum number of days in a list.
  private static let monthDayLimit = 10

  /// Takes a number from 1 through 31.
  private mutating func takeMonthDay(isPlain: Bool) -> Int? {
    guard let token = tokens.first, token.length <= 2, let day = token.number, 1...31 ~= day else {
      return nil
    }
    let start = tokens
    tokens.removeFirst()
    if takeSign(".") || takeOrdinal() || isPlain { return day }
    tokens = start
    return nil
  }

  /// Takes weekdays with commas, `and` or nothing between them.
  ///
  /// A weekday before a date belongs to that date, unless a comma or `and` joins it to the others.
  private mutating func takeWeekdays() -> [Weekday]? {
    guard let first = takeWeekday() else { return nil }
    var days = [first]
    while days.count < Self.listLimit {
      let start = tokens
      _ = takeSign(",")
      _ = take(.and)
      _ = take(.on) ?? take(.article)
      let isJoined = tokens.count < start.count
      guard let next = takeWeekday(), isJoined || !days.contains(next) && !isAtDate else {
        tokens = start
        break
      }
      if !days.contains(next) { days.append(next) }
    }
    return days
  }

  /// Whether a date such as `2 dec` follows, or a month.
  private var isAtDate: Bool {
    var parser = self
    if ((try? parser.date()) ?? nil) != nil { return true }
    return (language.match(tokens)?.meanings ?? []).contains { meaning in
      if case .month = meaning { true } else { false }
    }
  }

  /// Takes weekdays of which the first one is in its plural, such as `mondays and thursdays`.
  private mutating func takePlurals() -> [Weekday]? {
    language.vocabulary.match(.plural, tokens) == nil ? nil : takeWeekdays()
  }

  /// Takes `first monday of every month` or `15th of every month`.
  private mutating func takeDayOfEveryMonth(_ column: Int) -> PhraseForm? {
    var rule = RepetitionPhrase(column: column, .monthly)
    if let (weekday, ordinal) = takeOrdinalWeekday() {
      rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
    } else if let days = takeMonthDays(isPlain: true) {
      rule.monthDays = days
    } else {
      return nil
    }
    _ = take(.of)
    guard take(.every) != nil, takeUnit() == .month else { return nil }
    return Self.form(rule)
  }

  // MARK: End

  /// Takes `until 18 dec` or `10 times`; nil if the tokens are none.
  ///
  /// - Parameter isDirect: Whether the repetition is the part before, so that "for 3 days" is unclear.
  /// - Returns: The end; nil if the tokens are none.
  /// - Throws: `DatePhraseError` if a length of time has two readings.
  mutating func takeEndOfRepetition(
    isDirect: Bool = true
  ) throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    var rule = RepetitionPhrase(column: column, .daily)
    rule.isEnd = true
    _ = takeSign(",")
    if take(.until) != nil, let day = try untilDay() {
      rule.until = day
      return Self.form(rule)
    }
    tokens = start
    let hasFor = take(.for) != nil
    if let count = takeCount() {
      // "2 times a week" is no number of occurrences.
      if take(.times) != nil, language.frequencyUnit(tokens) == nil {
        guard 1...Self.countLimit ~= count else {
          throw DatePhraseError(
            .invalid, column: rule.column, "expected from 1 through \(Self.countLimit) times")
        }
        rule.count = count
        return Self.form(rule)
      }
      if hasFor, let unit = takeUnit(), unit != .minute, unit != .hour {
        if let frequency, Self.size(of: unit) >= Self.size(of: frequency) {
          // The last day of the units from the start on.
          var day = PhraseDay(column: rule.column)
          day.offsets = [
            PhraseDay.Offset(count: count, unit: unit), PhraseDay.Offset(count: -1, unit: .day),
          ]
          rule.until = day
          return Self.form(rule)
        }
        guard isDirect else {
          tokens = start
          return nil
        }
        throw DatePhraseError(
          .ambiguous, column: rule.column,
          "\"\(text(since: start))\" after a repetition is ambiguous: write until and a date, or "
            + "a number of times", readings: ["\(count) times"])
      }
    }
    tokens = start
    return nil
  }

  private static func size(of unit: DateWords.Unit) -> Int {
    switch unit {
    case .minute, .hour, .day: 1
    case .week: 2
    case .month: 3
    case .year: 4
    }
  }

  private static func size(of frequency: Frequency) -> Int {
    switch frequency {
    case .weekly: 2
    case .monthly: 3
    case .yearly: 4
    default: 1
    }
  }

  /// Parses the day after `until`; nil if the tokens are none.
  mutating func untilDay() throws(DatePhraseError) -> PhraseDay? {
    let start = tokens
    _ = take(.on) ?? take(.article)
    if let moment = takeMoment() {
      guard case .date(let date) = moment else {
        tokens = start
        return nil
      }
      return PhraseDay(column: column, base: .date(date))
    }
    if let day = try day(), !day.isExact { return day }
    tokens = start
    return nil
  }
}
