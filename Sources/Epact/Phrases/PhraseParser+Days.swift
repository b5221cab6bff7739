// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseParser {
  /// Parses a day or a period with its offsets; nil if the tokens are none.
  mutating func day() throws(DatePhraseError) -> PhraseDay? {
    var day = PhraseDay(column: column)
    if let distance = takeDistance() {
      day.base = distance.unit == .minute || distance.unit == .hour ? .now : .day(0)
      day.offsets = [distance]
      return day
    }
    skipFiller()
    day.base = try date() ?? takeNear()
    if day.base == nil, let words = try takeWords() {
      day.base = words
      if case .weekday(let weekday, nil) = words, let date = try takeDateOfWeekday() {
        (day.base, day.weekday) = (date, weekday)
      }
    }
    while let offset = takeOffset() { day.offsets.append(offset) }
    return day.base == nil && day.offsets.isEmpty ? nil : day
  }

  /// Skips `the` before a word or a number of a date, and `in` before a month.
  private mutating func skipFiller() {
    if peekWord(["the"]), token(after: 1)?.word != nil || token(after: 1)?.number != nil {
      tokens.removeFirst()
    } else if peekWord(["in"]), let match = language.match(tokens.dropFirst()) {
      for case .month in match.meanings { return tokens = tokens.dropFirst() }
    }
  }

  /// Takes the date after its weekday, as in `Fri 2026-11-27`.
  private mutating func takeDateOfWeekday() throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    _ = takeSign(",")
    skipWord(["the"])
    if let moment = takeMoment(), case .date(let date) = moment { return .date(date) }
    tokens = start
    _ = takeSign(",")
    skipWord(["the"])
    if let date = try date() { return date }
    if let words = try? takeWords(), case .dateOfYear = words { return words }
    tokens = start
    return nil
  }

  // MARK: Offsets

  /// Takes `+3d` or `- 2 weeks`.
  private mutating func takeOffset() -> PhraseDay.Offset? {
    guard let sign = tokens.first, sign.isSign("+") || sign.isSign("-"),
      let number = token(after: 1)?.number, let word = token(after: 2)?.word,
      let unit = language.units[word]
    else { return nil }
    tokens = tokens.dropFirst(3)
    return PhraseDay.Offset(count: sign.isSign("-") ? -number : number, unit: unit)
  }

  /// Takes `in 2 hours`, `an hour ago`, or the words of the language for a distance.
  private mutating func takeDistance() -> PhraseDay.Offset? {
    if let distance = language.distance(tokens) {
      tokens = tokens.dropFirst(distance.length)
      return PhraseDay.Offset(count: distance.count, unit: distance.unit)
    }
    let start = tokens
    let isFuture = peekWord(["in"])
    if isFuture { tokens.removeFirst() }
    let number = peekWord(["a", "an"]) ? 1 : tokens.first?.number
    if let number {
      tokens.removeFirst()
      if let unit = takeUnit() {
        if isFuture { return PhraseDay.Offset(count: number, unit: unit) }
        if peekWord(["ago"]) {
          tokens.removeFirst()
          return PhraseDay.Offset(count: -number, unit: unit)
        }
      }
    }
    tokens = start
    return nil
  }

  // MARK: Words

  /// Takes `next fri`, `this week` or `last month`.
  private mutating func takeNear() -> PhraseDay.Base? {
    guard let word = tokens.first?.word, let distance = EnglishDateWords.distances[word] else {
      return nil
    }
    if let name = token(after: 1)?.word, let unit = language.units[name],
      unit != .minute, unit != .hour
    {
      tokens = tokens.dropFirst(2)
      return .period(unit, distance)
    }
    guard let match = language.match(tokens.dropFirst()) else { return nil }
    for case .weekday(let weekday) in match.meanings {
      tokens = tokens.dropFirst(1 + match.count)
      return .weekday(weekday, distance)
    }
    return nil
  }

  /// Takes the words of the language and what belongs to them.
  private mutating func takeWords() throws(DatePhraseError) -> PhraseDay.Base? {
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
    }
  }

  /// Takes the day and the year after the name of a month: `dec 12, 2026` or `dec 2026`.
  private mutating func takeRest(
    ofMonth month: Int, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> PhraseDay.Base? {
    if let year = takeYear() { return .month(month, year: year) }
    guard let number = tokens.first, number.length <= 2, let day = number.number,
      !isTime(after: 1)
    else { return nil }
    tokens.removeFirst()
    takeOrdinal()
    return try date(day: day, month: month, since: start)
  }
}

// MARK: Days of a month

