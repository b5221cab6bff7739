// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// Parses the tokens of a date phrase.
///
/// ```
/// phrase    = (days | point [("-" | ".." | "to" | "until") point]) ["for" duration]
/// days      = "3-5 dec" | "3.-5.12." | "dec 3 to 5"
/// point     = day, time or both, in any order; "on" may precede a day, "at" a time
/// day       = date | weekday | word | "+3d" | "in 3 days"; then offsets such as "+2d"
/// time      = "15:00" | "3pm" | "noon"; an hour alone after "at" or in a range
/// ```
///
/// No rule looks back, and each looks ahead by a limited number of tokens, so that the time is
/// linear.
struct PhraseParser {
  let text: String
  let language: DateLanguage
  var tokens: ArraySlice<PhraseToken>

  /// Creates a parser of a text.
  init(_ text: String, _ language: DateLanguage) {
    self.text = text
    self.language = language
    tokens = PhraseScanner.tokens(of: text)[...]
  }

  /// Parses the whole text.
  mutating func parse() throws(DatePhraseError) -> PhraseForm {
    skipWord(["from"])
    var form: PhraseForm
    if let days = try daysOfMonth() { form = days } else { form = try range() }
    if form.end == nil, peekWord(["for"]) {
      tokens.removeFirst()
      form.duration = try duration()
    }
    guard tokens.isEmpty else { throw unexpected("the end of the date") }
    return form
  }

  /// Parses a point, or two of them with a separator.
  private mutating func range() throws(DatePhraseError) -> PhraseForm {
    var form = PhraseForm(start: try point(isEnd: false))
    guard !form.start.isEmpty else { throw unexpected("a date or a time") }
    if let separator = takeSeparator() {
      let end = try point(isEnd: true)
      guard !end.isEmpty else { throw unexpected("the end of the range") }
      form.separator = separator
      form.end = end
    }
    return form
  }

  /// Parses a point, which is empty if the tokens are none.
  private mutating func point(isEnd: Bool) throws(DatePhraseError) -> PhrasePoint {
    var point = PhrasePoint(column: column)
    // At most a day and a time.
    for _ in 0..<2 {
      var isTime = false
      let before = tokens
      if !point.isEmpty { _ = takeSign(",") }
      if peekWord(["on"]), point.day == nil {
        tokens.removeFirst()
      } else if peekWord(["at"]) || peekSign("@"), point.time == nil {
        tokens.removeFirst()
        isTime = true
      }
      if point.isEmpty, let moment = takeMoment() {
        guard take(moment, into: &point) else { return point }
      } else if point.day == nil, !isTime, let day = try day() {
        point.day = day
      } else if point.time == nil,
        let time = try time(allowsHour: isTime || isEnd || isRangeOfHours)
      {
        point.time = time
      } else {
        tokens = before
        return point
      }
    }
    return point
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
    guard count <= 20, let last = tokens.prefix(count).last else { return nil }
    let chunk = String(
      decoding: text.utf8.dropFirst(first.range.lowerBound)
        .prefix(last.range.upperBound - first.range.lowerBound), as: UTF8.self)
    guard let moment = try? Moment(parsing: chunk) else { return nil }
    tokens = tokens.dropFirst(count)
    return moment
  }

  /// Takes the separator of a range.
  mutating func takeSeparator() -> PhraseForm.Separator? {
    if takeSign("..") { return .points }
    guard peekSign("-") || peekWord(["to", "until", "till"]) else { return nil }
    tokens.removeFirst()
    return .hyphen
  }

  /// Whether the tokens are an hour, a hyphen and another number, as in `9-10:30`.
  private var isRangeOfHours: Bool {
    let following = tokens.prefix(3)
    guard following.count == 3, let separator = following.dropFirst().first,
      following.last?.number != nil || following.last?.word == "noon"
    else { return false }
    return separator.isSign("-") || separator.isSign("..") || separator.word == "to"
      || separator.word == "until"
  }
}

// MARK: Tokens

extension PhraseParser {
  /// The column of the next token, from 1.
  var column: Int { (tokens.first?.range.lowerBound ?? text.utf8.count) + 1 }

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

  mutating func skipWord(_ words: Set<String>) {
    if peekWord(words) { tokens.removeFirst() }
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

  /// The text of tokens.
  func source(of tokens: ArraySlice<PhraseToken>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(
      decoding: text.utf8.dropFirst(first.range.lowerBound)
        .prefix(last.range.upperBound - first.range.lowerBound), as: UTF8.self)
  }
}
