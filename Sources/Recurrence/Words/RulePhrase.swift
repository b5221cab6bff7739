// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A piece of what a rule says, which a ``RuleLanguage`` puts into words.
///
/// Phrases come in the order in which most languages say them: how often, in which part of the year, on
/// which days, at which times, how long.
public enum RulePhrase: Hashable, Sendable {
  /// Every so many periods (FREQ and INTERVAL).
  case every(Int, Frequency)
  /// In some months (BYMONTH).
  case months([MonthNumber])
  /// In some weeks of the year, negative ones from its end (BYWEEKNO).
  case weeks([Int])
  /// On some days of the year, negative ones from its end (BYYEARDAY).
  case yearDays([Int])
  /// On some days of the month, negative ones from its end (BYMONTHDAY).
  case monthDays([Int])
  /// On some weekdays of each week (BYDAY without numbers).
  case weekdays([Weekday])
  /// On some weekdays, counted in a month or a year (BYDAY with numbers), and on all of others.
  case numberedWeekdays([WeekdayNumber], within: Frequency)
  /// Only if the day is one of some weekdays, counted in a month or a year (BYDAY beside other days).
  case ifWeekdays([WeekdayNumber], within: Frequency)
  /// At some times of the day (BYHOUR and BYMINUTE).
  case times([TimeOfDay])
  /// In some hours (BYHOUR).
  case hours([Int])
  /// At some minutes of an hour (BYMINUTE).
  case minutes([Int])
  /// At some seconds of a minute (BYSECOND).
  case seconds([Int])
  /// Of all this, only some in each period, negative ones from its end (BYSETPOS).
  case positions([Int], in: Frequency)
  /// In another calendar (RSCALE).
  case calendar(String)
  /// On another day if there is none such (SKIP).
  case skip(RecurrenceRule.Skip)
  /// So many times (COUNT).
  case count(Int)
  /// Until some moment (UNTIL).
  case until(RecurrenceRule.Until)
}

/// A language in which rules are told to people.
///
/// To add one, write a type that says each ``RulePhrase``; nothing else of the library has words.
public protocol RuleLanguage: Sendable {
  /// The code of the language, such as `en` (RFC 5646).
  var code: String { get }

  /// Puts a phrase into words.
  ///
  /// - Parameter phrase: What is to be said.
  /// - Returns: The words, without punctuation around them.
  func words(for phrase: RulePhrase) -> String

  /// Makes a sentence of phrases.
  ///
  /// - Parameter phrases: The phrases of a rule in order, at least one.
  /// - Returns: The sentence, without a full stop.
  func sentence(of phrases: [RulePhrase]) -> String
}

extension RecurrenceRule {
  /// The rule as a sentence for people.
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

  /// What the rule says, in the order in which people say it.
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
    if let count { phrases.append(.count(count)) }
    if let until { phrases.append(.until(until)) }
    return phrases
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

  /// The most times that are listed one by one.
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
