// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

/// Parses the tokens of a date phrase.
///
/// ```
/// phrase     = part {[","] part}, where each kind of part occurs at most once
/// part       = range | "for" duration | "all day" | repetition | zone
/// range      = ["from"] (days | point [("-" | ".." | "to" | "until") point])
///            | "between" point "and" point
/// days       = "3-5 dec" | "3.-5.12." | "dec 3 to 5"
/// point      = day, part of the day and time, in any order; "on" may precede a day, "at" a time
/// day        = date | weekday | word | "+3d" | "in 3 days"; then offsets such as "+2d"
/// time       = "15:00" | "3pm" | "noon"; an hour alone after "at" or in a range; "1200" after a day
/// repetition = "every" … | "weekly" | "mondays", with "until" day or a number of times
/// ```
///
/// No rule looks back, and each looks ahead by a limited number of tokens, so that the time is
/// linear.
struct PhraseParser {
  /// The maximum number of parts of a phrase.
  private static let partLimit = 12

  let text: String
  let language: DateLanguage
  let zones: PhraseZones
  var tokens: ArraySlice<PhraseToken>
  /// Whether the parts before have a repetition, whose end may follow.
  var hasRepetition = false
  /// Whether the parts before end with a day, after which `1200` is a time.
  var isAfterDay = false
  /// Whether the parts before have a time and no end, so that a duration may follow.
  var isAfterTime = false
  /// Whether the parts before have a time, after which the end of a repetition may have one of its own.
  var hasTime = false
  /// The frequency of the repetition before.
  var frequency: Frequency?
  /// Whether the date is that on which a reminder is due, so that `until friday` is one.
  var isDue = false
  /// Whether the text is a part of a sentence, in which `mar` may be a word of the title.
  var isSentence = false
  /// The error of the text after the last part, with its column.
  private var partError: (column: Int, error: DatePhraseError)?

  /// Creates a parser of a text.
  init(_ text: String, _ language: DateLanguage, _ zones: PhraseZones = .none) {
    self.text = text
    self.language = language
    self.zones = zones
    tokens = language.segmented(PhraseScanner.tokens(of: text), of: text)[...]
  }

  /// Parses the whole text.
  mutating func parse() throws(DatePhraseError) -> PhraseForm {
    let form = try run()
    guard let form else {
      if let partError, partError.column == column { throw partError.error }
      throw unexpected("a date or a time")
    }
    guard tokens.isEmpty else {
      if let partError, partError.column == column { throw partError.error }
      throw unexpected("the end of the date")
    }
    return form
  }

  /// Parses the parts at the start of the text; nil if there is none.
  mutating func run() throws(DatePhraseError) -> PhraseForm? {
    var form = PhraseForm()
    var count = 0
    while count < Self.partLimit, !tokens.isEmpty {
      let start = tokens
      let isListed = count > 0 && (takeSign(",") || takeSign(";"))
      partError = nil
      do throws(DatePhraseError) {
        // "tue 9am, wed 10am", "4 dec, 11 dec" and "9am, 11am" are lists, and no ranges.
        var joined = form
        guard let part = try part(), !(isListed && form.start.hasTime && part.start.day != nil),
          joined.join(part),
          !isListed || joined.separator != .adjacent || form.separator == .adjacent
        else {
          tokens = start
          break
        }
        form = joined
        hasRepetition = form.repetition != nil
        hasTime = form.start.hasTime
        isAfterDay = part.start.day != nil && part.start.time == nil && part.end == nil
        isAfterTime = part.start.hasTime && form.end == nil && form.duration == nil
      } catch {
        guard !error.isMeantAsDate else { throw error }
        tokens = start
        partError = (column, error)
        break
      }
      count += 1
      takeParticles()
    }
    guard count > 0 else { return nil }
    if let error = form.weekdayInMonths { throw error }
    takeFinalSign()
    return form
  }

  /// Parses a part of a phrase; nil if the tokens are none.
  private mutating func part() throws(DatePhraseError) -> PhraseForm? {
    if hasRepetition, let end = try takeEndOfRepetition(isDirect: false) { return end }
    if let due = try takeDue() { return due }
    var duration = isAfterTime ? try takeDurationAfterTime() : nil
    if duration == nil { duration = try takeDuration() }
    if let duration {
      var form = PhraseForm()
      form.duration = duration
      return form
    }
    // "todo o dia" begins with a word for "every".
    if take(.allDay) != nil {
      var form = PhraseForm(start: PhrasePoint(column: column))
      form.isAllDay = true
      return form
    }
    if let form = try takeRepetition() { return form }
    if let zone = try takeZone() {
      var form = PhraseForm()
      form.zone = zone
      return form
    }
    return try range()
  }

