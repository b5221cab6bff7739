// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseParser {
  /// Parses a day or a period with its offsets; nil if the tokens are none.
  mutating func day() throws(DatePhraseError) -> PhraseDay? {
    var day = PhraseDay(column: column)
    if let distance = try takeDistance() {
      day.base = distance.unit == .minute || distance.unit == .hour ? .now : .day(0)
      day.offsets = [distance]
      return day
    }
    let start = tokens
    if let later = try takeDistanceFromDay() { return later }
    let isHabit = isHabitualArticle
    if let edge = takeEdgeOfMonth() {
      day.base = edge
      return day
    }
    if let distance = take(.nearWeekend).flatMap(Int.init) {
      day.base = .weekend(distance)
      return day
    }
    skipFiller()
    day.base = try takeWeekdayOfMonth()
    if day.base == nil { day.base = try date() }
    if day.base == nil { day.base = takeNear() }
    if day.base == nil, let words = try takeWords() {
      day.base = words
      if case .weekday(let weekday, nil) = words, let distance = takeNearAfter() {
        day.base = .weekday(weekday, distance)
      } else if case .weekday(let weekday, nil) = words, let date = try takeDateOfWeekday() {
        (day.base, day.weekday) = (date, weekday)
      } else if isHabit, case .weekday(let weekday, nil) = words {
        throw habitual(weekday, since: start)
      }
    }
    while let offset = takeOffset() { day.offsets.append(offset) }
    if day.offsets.isEmpty, let weeks = try takeWeeks(after: day.base) { day.offsets = [weeks] }
    guard day.base == nil, day.offsets.isEmpty else { return day }
    tokens = start
    return nil
  }

  /// Parses a day of a month after `the` or `on`, such as `the 15th`; nil if the tokens are none.
  mutating func dayOfMonth() -> PhraseDay? {
    guard let token = tokens.first, token.length <= 2, let number = token.number, 1...31 ~= number
    else { return nil }
    let start = tokens
    var day = PhraseDay(column: column)
    tokens.removeFirst()
    let isOrdinal = takeSign(".") || takeOrdinal()
    // "Dienstag 12.30 Uhr" has a time.
    let isDotted = isOrdinal && tokens.first.map { $0.number != nil && !$0.isSpaced } ?? false
    guard !isDotted, isOrdinal || language.code != "en" else {
      tokens = start
      return nil
    }
    let isUnit = isUnitNext && language.vocabulary.match(.at, tokens) == nil
    guard !isHourWord(after: 0), !peekSign(":"), !isUnit else {
      tokens = start
      return nil
    }
    day.base = .dayOfMonth(number)
    // "am 1. des Monats"
    let rest = tokens
    _ = take(.of)
    let hasEvery = language.vocabulary.match(.every, tokens) != nil
    if hasEvery || !takeMonthUnit() { tokens = rest }
    return day
  }

  private var isUnitNext: Bool {
    guard let word = tokens.first?.word else { return false }
    return language.units[word] != nil || language.vocabulary.match(.unit, tokens) != nil
  }

  /// Skips the article before a word or a number of a date, and `in` before a month.
  private mutating func skipFiller() {
    if let article = language.vocabulary.match(.article, tokens) {
      let rest = tokens.dropFirst(article.count)
      let isDate =
        rest.first?.number != nil || language.vocabulary.match(.near, rest) != nil
        || language.vocabulary.match(.ordinal, rest) != nil
      if isDate || (peekWord(["the"]) && rest.first?.word != nil) { tokens = rest }
    } else if !isSentence || (tokens.first?.range.lowerBound ?? 0) > 0,
      // "week of jan 11" is no day.
      let of = language.vocabulary.match(.of, tokens),
      let match = language.match(tokens.dropFirst(of.count))
    {
      for case .month in match.meanings { return tokens = tokens.dropFirst(of.count) }
    }
  }

  /// Takes the date after its weekday, as in `Fri 2026-11-27`.
  private mutating func takeDateOfWeekday() throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    for hasArticle in [false, true] {
      tokens = start
      _ = takeSign(",")
      if hasArticle, take(.article) == nil, take(.on) == nil { break }
      if let moment = takeMoment(), case .date(let date) = moment { return .date(date) }
      if let date = try date() { return date }
      if let words = try? takeWords(), case .dateOfYear = words { return words }
      let isArticle = hasArticle && language.vocabulary.match(.at, start) == nil
      if let number = takeDayOfMonth(afterArticle: isArticle) { return .dayOfMonth(number) }
    }
    tokens = start
    return nil
  }

  /// Takes the number of a day after its weekday, as in `friday 11th` and `vendredi le 11`, and
  /// `vendredi 25 à 20h`, whose number is no hour.
  private mutating func takeDayOfMonth(afterArticle hasArticle: Bool) -> Int? {
    let start = tokens
    guard case .dayOfMonth(let number)? = dayOfMonth()?.base else { return nil }
    let isOrdinal = tokens.startIndex > start.startIndex + 1
    // "venerdì 4 ore 15" has the word before the hour.
    let isItalian = peekWord(["ore"]) && token(after: 1)?.number != nil
    let isNoHour = isItalian || number > 24 && language.vocabulary.match(.at, tokens) != nil
    guard hasArticle || isOrdinal || isNoHour else {
      tokens = start
      return nil
    }
    return number
  }

  // MARK: Articles of habits

  /// Whether an article precedes a weekday that repeats in the language: `le lundi`, `il lunedì`.
  private var isHabitualArticle: Bool {
    guard ["fr", "it"].contains(language.code), let before = precedingWord else { return false }
    return ["le", "il", "la"].contains(before)
  }

  /// The word before the tokens, in lower case.
  var precedingWord: String? {
    guard let first = tokens.first, first.range.lowerBound > 0 else { return nil }
    let before = String(decoding: text.utf8.prefix(first.range.lowerBound), as: UTF8.self)
    return before.split(whereSeparator: \.isWhitespace).last?.lowercased()
  }

  private func habitual(
    _ weekday: Weekday, since start: ArraySlice<PhraseToken>
  ) -> DatePhraseError {
    let name = EnglishDateWords.name(of: weekday).lowercased()
    let word = text(since: start)
    return DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(precedingArticle(start)) \(word)\" is ambiguous: write \(word) or every \(name)",
      readings: [name, "every \(name)"])
  }

  private func precedingArticle(_ start: ArraySlice<PhraseToken>) -> String {
    var earlier = self
    earlier.tokens = start
    return earlier.precedingWord ?? ""
  }

  // MARK: Offsets

  /// Takes `+3d` or `- 2 weeks`.
  private mutating func takeOffset() -> PhraseDay.Offset? {
    guard let sign = tokens.first, sign.isSign("+") || sign.isSign("-"),
      let number = token(after: 1)?.number
    else { return nil }
    let start = tokens
    tokens = tokens.dropFirst(2)
    guard let unit = takeUnit() else {
      tokens = start
      return nil
    }
    let distance = withMinutes(number, unit, isJoined: true)
    return PhraseDay.Offset(
      count: sign.isSign("-") ? -distance.count : distance.count, unit: distance.unit)
  }

  /// Takes the minutes after hours, as in `1h30m`, `1h30` and `1 hour and 30 minutes`.
  ///
  /// - Parameters:
  ///   - count: The number of units that were taken.
  ///   - unit: The unit.
  ///   - isJoined: Whether the minutes follow without a space: those after one are a length.
  /// - Returns: The distance in minutes, or the one that was taken.
  private mutating func withMinutes(
    _ count: Int, _ unit: DateWords.Unit, isJoined: Bool
  ) -> PhraseDay.Offset {
    let whole = PhraseDay.Offset(count: count, unit: unit)
    guard unit == .hour, 0...Self.hourLimit ~= count else { return whole }
    let start = tokens
    if !isJoined { _ = take(.and) }
    guard let first = tokens.first, let minutes = first.number, minutes < 60,
      !isJoined || !first.isSpaced
    else {
      tokens = start
      return whole
    }
    tokens.removeFirst()
    let isUnit = takeUnit() == .minute
    guard isUnit || !first.isSpaced && first.length == 2 else {
      tokens = start
      return whole
    }
    return PhraseDay.Offset(count: count * 60 + minutes, unit: .minute)
  }

  /// Takes `in 2 hours`, `an hour ago`, or the words of the language for a distance.
  private mutating func takeDistance() throws(DatePhraseError) -> PhraseDay.Offset? {
    if let distance = language.distance(tokens) {
      tokens = tokens.dropFirst(distance.length)
      return withMinutes(distance.count, distance.unit, isJoined: false)
    }
    let start = tokens
    let isFuture = take(.within) != nil
    if isFuture, let minutes = takeFraction() {
      return PhraseDay.Offset(count: minutes, unit: .minute)
    }
    if isFuture, takeFortnight() { return PhraseDay.Offset(count: 2, unit: .week) }
    if isFuture, let unit = takeSingleUnit() { return PhraseDay.Offset(count: 1, unit: unit) }
    let isWord = tokens.first?.number == nil
    if let number = takeCount(), let unit = takePossessiveUnit() ?? takeUnit() {
      if isFuture, isWord, let error = wholeWeeks(number, unit, since: start) { throw error }
      if isFuture { return withMinutes(number, unit, isJoined: false) }
      if peekWord(["ago"]) {
        tokens.removeFirst()
        return PhraseDay.Offset(count: -number, unit: unit)
      }
    }
    tokens = start
    return nil
  }

  /// Takes the unit of `in two weeks' time`, with the word after it; nil if the tokens are none.
  private mutating func takePossessiveUnit() -> DateWords.Unit? {
    guard let word = tokens.first?.word, token(after: 1)?.word == "time" else { return nil }
    let name = word.filter { $0 != "'" }
    let plural = name.hasSuffix("s") ? name : name + "s"
    guard let unit = EnglishDateWords.units[plural], unit != .minute, unit != .hour else {
      return nil
    }
    tokens = tokens.dropFirst(2)
    return unit
  }

  /// The error of a number of days that counts the first one in some languages: `dans quinze jours`
  /// is in two weeks, and `in acht Tagen` in one; nil for other distances.
  private func wholeWeeks(
    _ count: Int, _ unit: DateWords.Unit, since start: ArraySlice<PhraseToken>
  ) -> DatePhraseError? {
    let counts: Set<Int> =
      language.code == "de" ? [8] : Self.fifteenDayLanguages.contains(language.code) ? [8, 15] : []
    guard unit == .day, counts.contains(count) else { return nil }
    let readings = ["+\(count / 7)w", "+\(count)d"]
    return DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(text(since: start))\" is ambiguous: write " + readings.joined(separator: " or "),
      readings: readings)
  }

  /// Takes `a week from friday` or `2 hours from now`; nil if the tokens are none.
  private mutating func takeDistanceFromDay() throws(DatePhraseError) -> PhraseDay? {
    var later = PhraseDay(column: column)
    let start = tokens
    if let count = takeCount(), let unit = takeUnit() {
      let isFrom = peekWord(["from"])
      guard takeAfter(count, unit) else {
        tokens = start
        return nil
      }
      let isShort = unit == .minute || unit == .hour
      let base: PhraseDay.Base?
      if peekWord(["now"]) {
        tokens.removeFirst()
        base = isShort ? .now : .day(0)
      } else {
        _ = take(.on)
        base = isShort ? nil : try startDay()
      }
      if let base {
        if isFrom, unit == .day, count > 1, let error = lengthOrDistance(count, base, start) {
          throw error
        }
        (later.base, later.offsets) = (base, [PhraseDay.Offset(count: count, unit: unit)])
        return later
      }
    }
    tokens = start
    return nil
  }

  /// The error of `2 days from 15 feb`, which may be a length of days; nil for `2 days from today`.
  private func lengthOrDistance(
    _ count: Int, _ base: PhraseDay.Base, _ start: ArraySlice<PhraseToken>
  ) -> DatePhraseError? {
    if case .day = base { return nil }
    let words = text(since: start)
    let day = words.split(separator: " from ", maxSplits: 1).last.map(String.init) ?? words
    let readings = ["\(day) +\(count)d", "\(day) for \(count) days"]
    return DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(words)\" is ambiguous: write " + readings.joined(separator: " or "),
      readings: readings)
  }

  /// Takes the word between a distance and its day; `a week tomorrow` and `a week on tuesday` have
  /// none.
  private mutating func takeAfter(_ count: Int, _ unit: DateWords.Unit) -> Bool {
    if take(.after) != nil { return true }
    return unit == .week && (peekWord(["today", "tomorrow"]) || count == 1 && peekWord(["on"]))
  }

  /// Takes a day without offsets; nil if the tokens are none.
  private mutating func startDay() throws(DatePhraseError) -> PhraseDay.Base? {
    if let date = try date() { return date }
    if let near = takeNear() { return near }
    return try takeWords()
  }

  /// Takes the weeks of `Freitag in einer Woche`; nil if the tokens are none.
  ///
  /// In English, "friday in a week" may also be the nearest Friday after a week.
  private mutating func takeWeeks(
    after base: PhraseDay.Base?
  ) throws(DatePhraseError) -> PhraseDay.Offset? {
    switch base {
    case .weekday(_, nil), .day: break
    default: return nil
    }
    let start = tokens
    if language.code != "en", let distance = try takeDistance(), distance.unit == .week,
      distance.count > 0
    {
      return distance
    }
    tokens = start
    return nil
  }

  /// Takes `a fortnight`; false if the tokens are none.
  private mutating func takeFortnight() -> Bool {
    // "dans une quinzaine" is only about two weeks.
    let count = peekWord(["a"]) ? 1 : 0
    guard token(after: count)?.word == "fortnight" else { return false }
    tokens = tokens.dropFirst(count + 1)
    return true
  }

  /// Takes a unit that stands for one of it, as in `za godzinę` and `tra un'ora`.
  private mutating func takeSingleUnit() -> DateWords.Unit? {
    guard ["pl", "ru"].contains(language.code) || peekWord(["un'ora"]) else { return nil }
    return takeUnit()
  }

  /// Takes a number in digits or as a word; `a` is 1.
  mutating func takeCount() -> Int? {
    if let first = tokens.first, case .number(let number) = first.kind {
      guard let number else { return nil }
      tokens.removeFirst()
      return number
    }
    // "a semana" has an article in Portuguese.
    if peekWord(["a", "an"]), language.vocabulary.match(.article, tokens) == nil {
      tokens.removeFirst()
      return 1
    }
    return take(.number).flatMap(Int.init)
  }

  // MARK: Words

  /// Takes `next fri`, `this week`, `last month` or `this weekend`.
  private mutating func takeNear() -> PhraseDay.Base? {
    let start = tokens
    _ = take(.article)
    if let unit = takeUnit(), [.week, .month, .year].contains(unit), let distance = takeNearAfter()
    {
      return .period(unit, distance)
    }
    tokens = start
    guard let distance = takeNearWord() else { return nil }
    if take(.weekend) != nil { return .weekend(distance) }
    if let match = language.match(tokens) {
      for case .weekday(let weekday) in match.meanings {
        guard abs(distance) <= 2 else { break }
        tokens = tokens.dropFirst(match.count)
        return .weekday(weekday, distance)
      }
    }
    // "the next weeks" are no week.
    if language.vocabulary.match(.units, tokens) == nil, let unit = takeUnit(), unit != .minute,
      unit != .hour, unit != .day
    {
      return .period(unit, distance)
    }
    tokens = start
    return nil
  }

  /// Takes the words of `el viernes que viene`: the distance from the current one.
  private mutating func takeNearAfter() -> Int? { take(.nearAfter).flatMap(Int.init) }

  /// Takes `next`, `this` or `last`: the distance from the current one.
  mutating func takeNearWord() -> Int? {
    if let distance = take(.near).flatMap(Int.init) { return distance }
    guard let word = tokens.first?.word, let distance = EnglishDateWords.distances[word] else {
      return nil
    }
    tokens.removeFirst()
    return distance
  }

  /// Takes a weekday, also in its plural.
  mutating func takeWeekday() -> Weekday? {
    if let plural = take(.plural) { return Self.weekday(plural) }
    guard let match = language.match(tokens) else { return nil }
    for case .weekday(let weekday) in match.meanings {
      tokens = tokens.dropFirst(match.count)
      return weekday
    }
    return nil
  }

  /// The weekday of an abbreviation of RFC 5545 §3.3.10.
  static func weekday(_ text: String) -> Weekday? {
    Weekday.allCases.first { $0.description == text }
  }

  /// Takes the words of the language and what belongs to them.
  mutating func takeWords() throws(DatePhraseError) -> PhraseDay.Base? {
    guard let match = language.match(tokens) else { return nil }
    let months = match.meanings.compactMap { meaning in
      if case .month(let month) = meaning { month } else { Int?.none }
    }
    // With a number, only a month makes sense.
    if let month = months.first {
      let start = tokens
      tokens = tokens.dropFirst(match.count)
      if let base = try takeRest(ofMonth: month, since: start) { return base }
      tokens = start
    }
    guard let meaning = match.meanings.first, match.meanings.count == 1 else {
      if isSentence, language.vocabulary.match(.ordinary, tokens) != nil { return nil }
      throw DatePhraseError(
        .ambiguous, column: column,
        "\"\(source(of: tokens.prefix(match.count)))\" is ambiguous: write "
          + match.meanings.map(\.text).joined(separator: " or "),
        readings: match.meanings.map(\.text))
    }
    tokens = tokens.dropFirst(match.count)
    switch meaning {
    case .now: return .now
    case .day(let days): return .day(days)
    case .weekday(let weekday): return .weekday(weekday, nil)
    case .month(let month): return .month(month, year: nil)
    case .period(let unit, let count): return .period(unit, count)
    case .nearWeekday(let weekday, let distance): return .weekday(weekday, distance)
    case .weekdayOfWeek(let weekday, let distance): return .weekdayOfWeek(weekday, distance)
    }
  }

  /// Takes the day and the year after the name of a month: `dec 12, 2026` or `dec 2026`.
  private mutating func takeRest(
    ofMonth month: Int, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> PhraseDay.Base? {
    if let year = takeYearAfterOf() { return .month(month, year: year) }
    guard let number = tokens.first, number.length <= 2, let day = number.number,
      !isTime(after: 1)
    else { return nil }
    tokens.removeFirst()
    _ = takeOrdinal()
    return try date(day: day, month: month, since: start)
  }
}

extension DateLanguage.Meaning {
  /// The English text of the meaning, which is a phrase.
  var text: String {
    switch self {
    case .now: "now"
    case .day(let days):
      days == 0 ? "today" : days == 1 ? "tomorrow" : days < 0 ? "\(-days) days ago" : "+\(days)d"
    case .weekday(let weekday): EnglishDateWords.name(of: weekday)
    case .month(let month): EnglishDateWords.name(ofMonth: month)
    case .period(let unit, let count):
      "\(count == 0 ? "this" : count < 0 ? "last" : "next") \(unit.rawValue)"
    case .weekdayOfWeek(let weekday, let distance):
      "\(EnglishDateWords.name(of: weekday)) "
        + "\(distance == 0 ? "this" : distance < 0 ? "last" : "next") week"
    case .nearWeekday(let weekday, let distance):
      "\(distance == 0 ? "this" : distance < 0 ? "last" : "next") "
        + EnglishDateWords.name(of: weekday)
    }
  }
}
