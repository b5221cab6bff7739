// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

// MARK: Days of a month

extension PhraseParser {
  /// Parses days of one month, such as `3-5 dec`, `3.-5.12.` and `dec 3 to 5`; nil for other
  /// tokens.
  mutating func daysOfMonth() throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    var form = PhraseForm(start: PhrasePoint(column: column))
    let month = takeMonthBeforeDay()
    if let first = takeDay(), takeSeparator() != nil {
      _ = take(.article)
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
    if !takeSign(".") { _ = takeOrdinal() }
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
    // "3.-5.12." and "3-5.12." are days, and "9-10.30" are times.
    guard isMonth, !isDottedTime else { return nil }
    return try date()
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
  mutating func date() throws(DatePhraseError) -> PhraseDay.Base? {
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
    _ = takeOrdinal()
    _ = take(.of)
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
      guard number.length == 2, !isHourWord(after: 0), !isHourWordBehindRange(after: 0) else {
        return nil
      }
      if isDateWithoutPoint(day: day, month: month) {
        return try date(day: day, month: month, since: start)
      }
      try rejectTime(hour: day, minute: month, since: start)
      return nil
    }
    if let digits = tokens.first, digits.length == 2, !digits.isSpaced, let year = digits.number {
      tokens.removeFirst()
      return try date(day: day, month: month, year: 2000 + year, since: start)
    }
    return try date(day: day, month: month, since: start)
  }

  /// Whether two numbers with a full stop between them are a date: `31.12`, or `21.12` before a time
  /// or before such a date.
  private func isDateWithoutPoint(day: Int, month: Int) -> Bool {
    guard 1...12 ~= month, 1...31 ~= day else { return false }
    if day >= 24 || isClockNext { return true }
    var rest = self
    guard rest.takeSeparator() != nil else { return false }
    _ = rest.take(.article)
    guard let last = rest.tokens.first?.number, rest.token(after: 1)?.isSign(".") == true,
      let end = rest.token(after: 2), end.length == 2, let number = end.number
    else { return false }
    return rest.token(after: 3)?.isSign(".") == true || (last >= 24 && 1...12 ~= number)
  }

  /// Whether a time with a colon follows, also after `at`.
  private var isClockNext: Bool {
    var rest = self
    _ = rest.takeSign(",")
    _ = rest.take(.at)
    return rest.tokens.first?.number != nil && rest.token(after: 1)?.isSign(":") == true
  }

  /// Whether the tokens are a time with a full stop, such as `10.30`, and no date.
  private var isDottedTime: Bool {
    guard let minute = token(after: 2), token(after: 1)?.isSign(".") == true, minute.length == 2,
      let number = minute.number
    else { return false }
    return number > 12 && token(after: 3)?.isSign(".") != true
  }

  /// Rejects `11.12`, which may be a date or a time.
  private func rejectTime(
    hour: Int, minute: Int, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) {
    guard 0...24 ~= hour, 0...59 ~= minute else { return }
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
    try expectNoYearFirst(since: start)
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

  /// Rejects `26-12-27`, whose first number may be the year as in RFC 3339, with all readings.
  private func expectNoYearFirst(since start: ArraySlice<PhraseToken>) throws(DatePhraseError) {
    let fields = start.prefix(5).filter { !$0.isSignKind }
    let numbers = fields.compactMap(\.number)
    guard start.dropFirst().first?.isSign("-") == true, numbers.count == 3,
      fields.allSatisfy({ $0.length == 2 }),
      CivilDate(year: 2000 + numbers[0], month: numbers[1], day: numbers[2]) != nil
    else { return }
    let dates = [(numbers[0], numbers[1]), (numbers[1], numbers[0])].filter { day, month in
      CivilDate(year: 2000 + numbers[2], month: month, day: day) != nil
    }
    guard !dates.isEmpty else { return }
    var readings = dates.map { day, month in
      "\(day) \(EnglishDateWords.name(ofMonth: month)) \(2000 + numbers[2])"
    }
    if readings.count == 2, readings[0] == readings[1] { readings.removeLast() }
    readings.append("20" + source(of: start.prefix(5)))
    throw DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(text(since: start))\" is ambiguous: write \(readings.joined(separator: " or "))",
      readings: readings)
  }

