// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

// MARK: Weekdays and edges of a month

extension PhraseParser {
  /// Takes `first monday of december` or `last friday of next month`.
  mutating func takeWeekdayOfMonth() throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    if let (weekday, ordinal) = takeOrdinalWeekday() {
      let hasOf = take(.of) != nil
      if hasOf, take(.every) == nil, let distance = takeNearWord(), takeUnit() == .month {
        return .weekdayOfMonth(weekday, ordinal: ordinal, month: .near(distance))
      }
      tokens = start
      _ = takeOrdinalWeekday()
      _ = take(.of)
      let name = tokens
      _ = take(.article)
      if take(.every) == nil, takeUnit() == .month {
        return .weekdayOfMonth(weekday, ordinal: ordinal, month: .coming)
      }
      tokens = name
      if let match = language.match(tokens) {
        for case .month(let month) in match.meanings {
          tokens = tokens.dropFirst(match.count)
          let year = takeYearAfterOf()
          return .weekdayOfMonth(weekday, ordinal: ordinal, month: .named(month, year: year))
        }
      }
    }
    tokens = start
    return nil
  }

  /// Takes `first monday`, `last friday` or `2nd tue`.
  mutating func takeOrdinalWeekday() -> (weekday: Weekday, ordinal: Int)? {
    let start = tokens
    var ordinal = take(.ordinal).flatMap(Int.init)
    if ordinal == nil, let token = tokens.first, token.length == 1, let number = token.number,
      1...5 ~= number
    {
      tokens.removeFirst()
      ordinal = takeSign(".") || takeOrdinal() ? number : nil
    }
    if let ordinal, let weekday = takeWeekday() { return (weekday, ordinal) }
    tokens = start
    return nil
  }

  /// Takes `last day of the month`, `first day of january` or `end of january`; nil if the tokens
  /// are none.
  mutating func takeEdgeOfMonth() -> PhraseDay.Base? {
    let start = tokens
    if let isEnd = takeEdge(), let month = takeMonth() {
      return .edgeOfMonth(month, isEnd: isEnd)
    }
    tokens = start
    return nil
  }

  /// Takes the first or the last day, before its month; true for the last one.
  mutating func takeEdge() -> Bool? {
    let start = tokens
    _ = take(.article)
    if let ordinal = take(.ordinal).flatMap(Int.init), abs(ordinal) == 1, takeUnit() == .day {
      return ordinal < 0
    }
    tokens = start
    return take(.monthEnd) == nil ? nil : true
  }

  /// Takes `the month`, `next month` or the name of a month with its year.
  private mutating func takeMonth() -> PhraseDay.Month? {
    _ = take(.of)
    let start = tokens
    if let distance = takeNearWord(), takeUnit() == .month { return .near(distance) }
    tokens = start
    _ = take(.article)
    if takeUnit() == .month { return .coming }
    tokens = start
    guard let match = language.match(tokens) else { return nil }
    for meaning in match.meanings {
      switch meaning {
      case .month(let month):
        tokens = tokens.dropFirst(match.count)
        return .named(month, year: takeYearAfterOf())
      case .period(.month, let distance):
        tokens = tokens.dropFirst(match.count)
        return .near(distance)
      default: continue
      }
    }
    return nil
  }
}
