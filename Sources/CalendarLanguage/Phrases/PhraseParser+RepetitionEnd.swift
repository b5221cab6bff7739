// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

// MARK: The end of a repetition

extension PhraseParser {
  /// The maximum number of occurrences.
  private static let countLimit = 1_000_000

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
    if take(.until) != nil, let point = try untilPoint() {
      rule.until = point
      return Self.form(rule)
    }
    tokens = start
    if let count = takeCountWord() {
      rule.count = count
      return Self.form(rule)
    }
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
          rule.until = PhrasePoint(column: day.column, day: day)
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

  /// Takes `zehnmal` as a number of occurrences, but not `zweimal pro Woche`; nil if the tokens are none.
  private mutating func takeCountWord() -> Int? {
    let start = tokens
    if let count = take(.frequency).flatMap(Int.init), language.frequencyUnit(tokens) == nil {
      return count
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

  /// Parses the day after `until`, with a time if the occurrences have one already: `daily 10:00 until
  /// 24 dec at noon`; nil if the tokens are none.
  ///
  /// Without a time before it, the time is that of each occurrence.
  mutating func untilPoint() throws(DatePhraseError) -> PhrasePoint? {
    let (start, column) = (tokens, column)
    if let moment = takeMoment() {
      var point = PhrasePoint(column: column)
      if case .date = moment { tokens = start } else { point.moment = moment }
      if point.moment != nil { return point }
    }
    guard let day = try untilDay() else { return nil }
    let rest = tokens
    guard hasTime else { return PhrasePoint(column: day.column, day: day) }
    tokens = start
    _ = take(.on) ?? take(.article)
    let point = try point(allowsHour: false)
    // "until 24 dec 12:00-13:00" has the times of each occurrence.
    let isRange = peekSign("-") || peekSign("..")
    guard point.day == day, point.time != nil, !isRange else {
      tokens = rest
      return PhrasePoint(column: day.column, day: day)
    }
    return point
  }

  /// Parses a day; nil if the tokens are none, or a time.
  mutating func untilDay() throws(DatePhraseError) -> PhraseDay? {
    let start = tokens
    _ = take(.on) ?? take(.article)
    let column = column
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