extension PhraseParser {
  /// Parses days of one month, such as `3-5 dec`, `3.-5.12.` and `dec 3 to 5`; nil for other
  /// tokens.
  mutating func daysOfMonth() throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    var form = PhraseForm(start: PhrasePoint(column: column))
    let month = takeMonthBeforeDay()
    if let first = takeDay(), takeSeparator() != nil {
      var end = PhrasePoint(column: column)
      let (from, base) = (tokens, try lastDay(of: month))
      let last = text(since: from)
      if let base, let days = Self.days(from: first, through: base) {
        guard days.isInOrder else {
          throw DatePhraseError(
            .invalid, column: end.column, "expected a day after \(first), found \"\(last)\"")
        }
        form.start.day = PhraseDay(column: form.start.column, base: days.first)
        end.day = PhraseDay(column: end.column, base: base)
        (form.separator, form.end) = (.points, end)
        return form
      }
    }
    tokens = start
    return nil
  }

  /// Takes the name of a month that is nothing else, before a day.
  private mutating func takeMonthBeforeDay() -> Int? {
    guard let match = language.match(tokens), match.meanings.count == 1,
      case .month(let month)? = match.meanings.first
    else { return nil }
    tokens = tokens.dropFirst(match.count)
    return month
  }

  /// Takes a day of a month, with the sign of an ordinal number.
  private mutating func takeDay() -> Int? {
    guard let token = tokens.first, token.length <= 2, let day = token.number, 1...31 ~= day,
      !isTime(after: 1)
    else { return nil }
    tokens.removeFirst()
    if !takeSign(".") { takeOrdinal() }
    return day
  }

  /// Takes the last day, and its month unless that came first.
  private mutating func lastDay(of month: Int?) throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    if let month {
      guard let day = takeDay() else { return nil }
      return try date(day: day, month: month, since: start)
    }
    let isMonth = language.match(tokens.dropFirst()).map { $0.meanings.count == 1 } ?? true
    return isMonth ? try date() : nil
  }

  /// The first day in the month of the last one; nil if that is no date.
  private static func days(
    from first: Int, through last: PhraseDay.Base
  ) -> (first: PhraseDay.Base, isInOrder: Bool)? {
    switch last {
    case .date(let date):
      CivilDate(year: date.year, month: date.month, day: first).map { (.date($0), $0 <= date) }
    case .dateOfYear(let month, let day):
      (.dateOfYear(month: month, day: first), first <= day)
    default: nil
    }
  }
}

// MARK: Dates in numbers

extension PhraseParser {
  /// Takes a date that begins with a number: `11.12.2026`, `12 dec`, `25/12`, `2026-12`, `12月11日`.
  private mutating func date() throws(DatePhraseError) -> PhraseDay.Base? {
    guard let first = tokens.first, let number = first.number else { return nil }
    let start = tokens
    if first.length == 4 {
      if let base = try takeDateFromYear(number) { return base }
      tokens = start
      return nil
    }
    guard first.length <= 2 else { return nil }
    if let base = try takeDottedDate(number) { return base }
    tokens = start
    if let base = try takeSlashedDate(number) { return base }
    tokens = start
    tokens.removeFirst()
    if takeMark(["月", "월"]), let day = tokens.first?.number {
      tokens.removeFirst()
      if takeMark(["日", "일"]) { return try date(day: day, month: number, since: start) }
    }
    tokens = start.dropFirst()
    takeOrdinal()
    skipWord(["of", "de"])
    if let match = language.match(tokens) {
      for case .month(let month) in match.meanings {
        tokens = tokens.dropFirst(match.count)
        return try date(day: number, month: month, since: start)
      }
    }
    tokens = start
    return nil
  }

