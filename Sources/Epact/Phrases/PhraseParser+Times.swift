// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseParser {
  /// Parses a time of day; nil if the tokens are none.
  ///
  /// A number alone is an hour only if the context allows it, as after `at` or in a range.
  mutating func time(allowsHour: Bool) throws(DatePhraseError) -> PhraseTime? {
    let column = column
    if let noon = takeNamedTime() { return PhraseTime(column: column, hour: noon) }
    guard let first = tokens.first, let hour = first.number, first.length <= 2 else { return nil }
    let start = tokens
    tokens.removeFirst()
    var time = PhraseTime(column: column, hour: hour)
    if let minute = takeMinutes() {
      time.minute = minute
      if let second = takeMinutes(limit: 60) { time.second = second }
    } else if let minute = takeHourMark() {
      time.minute = minute
    } else {
      time.isBare = true
    }
    time.isAfternoon = takeHalf()
    guard !time.isBare || allowsHour || time.isAfternoon != nil else {
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

  /// The text between earlier tokens and the current ones.
  func text(since start: ArraySlice<PhraseToken>) -> String {
    source(of: start.prefix(start.count - tokens.count))
  }

  private mutating func takeNamedTime() -> Int? {
    guard let word = tokens.first?.word, word == "noon" || word == "midnight" else { return nil }
    tokens.removeFirst()
    return word == "noon" ? 12 : 0
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

  /// Takes the word after an hour, as in `15 Uhr`, with minutes after it, as in `15h30`.
  private mutating func takeHourMark() -> Int? {
    guard let mark = tokens.first, let word = mark.word else { return nil }
    let minutes = token(after: 1).flatMap { $0.length == 2 ? $0.number : nil }
    let isAdjacent = token(after: 1)?.isSpaced == false
    if word == "h", !mark.isSpaced, isAdjacent, let minutes, minutes < 60 {
      tokens = tokens.dropFirst(2)
      return minutes
    }
    guard language.hourMarks.contains(word) else { return nil }
    tokens.removeFirst()
    guard let minutes, minutes < 60, token(after: 1)?.isSign(":") != true else { return 0 }
    tokens.removeFirst()
    // The sign for minutes in "15時30分".
    skipWord(["分", "분"])
    return minutes
  }

  /// Takes `am` or `pm`, or the words of the language; true for the afternoon.
  private mutating func takeHalf() -> Bool? {
    guard let word = tokens.first?.word else { return nil }
    if let half = language.halves[word] {
      tokens.removeFirst()
      return half
    }
    // "a.m." consists of two words.
    guard word == "a" || word == "p", let second = token(after: 1), second.word == "m",
      !second.isSpaced
    else { return nil }
    tokens = tokens.dropFirst(2)
    return word == "p"
  }
}

// MARK: Durations

extension PhraseParser {
  /// Parses the duration after `for`: `1h30m`, `1.5 hours`, `2 days`, `1:30` or `PT45M`.
  mutating func duration() throws(DatePhraseError) -> PhraseDuration {
    var duration = PhraseDuration(column: column)
    if takeStandardDuration(into: &duration) { return duration }
    let start = tokens
    var isEmpty = true
    while try takePart(of: &duration, since: start) {
      isEmpty = false
      if peekWord(["and"]) { tokens.removeFirst() }
    }
    guard !isEmpty else { throw unexpected("a duration such as 45m or 2 hours") }
    guard duration.days > 0 || duration.seconds > 0 else {
      throw DatePhraseError(
        .invalid, column: duration.column,
        "expected a positive duration, found \"\(text(since: start))\"")
    }
    return duration
  }

  /// Takes a duration in the format of RFC 5545.
  private mutating func takeStandardDuration(into duration: inout PhraseDuration) -> Bool {
    guard let word = tokens.first?.word, word.hasPrefix("p") else { return false }
    let count = tokens.dropFirst().prefix { !$0.isSpaced }.count + 1
    guard let value = try? CivilDuration(parsing: source(of: tokens.prefix(count)).uppercased()),
      value.nominalDays <= PhraseDuration.limit, value.exactSeconds <= PhraseDuration.limit,
      value.nominalDays > 0 || value.exactSeconds > 0
    else { return false }
    duration.days = value.nominalDays
    duration.seconds = Int(value.exactSeconds)
    tokens = tokens.dropFirst(count)
    return true
  }

  /// Takes a number with its unit; false if there is none.
  private mutating func takePart(
    of duration: inout PhraseDuration, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> Bool {
    guard let (number, tenths) = takeNumber() else { return false }
    if tenths == nil, let minutes = takeMinutes() {
      return duration.add(number, .hour) && duration.add(minutes, .minute)
    }
    guard let unit = takeUnit() ?? takeUnitAfterHours(since: start) else {
      throw unexpected("a unit such as minutes or hours")
    }
    var isValid = duration.add(number, unit)
    if let tenths {
      // Six minutes are a tenth of an hour.
      isValid = isValid && unit == .hour && duration.add(tenths * 6, .minute)
    }
    guard isValid else {
      throw DatePhraseError(
        .invalid, column: duration.column,
        "expected a duration in minutes, hours, days or weeks, found \"\(text(since: start))\"")
    }
    return true
  }

  /// Takes a number, with the tenths after its point; `a` before a unit is 1.
  private mutating func takeNumber() -> (Int, tenths: Int?)? {
    if peekWord(["a", "an"]), token(after: 1)?.word.map({ language.units[$0] != nil }) == true {
      tokens.removeFirst()
      return (1, nil)
    }
    guard let number = tokens.first?.number else { return nil }
    tokens.removeFirst()
    guard let point = tokens.first, point.isSign(".") || point.isSign(","), !point.isSpaced,
      let digit = token(after: 1), digit.length == 1, !digit.isSpaced, let tenths = digit.number
    else { return (number, nil) }
    tokens = tokens.dropFirst(2)
    return (number, tenths)
  }

  /// Takes the name of a unit.
  mutating func takeUnit() -> DateWords.Unit? {
    guard let word = tokens.first?.word, let unit = language.units[word] else { return nil }
    tokens.removeFirst()
    return unit
  }

  /// The unit of the minutes in `1h30`.
  private func takeUnitAfterHours(since start: ArraySlice<PhraseToken>) -> DateWords.Unit? {
    let taken = start.prefix(start.count - tokens.count)
    guard taken.count == 3, taken.last?.isSpaced == false,
      let word = taken.dropFirst().first?.word, language.units[word] == .hour
    else { return nil }
    return .minute
  }
}