  /// The date of its fields, with the year that follows.
  mutating func date(
    day: Int, month: Int, year: Int? = nil, since start: ArraySlice<PhraseToken>
  ) throws(DatePhraseError) -> PhraseDay.Base {
    var year = year
    if year == nil {
      let before = tokens
      _ = takeSign(",")
      year = takeYearAfterOf()
      if year == nil { tokens = before }
      if let year, let error = timeOrYear(year, day: day, month: month, before, since: start) {
        throw error
      }
    }
    // A leap year has all dates that any year has.
    if let date = CivilDate(year: year ?? 2000, month: month, day: day) {
      return year == nil ? .dateOfYear(month: month, day: day) : .date(date)
    }
    throw DatePhraseError(
      .invalid, column: (start.first?.range.lowerBound ?? 0) + 1,
      "expected a date, found \"\(text(since: start))\", which does not exist")
  }

  /// The error of `24 dec 1930`, whose number may be a time of day; nil for a year that most dates have,
  /// and after a sign or a word.
  private func timeOrYear(
    _ year: Int, day: Int, month: Int, _ before: ArraySlice<PhraseToken>,
    since start: ArraySlice<PhraseToken>
  ) -> DatePhraseError? {
    guard year < Self.firstLikelyYear, year / 100 < 24, year % 100 < 60,
      before.first?.number == year, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let time = [year / 100, year % 100].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let readings = [
      "\(day) \(EnglishDateWords.name(ofMonth: month)) \(time.joined(separator: ":"))",
      DatePhrases.standardText(date),
    ]
    return DatePhraseError(
      .ambiguous, column: (start.first?.range.lowerBound ?? 0) + 1,
      "\"\(text(since: start))\" is ambiguous: write \(readings.joined(separator: " or "))",
      readings: readings)
  }

  /// The first year that is more likely than a time of day with the same digits.
  private static let firstLikelyYear = 1970

  /// Takes a year, which a word such as `de` may precede.
  mutating func takeYearAfterOf() -> Int? {
    let start = tokens
    _ = take(.of)
    if let year = takeYear() { return year }
    tokens = start
    return nil
  }

  /// Takes a year of four digits that is no hour of a time, or `'27`.
  private mutating func takeYear() -> Int? {
    if let sign = tokens.first, sign.isSign("'") || sign.isSign("’"),
      let digits = token(after: 1), digits.length == 2, !digits.isSpaced, let year = digits.number
    {
      tokens = tokens.dropFirst(2)
      return 2000 + year
    }
    guard let token = tokens.first, token.length == 4, let year = token.number, year > 0,
      !isHour(after: 1), self.token(after: 1)?.isSign("/") != true
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

  /// Whether a number of four digits before a position is an hour: `dec 1200 Uhr`, and not
  /// `3 gennaio 2027 ore 10`.
  private func isHour(after count: Int) -> Bool {
    let isMark = token(after: count)?.word != nil && token(after: count + 1)?.number != nil
    return isTime(after: count) && !isMark
  }

  /// Whether the number before a position is an hour: `dec 12:30`, `dec 3pm`, `mar. 9h`.
  func isTime(after count: Int) -> Bool {
    guard let next = token(after: count) else { return false }
    return next.word == nil ? next.isSign(":") : isHourWord(after: count)
  }

  /// Takes the ending of an ordinal number, as in `12th` and `1er`, or its full stop.
  ///
  /// - Returns: Whether there is one.
  mutating func takeOrdinal() -> Bool {
    guard let token = tokens.first, !token.isSpaced, let word = token.word,
      ["st", "nd", "rd", "th", "er", "º", "ª", "o", "a", "e", "ère", "°"].contains(word)
    else { return takeDegree() }
    tokens.removeFirst()
    return true
  }

  private mutating func takeDegree() -> Bool {
    guard let sign = tokens.first, !sign.isSpaced else { return false }
    return takeSign("º") || takeSign("°")
  }

  /// Takes one of the signs after a number in Chinese, Japanese and Korean dates.
  private mutating func takeMark(_ marks: Set<String>) -> Bool {
    guard peekWord(marks) else { return false }
    tokens.removeFirst()
    return true
  }
}