  /// Takes `2026-12`, `2026/12/11` or `2026年12月11日`.
  private mutating func takeDateFromYear(_ year: Int) throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    tokens.removeFirst()
    let separator = tokens.first
    guard let separator, let month = token(after: 1)?.number, !separator.isSpaced else {
      return nil
    }
    tokens = tokens.dropFirst(2)
    if separator.isSign("-"), tokens.first?.isSign("-") != true {
      guard 1...12 ~= month, start.dropFirst(2).first?.length == 2 else { return nil }
      return .month(month, year: year)
    }
    let isCJK = separator.word == "年" || separator.word == "년"
    guard separator.isSign("/") || isCJK else { return nil }
    if isCJK { guard takeMark(["月", "월"]) else { return nil } }
    let hasSlash = !isCJK && takeSign("/")
    guard hasSlash || isCJK, let day = tokens.first?.number else { return nil }
    tokens.removeFirst()
    if isCJK { guard takeMark(["日", "일"]) else { return nil } }
    return try date(day: day, month: month, year: year, since: start)
  }

  /// Takes `11.12.`, `11. 12. 2026` or `11.12.26`: the day comes first in dates with full stops.
  private mutating func takeDottedDate(_ day: Int) throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    tokens.removeFirst()
    guard takeSign(".") else { return nil }
    if let match = language.match(tokens) {
      for case .month(let month) in match.meanings {
        tokens = tokens.dropFirst(match.count)
        return try date(day: day, month: month, since: start)
      }
    }
    guard let number = tokens.first, number.length <= 2, let month = number.number else {
      return nil
    }
    tokens.removeFirst()
    guard takeSign(".") else {
      try rejectTime(hour: day, minute: month, length: number.length, since: start)
      return nil
    }
    if let digits = tokens.first, digits.length == 2, !digits.isSpaced, let year = digits.number {
      tokens.removeFirst()
      return try date(day: day, month: month, year: 2000 + year, since: start)
    }
    return try date(day: day, month: month, since: start)
  }

  /// Rejects `11.12`, which may be a date or a time.
  private func rejectTime(
    hour: Int, minute: Int, length: Int, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) {
    guard length == 2, 0...24 ~= hour, 0...59 ~= minute else { return }
    let time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    let date = "\(hour).\(minute)."
    let isDate = 1...12 ~= minute && 1...31 ~= hour
    throw DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      isDate
        ? "\"\(text(since: start))\" is ambiguous: write \(date) or \(time)"
        : "expected a time with a colon, such as \(time), found \"\(text(since: start))\"",
      readings: isDate ? [date, time] : [time])
  }

  /// Takes `25/12`, `12/25/2026` or `25-12-2026`; rejects what has two readings.
  private mutating func takeSlashedDate(_ first: Int) throws(DatePhraseError) -> PhraseDay.Base? {
    let start = tokens
    guard let separator = token(after: 1), !separator.isSpaced,
      separator.isSign("/") || separator.isSign("-"), let number = token(after: 2),
      !number.isSpaced, number.length <= 2, let second = number.number
    else { return nil }
    tokens = tokens.dropFirst(3)
    var year: Int?
    if let next = tokens.first, next.kind == separator.kind, !next.isSpaced,
      let digits = token(after: 1), digits.length == 4 || digits.length == 2
    {
      year = digits.number.map { digits.length == 2 ? 2000 + $0 : $0 }
      tokens = tokens.dropFirst(2)
    }
    // "9-10" may be hours.
    guard separator.isSign("/") || (year ?? 0) >= 1000 else { return nil }
    let (dayFirst, monthFirst) = (1...12 ~= second, 1...12 ~= first)
    guard dayFirst, monthFirst, first != second else {
      let (day, month) = monthFirst && !dayFirst ? (second, first) : (first, second)
      return try date(day: day, month: month, year: year, since: start)
    }
    let readings = [(first, second), (second, first)].map { day, month in
      "\(day) \(EnglishDateWords.name(ofMonth: month))" + (year.map { " \($0)" } ?? "")
    }
    throw DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(text(since: start))\" is ambiguous: write \(readings.joined(separator: " or "))",
      readings: readings)
  }

  /// The date of its fields, with the year that follows.
  private mutating func date(
    day: Int, month: Int, year: Int? = nil, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> PhraseDay.Base {
    var year = year
    if year == nil {
      let before = tokens
      _ = takeSign(",")
      year = takeYear()
      if year == nil { tokens = before }
    }
    // A leap year has all dates that any year has.
    if let date = CivilDate(year: year ?? 2000, month: month, day: day) {
      return year == nil ? .dateOfYear(month: month, day: day) : .date(date)
    }
    throw DatePhraseError(
      .invalid, column: (start.first?.range.lowerBound ?? 0) + 1,
      "expected a date, found \"\(text(since: start))\", which does not exist")
  }

  /// Takes a year of four digits that is no hour of a time.
  private mutating func takeYear() -> Int? {
    guard let token = tokens.first, token.length == 4, let year = token.number, year > 0,
      !isTime(after: 1), self.token(after: 1)?.isSign("/") != true
    else { return nil }
    // "2026-12-11" is a date of its own.
    if let next = self.token(after: 1), next.isSign("-"), !next.isSpaced,
      self.token(after: 3)?.isSign("-") == true
    {
      return nil
    }
    tokens.removeFirst()
    return year
  }

  /// Whether the number before a position is an hour: `dec 12:30`, `dec 3pm`, `mar. 9h`.
  private func isTime(after count: Int) -> Bool {
    guard let next = token(after: count) else { return false }
    guard let word = next.word else { return next.isSign(":") }
    let isHour = word == "h" && !next.isSpaced
    return isHour || language.halves[word] != nil || language.hourMarks.contains(word)
  }

  /// Takes the ending of an ordinal number, as in `12th` and `1er`, or its full stop.
  private mutating func takeOrdinal() {
    guard let token = tokens.first, !token.isSpaced, let word = token.word,
      ["st", "nd", "rd", "th", "er", "º", "ª", "o", "a"].contains(word)
    else { return }
    tokens.removeFirst()
  }

  /// Takes one of the signs after a number in Chinese, Japanese and Korean dates.
  private mutating func takeMark(_ marks: Set<String>) -> Bool {
    guard peekWord(marks) else { return false }
    tokens.removeFirst()
    return true
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
    case .nearWeekday(let weekday, let distance):
      "\(distance == 0 ? "this" : distance < 0 ? "last" : "next") "
        + EnglishDateWords.name(of: weekday)
    }
  }
}
