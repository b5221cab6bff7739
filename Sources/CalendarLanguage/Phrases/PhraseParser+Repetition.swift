// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

extension PhraseParser {
  /// The maximum number of weekdays in a list.
  private static let listLimit = 7

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
    if let rule = takeAlternation(column) { return Self.form(rule) }
    if let every = take(.every) {
      return try takeRest(ofEvery: column, skipsOne: every == "other")
    }
    if let form = takeWeeklyDays(column) { return form }
    _ = take(.on)
    if let rule = takeAlternation(column) { return Self.form(rule) }
    if let form = takeWeeklyDays(column) { return form }
    _ = take(.article)
    if let rule = takeAlternation(column) { return Self.form(rule) }
    if let form = takeWeeklyDays(column) { return form }
    return takeDayOfEveryMonth(column).map(Self.form)
  }

  /// Takes `mondays and thursdays` or `friday nights`; nil if the tokens are none.
  private mutating func takeWeeklyDays(_ column: Int) -> PhraseForm? {
    let start = tokens
    let isPlural = language.vocabulary.match(.plural, tokens) != nil
    guard let days = takeWeekdays() else { return nil }
    let part = take(.dayparts).flatMap(PhraseTime.Part.init)
    guard isPlural || part != nil else {
      tokens = start
      return nil
    }
    var form = Self.form(Self.weekly(days, column))
    form.repetition?.isPlural = true
    form.part = part
    return form
  }

  static func form(_ rule: RepetitionPhrase) -> PhraseForm {
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
  ///
  /// - Parameters:
  ///   - column: The column of the repetition.
  ///   - skipsOne: Whether the word before means every second one, as in `om de week`.
  /// - Returns: The form; nil if the tokens are none.
  /// - Throws: `DatePhraseError` if the words have several readings, or name no days.
  private mutating func takeRest(
    ofEvery column: Int, skipsOne: Bool
  ) throws(DatePhraseError) -> PhraseForm? {
    let rest = tokens
    if take(.workday) != nil { return Self.form(Self.weekly(RepetitionPhrase.workdays, column)) }
    if take(.weekend) != nil { return Self.form(Self.weekly([.saturday, .sunday], column)) }
    if let part = take(.daypart).flatMap(PhraseTime.Part.init) {
      var form = Self.form(RepetitionPhrase(column: column, .daily))
      form.part = part
      return form
    }
    if take(.fortnight) != nil {
      var rule = RepetitionPhrase(column: column, .weekly)
      rule.interval = 2
      takeDays(of: &rule)
      return Self.form(rule)
    }
    if let form = try takeOrdinalAfterEvery(column) { return form }
    tokens = rest
    if let rule = takeNumberedDay(column) { return Self.form(rule) }
    if let rule = try takeOrdinalUnits(column) { return Self.form(rule) }
    if let date = try date(), let form = Self.yearly(on: date, column) { return form }
    tokens = rest
    if let words = try? takeWords(), let form = Self.yearly(on: words, column) { return form }
    tokens = rest
    let interval = try takeInterval() ?? (skipsOne ? 2 : 1)
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
    let isEnglish = tokens.first?.word.map { EnglishDateWords.units[$0] != nil } ?? false
    // A letter such as "a" is a unit only after a number.
    guard interval > 1 || (tokens.first?.length ?? 0) > 1, let unit = takeUnit() else { return nil }
    guard let frequency = Self.frequency(of: unit) else {
      throw DatePhraseError(
        .invalid, column: column, "expected a repetition in days, weeks, months or years")
    }
    var rule = rule(every: interval, frequency, isEnglish: isEnglish, column)
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
  private mutating func takeOrdinalAfterEvery(
    _ column: Int
  ) throws(DatePhraseError) -> PhraseForm? {
    let (start, isNumber) = (tokens, tokens.first?.number != nil)
    if let (weekday, ordinal) = takeOrdinalWeekday() {
      if let rule = takeMonth(of: weekday, ordinal, column) { return Self.form(rule) }
      // "jeden zweiten Dienstag" is every other one.
      let isEnglish = start.first?.word == "second" && language.code != "fr"
      guard ordinal != 2 || isNumber || isEnglish else { return nil }
      var rule = RepetitionPhrase(column: column, .monthly)
      rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
      if ordinal > 1 {
        var other = Self.weekly([weekday], column)
        other.interval = ordinal
        throw unclear([other.text, rule.text], column, since: start)
      }
      return Self.form(rule)
    }
    guard !isOrdinalBeforeUnit, let days = takeMonthDays(.words) else { return nil }
    let isWord = start.first?.number == nil && days != [-1]
    let month = tokens
    _ = take(.of)
    if !takeMonthUnit() {
      tokens = month
      // "every 24th december" is a date, and "every second" needs a month.
      guard language.match(tokens) == nil, days != [-1], !isWord else { return nil }
    }
    var rule = RepetitionPhrase(column: column, .monthly)
    rule.monthDays = days
    return Self.form(rule)
  }

  /// The error of a repetition with several readings.
  func unclear(
    _ readings: [String], _ column: Int, since start: ArraySlice<PhraseToken>
  ) -> DatePhraseError {
    DatePhraseError(
      .ambiguous, column: column,
      "\"\(text(since: start))\" after \"every\" is ambiguous: write "
        + readings.joined(separator: " or "), readings: readings)
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

  private static func yearly(on base: PhraseDay.Base, _ column: Int) -> PhraseForm? {
    guard case .dateOfYear = base else { return nil }
    var form = form(RepetitionPhrase(column: column, .yearly))
    form.start.day = PhraseDay(column: column, base: base)
    return form
  }

  // MARK: Days

  /// Takes `on monday and thursday`, `on the 15th` or `on the first monday` after a repetition.
  mutating func takeDays(of rule: inout RepetitionPhrase) {
    let start = tokens
    guard rule.days.isEmpty else { return }
    // "alle zwei Wochen montags"
    if rule.frequency == .weekly, let days = takePlurals() {
      return rule.days = days.map { WeekdayNumber($0) }
    }
    if rule.frequency == .monthly, let days = takeMarkedMonthDays() { return rule.monthDays = days }
    guard take(.on) != nil else { return }
    _ = take(.article)
    switch rule.frequency {
    case .weekly:
      if let days = takeWeekdays() { return rule.days = days.map { WeekdayNumber($0) } }
    case .monthly, .yearly:
      if let (weekday, ordinal) = takeOrdinalWeekday() {
        if rule.frequency == .monthly {
          takeMonthAfterDay()
          return rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
        }
        if let yearly = takeMonth(of: weekday, ordinal, rule.column), yearly.month != nil {
          return (rule.days, rule.month) = (yearly.days, yearly.month)
        }
      } else if rule.frequency == .monthly, let days = takeMonthDays(.words) {
        takeMonthAfterDay()
        // "monthly on the 15th of december" is a date.
        let others = [PhraseConcept.of, .workday, .weekend]
        let isDate =
          others.contains { language.vocabulary.match($0, tokens) != nil }
          || language.match(tokens) != nil
        if !isDate { return rule.monthDays = days }
      }
    default: break
    }
    tokens = start
  }

  /// Takes weekdays with commas, `and` or nothing between them.
  ///
  /// A weekday before a date belongs to that date, unless a comma or `and` joins it to the others.
  mutating func takeWeekdays() -> [Weekday]? {
    guard let first = takeWeekday() else { return nil }
    if let days = takeWeekdays(from: first) { return days }
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

  /// Takes the other end of `monday to thursday`, and returns all days between; nil if the tokens are
  /// none.
  ///
  /// Words such as `until` state the end of a repetition.
  private mutating func takeWeekdays(from first: Weekday) -> [Weekday]? {
    let start = tokens
    let isUntil = language.vocabulary.match(.untilOnly, tokens) != nil
    if !isUntil, takeSign("-") || takeSign("–") || take(.to) != nil {
      _ = take(.article)
      if let last = takeWeekday(), last != first, !isAtDate {
        return (0...last.days(since: first)).compactMap { distance in
          Weekday.allCases.first { $0.days(since: first) == distance }
        }
      }
    }
    tokens = start
    return nil
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
}
