// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICUServices

/// Parses dates and times as people write them.
///
/// ```swift
/// let phrases = DatePhrases(now: machine.now(), zone: berlin, language: language)
/// try phrases.moment("tomorrow 12:30")           // .local(2026-11-26 12:30)
/// try phrases.span("fri 9-10:30").reading        // "Fri 2026-11-27 09:00-10:30"
/// try phrases.split(["Lunch", "tomorrow", "12:30", "for", "1h"]).title   // ["Lunch"]
/// ```
///
/// A text in iCalendar or RFC 3339 format always has this meaning. Otherwise the words are those of
/// the language and the English ones, in upper or lower case.
///
/// | phrase | meaning |
/// |---|---|
/// | `today`, `tomorrow`, `yesterday` | that day |
/// | `fri`, `this fri` | the first Friday from today on |
/// | `next fri`, `last fri` | the first Friday after today, the last one before today |
/// | `11.12.`, `11 dec`, `dec 11` | the first such date from today on |
/// | `11.12.2026`, `11 dec 2026` | that date |
/// | `dec`, `dec 2026`, `2026-12`, `next month` | that month |
/// | `this week`, `next year` | that period; weeks begin as in the country of the locale |
/// | `+3d`, `in 2 weeks`, `2 days ago` | that many days from today |
/// | `+2h`, `in 90 minutes`, `now` | that much time from now on, in whole minutes |
/// | `tomorrow+2d 16:30` | the day with the offset, at the time |
/// | `15:00`, `3pm`, `noon`, `at 9` | that time, today unless a day is named |
/// | `fri 9-10:30`, `mon..fri`, `9 to 5pm tomorrow` | from the start until the end |
/// | `tomorrow 12:30 for 1h`, `mon for 3 days` | from the start for a duration |
///
/// In a range, the last day is included. The end is on the day of the start, or on the next day if
/// its time is not after the start's. In the end of a range, weekdays, dates without a year and
/// offsets count from the start.
///
/// A text with several readings, such as `11/12`, is rejected with all of them; the locale does not
/// decide, so that a command has the same meaning on every machine. A local time in a gap of the
/// zone is moved by the length of the gap; a local time that occurs twice is the first one.
public struct DatePhrases: Sendable {
  /// The maximum length of a phrase in bytes.
  public static let limit = 200

  /// The maximum number of words in a phrase.
  private static let wordLimit = 12

  /// The current time.
  public let now: Instant
  /// The viewer's time zone.
  public let zone: ZoneRules
  /// The words.
  public let language: DateLanguage

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - zone: The viewer's time zone.
  ///   - language: The words in addition to the English ones.
  public init(now: Instant, zone: ZoneRules, language: DateLanguage = .english) {
    self.now = now
    self.zone = zone
    self.language = language
  }

