// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// The context of a time, which decides whether a number alone is one.
struct TimeContext {
  /// Whether a word such as `at` precedes.
  let isAfterAt: Bool
  /// Whether a number alone is an hour, as in a range.
  let allowsHour: Bool
  /// Whether a number of four digits is a time, as in `friday 1200`.
  let isAfterDay: Bool
}

extension PhraseParser {
  /// Parses a time of day; nil if the tokens are none.
  mutating func time(_ context: TimeContext) throws(DatePhraseError) -> PhraseTime? {
    let column = column
    if take(.noon) != nil { return PhraseTime(column: column, hour: 12) }
    if take(.midnight) != nil {
      var time = PhraseTime(column: column, hour: 0)
      time.isMidnight = true
      return time
    }
    if let time = takeClock(context) { return time }
    let start = tokens
    if var time = takeWordedTime(context) {
      try takeHalf(of: &time, since: start)
      return time
    }
    guard let (hour, isShort) = takeHour(context) else { return nil }
    var time = PhraseTime(column: column, hour: hour)
    if let minute = takeMinutes() ?? takeDottedMinutes(context) {
      (time.minute, time.mayBeTwelve) = (minute, isShort)
      if let second = takeMinutes(limit: 60) { time.second = second }
      // "15:00 hora de México" names a zone.
      if language.vocabulary.match(.localTime, tokens) == nil { _ = take(.mark) }
    } else if !mayBeDuration(start, context), let (minute, isTwelve) = takeHourMark() {
      time.minute = minute
      time.isShort = isTwelve && isShort
      time.hasMark = !isTwelve
    } else {
      (time.isBare, time.isShort) = (true, isShort)
      time.isPlain = !context.isAfterAt
    }
    try takeHalf(of: &time, since: start)
    // "12월" and "3rd" are no hours.
    let isPart = tokens.first.map { !$0.isSpaced && $0.word != nil } ?? false
    let isHour = (context.allowsHour && hour <= 24 && !isPart) || time.isAfternoon != nil
    guard !time.isBare || isHour else {
      tokens = start
      return nil
    }
    let isValid = time.isAfternoon == nil ? 0...24 ~= hour : 1...12 ~= hour
    guard isValid, time.secondOfDay <= 86_400 else {
      let hours = time.isAfternoon == nil ? "24:00" : "12:59"
      throw DatePhraseError(
        .invalid, column: column, "expected a time up to \(hours), found \"\(text(since: start))\"")
    }
    return time
  }

  /// Whether a number before `hours` may be a duration: `2 hours`, and not `14 hours` or `at 2 hours`.
  private func mayBeDuration(
    _ number: ArraySlice<PhraseToken>, _ context: TimeContext
  ) -> Bool {
    guard !context.isAfterAt, ["hours", "hrs"].contains(tokens.first?.word),
      let hours = number.first?.number
    else { return false }
    return hours == 24 || hours <= 12 && number.first?.length == String(hours).count
  }

  /// Takes an hour of one or two digits, or its word after `at`; the second value is whether it has
  /// one digit.
  private mutating func takeHour(_ context: TimeContext) -> (Int, Bool)? {
    if let first = tokens.first, let hour = first.number, first.length <= 2 {
      tokens.removeFirst()
      return (hour, first.length == 1 || hour > 9)
    }
    let start = tokens
    guard let number = (take(.hourWord) ?? take(.number)).flatMap(Int.init) else { return nil }
    // "neun Uhr" needs no preposition after a day.
    if context.isAfterAt { return (number, true) }
    let hasMark = language.vocabulary.match(.mark, tokens) != nil
    if context.isAfterDay, hasMark, number <= 24 { return (number, true) }
    tokens = start
    return nil
  }

  /// Takes `1200` or `0930`.
  private mutating func takeClock(_ context: TimeContext) -> PhraseTime? {
    guard context.isAfterDay || context.allowsHour, let first = tokens.first, isClock(first),
      let number = first.number, token(after: 1)?.isSign("-") != true || isClockRange
    else { return nil }
    var time = PhraseTime(column: column, hour: number / 100)
    time.minute = number % 100
    tokens.removeFirst()
    _ = take(.mark)
    return time
  }

  /// Whether the tokens are `0930-1015`, and not a date such as `2026-12`.
  private var isClockRange: Bool {
    guard let second = token(after: 2) else { return false }
    return isClock(second) || second.isSpaced
  }

  /// Takes a colon and two digits.
  private mutating func takeMinutes(limit: Int = 59) -> Int? {
    guard let colon = tokens.first, colon.isSign(":"), !colon.isSpaced,
      let digits = token(after: 1), !digits.isSpaced, digits.length == 2,
      let number = digits.number, number <= limit
    else { return nil }
    tokens = tokens.dropFirst(2)
    return number
  }

  /// Takes a full stop and two digits after `at`, or before a word such as `Uhr` or `pm`.
  private mutating func takeDottedMinutes(_ context: TimeContext) -> Int? {
    guard let point = tokens.first, point.isSign("."), !point.isSpaced,
      let digits = token(after: 1), !digits.isSpaced, digits.length == 2,
      let number = digits.number, number <= 59, token(after: 2)?.isSign(".") != true
    else { return nil }
    guard context.isAfterAt || isHourWord(after: 2) || isHourWordBehindRange(after: 2) else {
      return nil
    }
    tokens = tokens.dropFirst(2)
    return number
  }

