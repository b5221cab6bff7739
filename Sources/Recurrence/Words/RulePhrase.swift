// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A phrase of a rule's description, which a ``RuleLanguage`` puts into words.
///
/// Phrases are in the order that most languages use: frequency, part of the year, days, times, end.
public enum RulePhrase: Hashable, Sendable {
  /// Every INTERVAL periods of FREQ.
  case every(Int, Frequency)
  /// In some months (BYMONTH).
  case months([MonthNumber])
  /// In some weeks of the year; negative numbers count from the end (BYWEEKNO).
  case weeks([Int])
  /// On some days of the year; negative numbers count from the end (BYYEARDAY).
  case yearDays([Int])
  /// On some days of the month; negative numbers count from the end (BYMONTHDAY).
  case monthDays([Int])
  /// On some weekdays of each week (BYDAY without ordinals).
  case weekdays([Weekday])
  /// On the n-th weekdays of a month or year (BYDAY with ordinals on some or all weekdays).
  case numberedWeekdays([WeekdayNumber], within: Frequency)
  /// Only on some weekdays, counted in a month or a year (BYDAY with other day parts).
  case ifWeekdays([WeekdayNumber], within: Frequency)
  /// At some times of the day (BYHOUR and BYMINUTE).
  case times([TimeOfDay])
  /// In some hours (BYHOUR).
  case hours([Int])
  /// At some minutes of an hour (BYMINUTE).
  case minutes([Int])
  /// At some seconds of a minute (BYSECOND).
  case seconds([Int])
  /// Only at some positions in each period; negative numbers count from the end (BYSETPOS).
  case positions([Int], in: Frequency)
  /// In weeks that start on another day than Monday, where that matters (WKST).
  case weekStart(Weekday)
  /// In another calendar (RSCALE).
  case calendar(String)
  /// On another day if the date does not exist (SKIP).
  case skip(RecurrenceRule.Skip)
  /// A number of times (COUNT).
  case count(Int)
  /// Until a moment (UNTIL).
  case until(RecurrenceRule.Until)
}

/// A language in which rules can be described.
///
/// To add a language, write a type that handles each ``RulePhrase``.
public protocol RuleLanguage: Sendable {
  /// The language code, such as `en` (RFC 5646).
  var code: String { get }

  /// Returns the text of a phrase.
  ///
  /// - Parameter phrase: The phrase.
  /// - Returns: The text, without surrounding punctuation.
  func words(for phrase: RulePhrase) -> String

  /// Joins phrases to a sentence.
  ///
  /// - Parameter phrases: The phrases of a rule in order, at least one.
  /// - Returns: The sentence, without a full stop.
  func sentence(of phrases: [RulePhrase]) -> String
}

extension RecurrenceRule {
  /// Describes the rule as a sentence for people.
  ///
  /// ```swift
  /// try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10").describe()
  /// // "every month on the last Friday, 10 times"
  /// ```
  ///
  /// - Parameter language: The language of the sentence.
  /// - Returns: The sentence, without a full stop.
  public func describe(in language: some RuleLanguage = EnglishRuleLanguage()) -> String {
    language.sentence(of: phrases)
  }

  /// Describes the rule from a start on, with the parts that only the start determines.
  ///
  /// ```swift
  /// let rule = try RecurrenceRule(parsing: "FREQ=YEARLY;BYMONTHDAY=1,15")
  /// rule.describe(from: try CivilDate(parsing: "20260804"))
  /// // "every year in August on the 1st and the 15th"
  /// ```
  ///
  /// - Parameters:
  ///   - start: The date of the start (DTSTART).
  ///   - options: The options of the expansion.
  ///   - language: The language of the sentence.
  /// - Returns: The sentence, without a full stop.
  public func describe(
    from start: CivilDate, options: RecurrenceOptions = RecurrenceOptions(),
    in language: some RuleLanguage = EnglishRuleLanguage()
  ) -> String {
    language.sentence(of: phrases(from: start, options: options))
  }

