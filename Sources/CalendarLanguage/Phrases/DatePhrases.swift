// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import ICUServices

/// Parses dates and times as people write them.
///
/// ```swift
/// let phrases = DatePhrases(now: now, zone: berlin, language: language)
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
/// | `friday next week`, `this weekend` | that day, those two days |
/// | `next weekend` | the first weekend that begins after today, as for `next sat` |
/// | `11.12.`, `11 dec`, `dec 11` | the first such date from today on |
/// | `11.12.2026`, `11 dec 2026` | that date |
/// | `the 15th`, `first monday of december` | the first such day from today on |
/// | `dec`, `dec 2026`, `2026-12`, `next month` | that month |
/// | `this week`, `next year` | that period; weeks begin as in the country of the locale |
/// | `+3d`, `in 2 weeks`, `2 days ago` | that many days from today |
/// | `a week from friday`, `last day of the month`, `end of january` | that day |
/// | `+2h`, `in 90 minutes`, `in half an hour`, `now` | that much time from now on, in whole minutes |
/// | `tomorrow+2d 16:30` | the day with the offset, at the time |
/// | `15:00`, `3pm`, `noon`, `at 9` | that time, today unless a day is named |
/// | `tomorrow 0930`, `tonight at 8`, `friday evening 7:30` | that time |
/// | `fri 9-10:30`, `mon..fri`, `9 to 5pm tomorrow` | from the start until the end |
/// | `fri from 9 to 11`, `fri between 9 and 11`, `fri 9:00 11:00` | from the start until the end |
/// | `21 dec 31 dec`, `from monday through friday` | those days |
/// | `tomorrow 12:30 for 1h`, `15:00 half an hour`, `mon for 3 days` | from the start for a duration |
/// | `fri 9:00 America/New_York`, `fri 9:00 UTC` | the time in that zone |
///
/// In the words of a new item (``split(_:_:)``), a time without a day is the next one from now on,
/// a month or a year alone is rejected, and a repetition may precede or follow the date:
///
/// | repetition | meaning |
/// |---|---|
/// | `daily`, `weekly`, `monthly`, `yearly`, `weekdays` | from the date on, or from today on |
/// | `biweekly`, `every other week`, `alternate fridays`, `every 2 days` | with an interval |
/// | `every monday`, `every mon and thu`, `on mondays` | from the first of these days on |
/// | `friday nights at 9` | on these days, at the hour of the part of the day |
/// | `every last friday of the month`, `every month on the 15th` | that day of each month |
/// | `every last day of the month`, `1st and 15th of every month` | these days of each month |
/// | `… until 18 dec`, `… 10 times` | the last day, the number of occurrences |
///
/// In a range, the last day is included. The end is on the day of the start, or on the next day if
/// that is at most twelve hours later. In the end of a range, weekdays, dates without a year and
/// offsets count from the start.
///
/// A text with several readings, such as `11/12` or `at 3`, is rejected with all of them; the locale
/// does not decide, so that a command has the same meaning on every machine. A local time that the
/// clocks skip, and midnight beside a day, are rejected, too. A local time that occurs twice is the
/// first one.
public struct DatePhrases: Sendable {
  /// The maximum length of a phrase in bytes.
  public static let limit = 200

  /// The current time.
  public let now: Instant
  /// The viewer's time zone.
  public let zone: ZoneRules
  /// The words.
  public let language: DateLanguage
  /// The time zones that a phrase can name.
  public let zones: PhraseZones

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - zone: The viewer's time zone.
  ///   - language: The words in addition to the English ones.
  ///   - zones: The time zones that a phrase can name.
  public init(
    now: Instant, zone: ZoneRules, language: DateLanguage = .english, zones: PhraseZones = .none
  ) {
    self.now = now
    self.zone = zone
    self.language = language
    self.zones = zones
  }

  /// Parses a single date or time; of a period, the first day.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The date or the time.
  /// - Throws: `DatePhraseError`, also for a range and for a phrase with a duration.
  public func moment(_ text: String) throws(DatePhraseError) -> Moment {
    if let moment = Self.standardMoment(text) { return try resolver().span(at: moment).start }
    let form = try form(of: text)
    if let end = form.end {
      throw DatePhraseError(
        .notSingle, column: end.column, "expected a single date or time, found a range")
    }
    if let duration = form.duration {
      throw DatePhraseError(
        .notSingle, column: duration.column, "expected a date or time, found a duration")
    }
    return try span(of: form).start
  }

  /// Parses a day, a period, a time or a range.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The span.
  /// - Throws: `DatePhraseError`.
  public func span(_ text: String) throws(DatePhraseError) -> DateSpan {
    if let moment = Self.standardMoment(text) { return try resolver().span(at: moment) }
    return try span(of: try form(of: text))
  }