  /// Takes the due date after `by` or `until`; nil if the tokens are none.
  private mutating func takeDue() throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    if isDue, !hasRepetition, take(.due) != nil {
      let point = try point(allowsHour: false)
      if !point.isEmpty { return PhraseForm(start: point) }
    }
    tokens = start
    return nil
  }

  /// Skips the comma or full stop at the end of a word that is the last one of a phrase.
  private mutating func takeFinalSign() {
    guard let sign = tokens.first, !sign.isSpaced, token(after: 1)?.isSpaced ?? true,
      [",", ".", ";", "!", "?"].contains(where: sign.isSign)
    else { return }
    tokens.removeFirst()
  }

  /// Skips words without a meaning of their own, such as `Uhr` after `9:15`.
  mutating func takeParticles() {
    for _ in 0..<2 { _ = take(.particle) }
  }
}

// MARK: Ranges

extension PhraseParser {
  /// Parses a point, or two of them with a separator; nil if the tokens are none.
  private mutating func range() throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    if let form = try rangeBetween() { return form }
    // "de la mañana" is a part of a day.
    let isPart = (language.vocabulary.match(.part, tokens)?.count ?? 0) > 1
    let from = isPart ? nil : take(.from)
    if let days = try daysOfMonth() { return days }
    var form = PhraseForm(start: try point(allowsHour: from != nil && isRangeOfHours))
    if form.start.isEmpty, from != nil {
      // "de la mañana" begins with words that are a preposition elsewhere.
      tokens = start
      form = PhraseForm(start: try point(allowsHour: false))
    }
    guard !form.start.isEmpty else {
      tokens = start
      return nil
    }
    form.isAnchor = from != nil
    form.isStart = from == "start"
    if from != nil { form.start.time?.isPlain = false }
    let rest = tokens
    let isRepeated = isEndOfRepetition(after: form.start)
    let isUntil = language.vocabulary.match(.untilOnly, rest) != nil
    form.isBeforeEnd = isRepeated
    form.sharesYear = from != nil || isRepeated && !isUntil && form.start.time == nil
    if !isRepeated, let separator = takeSeparator() {
      // "viernes 4 por la noche a las 9" has a day, and no hour before the part of it.
      let isDay = separator == .at && from == nil && form.start.day != nil
      if isDay, form.start.time?.hasPart == true {
        tokens = rest
      } else if try !takeEnd(separator, into: &form) {
        guard separator != .points, !rest.isEmpty else { throw unexpected("the end of the range") }
        tokens = rest
      }
    }
    return form
  }

  /// Parses `between` with two points; nil if the tokens are none.
  private mutating func rangeBetween() throws(DatePhraseError) -> PhraseForm? {
    let start = tokens
    guard take(.between) != nil else { return nil }
    var form = PhraseForm(start: try point(allowsHour: true))
    guard !form.start.isEmpty, take(.and) != nil, try takeEnd(.hyphen, into: &form) else {
      tokens = start
      return nil
    }
    form.start.time?.isPlain = false
    return form
  }

  private mutating func takeEnd(
    _ separator: PhraseForm.Separator, into form: inout PhraseForm
  ) throws(DatePhraseError) -> Bool {
    let end = try point(allowsHour: true)
    guard !end.isEmpty else { return false }
    (form.separator, form.end) = (separator, end)
    // "from the 10th to the 12th of january"
    if case .dayOfMonth(let first)? = form.start.day?.base,
      case .dateOfYear(let month, let last)? = end.day?.base, first <= last
    {
      form.start.day?.base = .dateOfYear(month: month, day: first)
    }
    return true
  }

  /// Takes the separator of a range.
  mutating func takeSeparator() -> PhraseForm.Separator? {
    if takeSign("..") { return .points }
    if takeSign("-") { return .hyphen }
    let isAt = language.vocabulary.match(.at, tokens) != nil
    return take(.to) == nil ? nil : isAt ? .at : .hyphen
  }

  /// Whether the tokens are the end of a repetition, as in `every tue 18:00 until 18 dec`.
  private func isEndOfRepetition(after start: PhrasePoint) -> Bool {
    guard hasRepetition, let until = language.vocabulary.match(.until, tokens) else {
      return false
    }
    var rest = self
    rest.tokens = tokens.dropFirst(until.count)
    guard let point = try? rest.untilPoint(), !point.isEmpty else { return false }
    return start.time != nil || start.moment != nil || start.day != nil
  }

  /// Parses a point, which is empty if the tokens are none.
  mutating func point(allowsHour: Bool) throws(DatePhraseError) -> PhrasePoint {
    var point = PhrasePoint(column: column)
    var part: (value: PhraseTime.Part, before: ArraySlice<PhraseToken>)?
    let isDayKnown = isAfterDay || hasRepetition
    // At most a day, a part of it and a time.
    for _ in 0..<3 {
      let before = tokens
      if !point.isEmpty { _ = takeSign(",") }
      if point.isEmpty, part == nil, let moment = takeMoment() {
        guard take(moment, into: &point) else { return point }
      } else if point.day == nil, part == nil || point.time != nil, !isHyphen(after: point.time),
        let day = try dayAfterOn(&part)
      {
        point.day = day
      } else if part == nil, point.time?.isAfternoon == nil, let value = takePart() {
        part = (value, before)
      } else if point.time == nil,
        let time = try timeAfterAt(allowsHour, isAfterDay: point.day != nil, part?.value)
      {
        point.time = time
      } else {
        tokens = before
        break
      }
    }
    guard let part else { return point }
    let isTonight = language.vocabulary.match(.tonight, part.before) != nil
    if point.day == nil, !isDayKnown, Self.nouns.contains(part.before.first?.word ?? "") {
      // "Movie night 8pm" has a word of the title.
      tokens = part.before
      return PhrasePoint(column: point.column)
    }
    guard let time = point.time else {
      // A part of the day is no hour, and "tonight" is one with its day.
      if isTonight { point.day = nil }
      tokens = part.before
      return point
    }
    guard let exact = time.inPart(part.value) else {
      throw DatePhraseError(
        .invalid, column: time.column, "expected an hour of the \(part.value.rawValue)")
    }
    point.time = exact
    point.isNight = exact.hour < 6 && (isTonight || part.value == .night)
    return point
  }

  /// The English nouns of parts of the day.
  private static let nouns: Set<String> = ["morning", "afternoon", "evening", "night"]

  /// Whether a range of times goes on without a space, so that `20h-22h` has no offset.
  private func isHyphen(after time: PhraseTime?) -> Bool {
    time != nil && peekSign("-") && tokens.first?.isSpaced == false
  }

  /// Parses a day, which words such as `on` may precede; `tonight` is today with a part of the day.
  private mutating func dayAfterOn(
    _ part: inout (value: PhraseTime.Part, before: ArraySlice<PhraseToken>)?
  ) throws(DatePhraseError) -> PhraseDay? {
    let start = tokens
    if part == nil, let value = take(.tonight) {
      var day = PhraseDay(column: column)
      day.base = .day(0)
      part = PhraseTime.Part(rawValue: value).map { ($0, start) }
      return day
    }
    if take(.on) != nil {
      let column = column
      if let moment = takeMoment(), case .date(let date) = moment {
        var day = PhraseDay(column: column)
        day.base = .date(date)
        return day
      }
      if let day = try day() ?? dayOfMonth() { return day }
      tokens = start
    }
    if let day = try day() { return day }
    // "the 15th"
    guard take(.article) != nil, token(after: 1)?.isSpaced == false, let day = dayOfMonth() else {
      tokens = start
      return nil
    }
    return day
  }

  /// Takes a part of the day, such as `morning`.
  private mutating func takePart() -> PhraseTime.Part? {
    // "mittags" is noon, but in "mittags um 12" and "mittag 12 Uhr" a part of the day.
    if let noon = language.vocabulary.match(.noon, tokens) {
      let rest = tokens.dropFirst(noon.count)
      guard rest.first?.number != nil || language.vocabulary.match(.at, rest) != nil else {
        return nil
      }
    }
    // After an hour, a noun such as "night" is a word of the title.
    return take(.part).flatMap {
      PhraseTime.Part(rawValue: $0.hasSuffix("!") ? String($0.dropLast()) : $0)
    }
  }

  private mutating func timeAfterAt(
    _ allowsHour: Bool, isAfterDay: Bool, _ part: PhraseTime.Part?
  ) throws(DatePhraseError) -> PhraseTime? {
    let start = tokens
    let isAfterDay = isAfterDay || (self.isAfterDay && !allowsHour)
    if let time = try time(
      TimeContext(
        isAfterAt: false, allowsHour: allowsHour || isRangeOfHours || part != nil,
        isAfterDay: isAfterDay))
    {
      return time
    }
    guard take(.at) != nil else { return nil }
    var rest = self
    // "à 3 janvier" is the end of a range.
    guard (try? rest.date()) == nil else {
      tokens = start
      return nil
    }
    if let time = try time(TimeContext(isAfterAt: true, allowsHour: true, isAfterDay: true)) {
      return time
    }
    tokens = start
    return nil
  }

  /// Stores a moment as a day and a time; false for an instant, to which nothing can be added.
  private func take(_ moment: Moment, into point: inout PhrasePoint) -> Bool {
    switch moment {
    case .date(let date):
      point.day = PhraseDay(column: point.column, base: .date(date))
      return true
    case .local, .instant:
      point.moment = moment
      return false
    }
  }

  /// Takes a date or time in iCalendar or RFC 3339 format, up to the next white space.
  mutating func takeMoment() -> Moment? {
    guard let first = tokens.first, first.number != nil else { return nil }
    let rest = tokens.dropFirst().prefix { !$0.isSpaced && !$0.isSign("..") && !$0.isSign(",") }
    let count = rest.count + 1
    guard count <= 20 else { return nil }
    let chunk = PhraseScanner.withASCIIDigits(source(of: tokens.prefix(count)))
    guard let moment = try? Moment(parsing: chunk) else { return nil }
    tokens = tokens.dropFirst(count)
    return moment
  }

  /// Whether the tokens are an hour, a separator and another hour, as in `9-10:30` and `9 to 11`.
  var isRangeOfHours: Bool {
    guard let first = tokens.first, first.number != nil, first.length <= 2 || isClock(first) else {
      return false
    }
    var rest = tokens.dropFirst()
    if let part = language.vocabulary.match(.part, rest) { rest = rest.dropFirst(part.count) }
    guard let separator = rest.first else { return false }
    if separator.isSign("-") || separator.isSign("..") {
      rest = rest.dropFirst()
    } else if let to = language.vocabulary.match(.to, rest) {
      rest = rest.dropFirst(to.count)
    } else {
      return false
    }
    return rest.first?.number != nil || language.vocabulary.match(.noon, rest) != nil
  }

  /// Whether a number of four digits is a time in whole five minutes, such as `0930`.
  func isClock(_ token: PhraseToken) -> Bool {
    guard token.length == 4, let number = token.number else { return false }
    return 0...24 ~= number / 100 && 0...55 ~= number % 100 && number % 5 == 0 && number <= 2400
  }
}