  /// The phrases of the description from a start on, with the parts that only it determines.
  ///
  /// A yearly rule with BYMONTHDAY and without BYMONTH has its days in the month of the start, or in
  /// all months; see ``RecurrenceOptions/yearlyMonthDays`` (RFC 5545 §3.3.10).
  ///
  /// - Parameters:
  ///   - start: The date of the start (DTSTART).
  ///   - options: The options of the expansion.
  /// - Returns: The phrases, in the order of a sentence.
  public func phrases(
    from start: CivilDate, options: RecurrenceOptions = RecurrenceOptions()
  ) -> [RulePhrase] {
    var phrases = phrases
    guard frequency == .yearly, rscale == nil, !byMonthDay.isEmpty, byMonth.isEmpty,
      byWeekNo.isEmpty, byYearDay.isEmpty
    else { return phrases }
    let isInMonthOfStart = options.yearlyMonthDays == .monthOfStart
    let months = isInMonthOfStart ? [start.month] : Array(1...12)
    phrases.insert(.months(months.map { MonthNumber($0) }), at: 1)
    return phrases
  }

  /// The phrases of the rule's description, in the order of a sentence.
  public var phrases: [RulePhrase] {
    var phrases = [RulePhrase.every(interval, frequency)]
    if let rscale { phrases.append(.calendar(rscale)) }
    if !byMonth.isEmpty { phrases.append(.months(byMonth)) }
    if !byWeekNo.isEmpty { phrases.append(.weeks(byWeekNo)) }
    if !byYearDay.isEmpty { phrases.append(.yearDays(byYearDay)) }
    if !byMonthDay.isEmpty { phrases.append(.monthDays(byMonthDay)) }
    if skip != .omit { phrases.append(.skip(skip)) }
    if !byDay.isEmpty { phrases.append(weekdayPhrase) }
    phrases += timePhrases
    if !bySetPos.isEmpty { phrases.append(.positions(bySetPos, in: frequency)) }
    if isSplitByWeeks { phrases.append(.weekStart(weekStart)) }
    if let count { phrases.append(.count(count)) }
    if let until { phrases.append(.until(until)) }
    return phrases
  }

  /// Whether the instances depend on WKST (RFC 5545 §3.3.10), and it is not Monday.
  private var isSplitByWeeks: Bool {
    guard weekStart != .monday else { return false }
    return frequency == .weekly && (interval > 1 || !bySetPos.isEmpty) && byDay.count > 1
      || frequency == .yearly && !byWeekNo.isEmpty
  }

  private var weekdayPhrase: RulePhrase {
    let isInMonth = frequency == .monthly || !byMonth.isEmpty
    let stretch = isInMonth ? Frequency.monthly : .yearly
    if !byMonthDay.isEmpty || !byYearDay.isEmpty { return .ifWeekdays(byDay, within: stretch) }
    guard byDay.contains(where: { $0.ordinal != nil }) else {
      return .weekdays(byDay.map(\.weekday))
    }
    return .numberedWeekdays(byDay, within: stretch)
  }

  /// The maximum number of times that are listed individually.
  private static let greatestTimeCount = 6

  private var timePhrases: [RulePhrase] {
    let count = byHour.count * byMinute.count
    if frequency >= .daily, bySecond.isEmpty, 1...RecurrenceRule.greatestTimeCount ~= count {
      return [
        .times(
          byHour.flatMap { hour in byMinute.compactMap { TimeOfDay(hour: hour, minute: $0) } })
      ]
    }
    var phrases: [RulePhrase] = []
    if !byHour.isEmpty { phrases.append(.hours(byHour)) }
    if !byMinute.isEmpty { phrases.append(.minutes(byMinute)) }
    if !bySecond.isEmpty { phrases.append(.seconds(bySecond)) }
    return phrases
  }
}
