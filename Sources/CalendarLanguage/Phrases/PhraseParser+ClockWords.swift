// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

// MARK: Halves and quarters of hours

extension PhraseParser {
  /// Takes a time with its minutes before or after the hour in words: `half past 9`, `halb neun`,
  /// `quarter to ten`, `9 y media`; nil if the tokens are none.
  ///
  /// The clock has 12 hours. Which half of the day is meant is judged by the named hour: `halb neun`
  /// is 8:30, and `halb acht` may also be in the evening.
  mutating func takeWordedTime(_ context: TimeContext) -> PhraseTime? {
    let (start, column) = (tokens, column)
    if let minutes = takeMinutesBefore(), let hour = takeNamedHour(),
      context.isAfterAt || !isRange(start, to: hour),
      let time = Self.time(hour, minutes, column)
    {
      _ = take(.mark)
      return time
    }
    tokens = start
    let isKnown = context.isAfterAt || context.isAfterDay || context.allowsHour
    if let hour = takeNamedHour() {
      let hasMark = take(.mark) != nil
      if isKnown || hasMark, let minutes = take(.clockAfter).flatMap(Int.init) {
        return Self.time(hour, minutes, column)
      }
    }
    tokens = start
    return nil
  }

  /// Whether tokens may be two hours, as in `ten to eleven`, which is no range after `at`.
  private func isRange(_ tokens: ArraySlice<PhraseToken>, to end: Int) -> Bool {
    guard let first = language.vocabulary.match(.number, tokens), let hour = Int(first.value) else {
      return false
    }
    let rest = tokens.dropFirst(first.count)
    return hour < end && language.vocabulary.match(.to, rest) != nil
  }

  /// Takes `half past` or `ten to`, in minutes.
  private mutating func takeMinutesBefore() -> Int? {
    if let minutes = take(.clockBefore).flatMap(Int.init) { return minutes }
    let isWord = tokens.first?.number == nil
    guard let count = takeCount(), count > 0, count < 30, count % 5 == 0,
      // "5 to 7" is a range.
      isWord || !peekWord(["to"]), let step = take(.clockStep).flatMap(Int.init)
    else { return nil }
    return count * step
  }

  /// Takes an hour from 1 through 12, in digits or as a word.
  private mutating func takeNamedHour() -> Int? {
    let hour: Int?
    if let first = tokens.first, let number = first.number {
      guard first.length <= 2, token(after: 1)?.isSign(":") != true,
        token(after: 1)?.isSign(".") != true, token(after: 1)?.isSign("-") != true
      else { return nil }
      tokens.removeFirst()
      hour = number
    } else {
      hour = (take(.hourWord) ?? take(.number)).flatMap(Int.init)
    }
    return hour.flatMap { 1...12 ~= $0 ? $0 : nil }
  }

  private static func time(_ hour: Int, _ minutes: Int, _ column: Int) -> PhraseTime? {
    // Before one o'clock, the hour is 0 or 12.
    guard minutes > 0 || hour > 1 else { return nil }
    var time = PhraseTime(column: column, hour: minutes > 0 ? hour : hour - 1)
    time.minute = (minutes + 60) % 60
    time.isShort = 1...8 ~= hour
    return time
  }
}