  /// Whether a word after an hour follows some tokens.
  func isHourWord(after count: Int) -> Bool {
    guard let word = token(after: count)?.word else { return false }
    if word == "h" { return token(after: count)?.isSpaced == false }
    return language.halves[word] != nil || language.hourMarks.contains(word)
      || language.vocabulary.match(.mark, tokens.dropFirst(count)) != nil
  }

  /// Whether some tokens are the start of a range whose end has a word for hours, as in
  /// `10.00-11.30 Uhr`.
  func isHourWordBehindRange(after count: Int) -> Bool {
    guard token(after: count)?.isSign("-") == true, token(after: count + 1)?.number != nil else {
      return false
    }
    guard token(after: count + 2)?.isSign(".") == true else { return isHourWord(after: count + 2) }
    return token(after: count + 3)?.length == 2 && isHourWord(after: count + 4)
  }

  /// Takes the word after an hour, as in `15 Uhr`, with minutes after it, as in `15h30`; the second
  /// value is whether the clock has 12 hours.
  private mutating func takeHourMark() -> (Int, Bool)? {
    guard let mark = tokens.first, let word = mark.word else { return nil }
    let known = language.vocabulary.match(.mark, tokens)
    let isHour = word == "h" && !mark.isSpaced
    guard isHour || known != nil || language.hourMarks.contains(word) else { return nil }
    let rest = tokens.dropFirst(known?.count ?? 1)
    let isTwelve = known?.value == "12"
    let minutes = rest.first.flatMap { $0.length == 2 ? $0.number : nil }
    let isTime = rest.dropFirst().first.map { $0.isSign(":") || $0.isSign(".") || $0.isSign("/") }
    if isHour, known == nil, language.hourMarks.contains(word) == false {
      // "15h30", but "2h" is a duration where the language has no such word.
      guard let minutes, minutes < 60, rest.first?.isSpaced == false else { return nil }
      tokens = rest.dropFirst()
      return (minutes, false)
    }
    if let minutes, minutes < 60, isMinutesAfterMark(rest, mark) {
      tokens = rest.dropFirst(2)
      return (minutes, isTwelve)
    }
    guard let minutes, minutes < 60, isTime != true, !isUnit(rest.dropFirst()) else {
      tokens = rest
      return (0, isTwelve)
    }
    tokens = rest.dropFirst()
    takeParticles()
    return (minutes, isTwelve)
  }

  /// Whether tokens are the minutes of `15h45min`, which stand together with the hour.
  private func isMinutesAfterMark(
    _ tokens: ArraySlice<PhraseToken>, _ mark: PhraseToken
  ) -> Bool {
    guard !mark.isSpaced, let digits = tokens.first, !digits.isSpaced,
      let unit = tokens.dropFirst().first, !unit.isSpaced
    else { return false }
    return ["min", "mn", "m"].contains(unit.word)
  }

  /// Whether tokens begin with a unit or a word such as `times`, so that the number before them is no
  /// time.
  private func isUnit(_ tokens: ArraySlice<PhraseToken>) -> Bool {
    guard let word = tokens.first?.word else { return false }
    return language.units[word] != nil || language.match(tokens) != nil
      || [PhraseConcept.unit, .times].contains { language.vocabulary.match($0, tokens) != nil }
  }

  /// Takes `am` or `pm`, or a part of the day such as `in the morning`.
  private mutating func takeHalf(
    of time: inout PhraseTime, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) {
    if let half = takeNoonWord() {
      time.isAfternoon = half
    } else if let word = tokens.first?.word, let half = language.halves[word],
      !isPreposition(after: time)
    {
      tokens.removeFirst()
      time.isAfternoon = half
    } else if let match = language.vocabulary.match(.part, tokens),
      let part = PhraseTime.Part(rawValue: match.value)
    {
      tokens = tokens.dropFirst(match.count)
      guard let exact = time.inPart(part) else {
        throw DatePhraseError(
          .invalid, column: time.column,
          "expected an hour of the \(part.rawValue), found \"\(text(since: start))\"")
      }
      time = exact
    }
  }

  /// Whether `am` is the German preposition, as in `12 Uhr am 4.12.`, and no half of the day.
  private func isPreposition(after time: PhraseTime) -> Bool {
    guard language.vocabulary.match(.on, tokens) != nil else { return false }
    let rest = tokens.dropFirst()
    return time.hasMark || !(rest.isEmpty || DateLanguage.english.match(rest) != nil)
  }

  /// Takes `a.m.` or `p.m.`, which consist of two words; true for the afternoon.
  private mutating func takeNoonWord() -> Bool? {
    guard let word = tokens.first?.word, word == "a" || word == "p", let second = token(after: 1),
      second.word == "m"
    else { return nil }
    tokens = tokens.dropFirst(2)
    return word == "p"
  }
}