// MARK: Tokens

extension PhraseParser {
  /// The column of the next token, from 1.
  var column: Int { (tokens.first?.range.lowerBound ?? text.utf8.count) + 1 }

  /// Takes the words of a concept.
  ///
  /// - Returns: Their value, which is empty for most concepts; nil if the tokens are others.
  mutating func take(_ concept: PhraseConcept) -> String? {
    guard let match = language.vocabulary.match(concept, tokens) else { return nil }
    tokens = tokens.dropFirst(match.count)
    return match.value
  }

  func peekWord(_ words: Set<String>) -> Bool {
    tokens.first?.word.map(words.contains) ?? false
  }

  func peekSign(_ sign: String) -> Bool { tokens.first?.isSign(sign) ?? false }

  /// The token after `count` others.
  func token(after count: Int) -> PhraseToken? { tokens.dropFirst(count).first }

  mutating func takeSign(_ sign: String) -> Bool {
    guard peekSign(sign) else { return false }
    tokens.removeFirst()
    return true
  }

  /// The error for the next token.
  func unexpected(_ expected: String) -> DatePhraseError {
    guard let token = tokens.first else {
      return DatePhraseError(.syntax, column: column, "expected \(expected), found the end")
    }
    let found = source(of: tokens.prefix { $0.range == token.range || !$0.isSpaced })
    return DatePhraseError(
      .syntax, column: column, "expected \(expected), found \"\(found.prefix(40))\"")
  }

  /// The text between earlier tokens and the current ones.
  func text(since start: ArraySlice<PhraseToken>) -> String {
    source(of: start.prefix(start.count - tokens.count))
  }

  /// The text of tokens.
  func source(of tokens: ArraySlice<PhraseToken>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(
      decoding: text.utf8.dropFirst(first.range.lowerBound)
        .prefix(last.range.upperBound - first.range.lowerBound), as: UTF8.self)
  }
}