  /// Parses a new time of an item, which keeps what the text does not name.
  ///
  /// - Parameter text: The phrase.
  /// - Returns: The phrase, whose span depends on the stored time.
  /// - Throws: `DatePhraseError`.
  package func timePhrase(_ text: String) throws(DatePhraseError) -> TimePhrase {
    try TimePhrase(text, self)
  }

  /// Parses a duration in words of the language, such as `2 hours` and `zwei Stunden`.
  ///
  /// - Parameter text: The text.
  /// - Returns: The duration; nil if the text is none.
  package func duration(_ text: String) -> CivilDuration? {
    guard text.utf8.count <= Self.limit else { return nil }
    var parser = PhraseParser(text, language, zones)
    guard let duration = try? parser.takeWholeDuration() else { return nil }
    let seconds = duration.seconds
    return CivilDuration(
      days: duration.days, hours: seconds / 3600, minutes: seconds / 60 % 60, seconds: seconds % 60)
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

  /// The unambiguous text of a date or time, which is a phrase for the same one at any time.
  public func reading(of moment: Moment) -> String { MomentReading(zone: zone).text(moment) }

  /// The span of a form without a repetition; with the name of a zone, it consists of instants.
  private func span(of form: PhraseForm) throws(DatePhraseError) -> DateSpan {
    if let repetition = form.repetition {
      throw DatePhraseError(
        .notSingle, column: repetition.column, "expected a date or time, found a repetition")
    }
    guard form.hasPoint else {
      throw DatePhraseError(.syntax, column: 1, "expected a date or a time")
    }
    guard let other = form.zone else { return try resolver().span(of: form) }
    let span = try resolver(in: other.rules).span(of: form)
    guard !span.isAllDay else {
      throw DatePhraseError(
        .syntax, column: other.column, "expected a time beside the time zone")
    }
    return DateSpan(
      from: .instant(span.start.instant(in: other.rules)),
      to: span.end.map { .instant($0.instant(in: other.rules)) }, in: zone)
  }

  /// The resolver of times in a zone; nil for the viewer's.
  func resolver(in other: ZoneRules? = nil, isNext: Bool = false) -> PhraseResolver {
    PhraseResolver(
      now: now, viewer: zone, zone: other, firstWeekday: language.firstWeekday, isNext: isNext)
  }

  private func form(of text: String) throws(DatePhraseError) -> PhraseForm {
    guard text.utf8.count <= Self.limit else {
      throw DatePhraseError(
        .tooLong, column: Self.limit + 1, "expected a date of at most \(Self.limit) bytes")
    }
    var parser = PhraseParser(text, language, zones)
    do throws(DatePhraseError) {
      return try parser.parse()
    } catch {
      throw Self.standardError(text) ?? error
    }
  }

  /// The error of a text that is meant to be in iCalendar or RFC 3339 format; nil for others.
  static func standardError(_ text: String) -> DatePhraseError? {
    // Another word, or the end of a range, does not make a date invalid.
    let first = text.split(whereSeparator: \.isWhitespace).first ?? ""
    let word = first.firstRange(of: "..").map { first[..<$0.lowerBound] } ?? first
    let lengths = word.utf8.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.count)
    if let padded = paddedDate(String(word)) {
      return DatePhraseError(
        .invalid, column: 1, "\"\(word)\" is not read as a date: write \(standardText(padded))")
    }
    guard lengths == [8] || lengths == [4, 2, 2] else { return nil }
    do throws(BasicFormatError) {
      _ = try Moment(parsing: String(word))
      return nil
    } catch {
      return DatePhraseError(.invalid, column: 1, "\(error)")
    }
  }

  /// The date in RFC 3339 format.
  static func standardText(_ date: CivilDate) -> String {
    let year = String("000\(date.year)".suffix(4))
    return ([year] + [date.month, date.day].map { $0 < 10 ? "0\($0)" : "\($0)" })
      .joined(separator: "-")
  }

  /// The date in RFC 3339 format for one that begins with the year and lacks zeros, or has full stops;
  /// nil for other words.
  private static func paddedDate(_ word: String) -> CivilDate? {
    let sign: Character = word.contains("-") ? "-" : "."
    let parts = word.split(separator: sign, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      parts.dropFirst().allSatisfy({ 1...2 ~= $0.count }),
      sign == "." || parts.contains(where: { $0.count == 1 })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    return CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The date or time in iCalendar or RFC 3339 format.
  private static func standardMoment(_ text: String) -> Moment? {
    text.utf8.count > limit ? nil : try? Moment(parsing: PhraseScanner.withASCIIDigits(text))
  }
}