  /// Creates a parser for the clock and the locale of a machine.
  ///
  /// - Parameters:
  ///   - machine: The clock and the locale.
  ///   - zone: The viewer's time zone.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(machine: Machine, zone: ZoneRules) throws(ICUError) {
    self.init(
      now: machine.now(), zone: zone, language: try DateLanguage(locale: machine.dateLocale))
  }

  /// Parses a single date or time; of a period, the first day.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The date or the time.
  /// - Throws: `DatePhraseError`, also for a range and for a phrase with a duration.
  public func moment(_ text: String) throws(DatePhraseError) -> Moment {
    if let moment = Self.standardMoment(text) { return moment }
    let form = try form(of: text)
    if let end = form.end {
      throw DatePhraseError(
        .notSingle, column: end.column, "expected a single date or time, found a range")
    }
    if let duration = form.duration {
      throw DatePhraseError(
        .notSingle, column: duration.column, "expected a date or time, found a duration")
    }
    return try resolver.span(of: form).start
  }

  /// Parses a day, a period, a time or a range.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The span.
  /// - Throws: `DatePhraseError`.
  public func span(_ text: String) throws(DatePhraseError) -> DateSpan {
    if let moment = Self.standardMoment(text) { return resolver.span(at: moment) }
    return try resolver.span(of: try form(of: text))
  }

  /// Parses a new time of an item, which keeps what the text does not name.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The phrase, whose span depends on the stored time.
  /// - Throws: `DatePhraseError`.
  func timePhrase(_ text: String) throws(DatePhraseError) -> TimePhrase {
    try TimePhrase(text, self)
  }

  /// The parsed text; a date or time in a standard format is a point, too.
  func pointForm(of text: String) throws(DatePhraseError) -> PhraseForm {
    guard let moment = Self.standardMoment(text) else { return try form(of: text) }
    var point = PhrasePoint(column: 1)
    if case .date(let date) = moment {
      point.day = PhraseDay(column: 1, base: .date(date))
    } else {
      point.moment = moment
    }
    return PhraseForm(start: point)
  }

  /// Finds the date phrase among words.
  ///
  /// The phrase is the longest run of words that is one; of several, the last one. A single word is
  /// not a phrase if it is the name of a month or has fewer than three letters. A word may contain
  /// spaces: it is a part of the phrase as a whole or not at all.
  ///
  /// - Parameter words: The words, such as the arguments of a command.
  /// - Returns: The span, and the words before and after it.
  /// - Throws: `DatePhraseError` if the longest run that is meant as a date is ambiguous or
  ///   invalid; its column counts from the start of that run.
  public func split(_ words: [String]) throws(DatePhraseError) -> PhraseSplit {
    var failure: DatePhraseError?
    for length in stride(from: min(words.count, Self.wordLimit), to: 0, by: -1) {
      for start in stride(from: words.count - length, through: 0, by: -1) {
        let range = start..<start + length
        let run = words[range].joined(separator: " ")
        guard !Self.isOrdinaryWord(run, language) else { continue }
        do throws(DatePhraseError) {
          let span = try span(run)
          return PhraseSplit(
            title: Array(words[..<start] + words[range.upperBound...]), span: span, range: range)
        } catch {
          if error.isMeantAsDate, failure == nil { failure = error }
        }
      }
      if let failure { throw failure }
    }
    return PhraseSplit(title: words, span: nil, range: 0..<0)
  }

  /// The unambiguous text of a date or time, which is a phrase for the same one at any time.
  public func reading(of moment: Moment) -> String { MomentReading(zone: zone).text(moment) }

  private var resolver: PhraseResolver {
    PhraseResolver(now: now, zone: zone, firstWeekday: language.firstWeekday)
  }

  private func form(of text: String) throws(DatePhraseError) -> PhraseForm {
    guard text.utf8.count <= Self.limit else {
      throw DatePhraseError(
        .tooLong, column: Self.limit + 1, "expected a date of at most \(Self.limit) bytes")
    }
    var parser = PhraseParser(text, language)
    do throws(DatePhraseError) {
      return try parser.parse()
    } catch {
      throw Self.standardError(text) ?? error
    }
  }

  /// The error of a text that is meant to be in iCalendar or RFC 3339 format; nil for others.
  private static func standardError(_ text: String) -> DatePhraseError? {
    // Another word, or the end of a range, does not make a date invalid.
    let first = text.split(whereSeparator: \.isWhitespace).first ?? ""
    let word = first.firstRange(of: "..").map { first[..<$0.lowerBound] } ?? first
    let lengths = word.utf8.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.count)
    guard lengths == [8] || lengths == [4, 2, 2] else { return nil }
    do throws(BasicFormatError) {
      _ = try Moment(parsing: String(word))
      return nil
    } catch {
      return DatePhraseError(.invalid, column: 1, "\(error)")
    }
  }

  /// The date or time in iCalendar or RFC 3339 format.
  private static func standardMoment(_ text: String) -> Moment? {
    text.utf8.count > limit ? nil : try? Moment(parsing: text)
  }

  /// Whether a text is a word that is more often no date, such as `may` and the German `so`.
  private static func isOrdinaryWord(_ text: String, _ language: DateLanguage) -> Bool {
    let tokens = PhraseScanner.tokens(of: text)
    guard tokens.count == 1, let word = tokens.first?.word else { return false }
    if word.count < 3, word.utf8.count == word.count { return true }
    let meanings = language.match(tokens[...])?.meanings ?? []
    return meanings.contains { if case .month = $0 { true } else { false } }
  }
}
