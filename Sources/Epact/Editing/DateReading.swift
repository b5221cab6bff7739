// SPDX-License-Identifier: Apache-2.0

public import CalendarLanguage
public import CivilTime

/// Reads the dates and times that users write, in the language of the machine's user.
///
/// It is the only place of everyday edits where a text becomes a date.
public struct DateReading: Sendable {
  private let phrases: DatePhrases

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - machine: The clock and the language.
  ///   - viewer: The time zone of days and times.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(machine: Machine, viewer: ZoneRules) throws {
    phrases = try DatePhrases(machine: machine, zone: viewer)
  }

  /// The date or time of a text.
  ///
  /// - Throws: `EpactError` if the text is not one, or has several readings.
  public func moment(_ text: String) throws(EpactError) -> Moment {
    do throws(EpactError) {
      return try Self.describing { () throws(DatePhraseError) in try phrases.moment(text) }
    } catch {
      // `--until 20 dec` gives the option the first word alone.
      guard error.remedy == nil, Self.begins(text) else { throw error }
      throw EpactError(
        error.code, error.message, details: error.details,
        remedy: .other("A date of several words is in quotation marks."))
    }
  }

  /// Whether a text may be the first word of a date of several words.
  private static func begins(_ text: String) -> Bool {
    1...2 ~= text.count && text.allSatisfy(\.isNumber)
      || ["next", "this", "last", "the"].contains(text.lowercased())
  }

  /// The dates or times that a text may mean in the name of an item, the most probable one first.
  ///
  /// A day and a month without a year mean the nearest one: an item is named that exists, also one of
  /// last week.
  ///
  /// - Parameter text: The text.
  /// - Returns: One or two dates or times.
  /// - Throws: `EpactError` if the text is not one, or has several readings.
  func moments(naming text: String) throws(EpactError) -> [Moment] {
    let (next, other) = try occurrence(text)
    guard let past = other else { return [next] }
    func distance(_ moment: Moment) -> Int64 {
      let seconds = moment.instant(in: phrases.zone).secondsSinceEpoch
      return abs(seconds - phrases.now.secondsSinceEpoch)
    }
    return distance(past) < distance(next) ? [past, next] : [next, past]
  }

  /// The date or time of an occurrence, for a ``SpanChoice``.
  ///
  /// A day and a month without a year mean the next one, or the one before it.
  ///
  /// - Throws: `EpactError` if the text is not a date, or has several readings.
  public func occurrence(_ text: String) throws(EpactError) -> (first: Moment, other: Moment?) {
    let next = try moment(text)
    guard let phrase = try? timePhrase(text), phrase.namesDayOfYear else { return (next, nil) }
    return (next, Self.yearBefore(next))
  }

  /// The same day and time a year before; nil if there is none.
  private static func yearBefore(_ moment: Moment) -> Moment? {
    func before(_ date: CivilDate) -> CivilDate? {
      CivilDate(year: date.year - 1, month: date.month, day: date.day)
    }
    return switch moment {
    case .date(let date): before(date).map { .date($0) }
    case .local(let wall): before(wall.date).map { .local(CivilDateTime($0, wall.time)) }
    case .instant: nil
    }
  }

  /// The time span of a text: days, a time, or a range of times.
  ///
  /// - Throws: `EpactError` if the text is not one, or has several readings.
  public func span(_ text: String) throws(EpactError) -> DateSpan {
    try Self.describing { () throws(DatePhraseError) in try phrases.span(text) }
  }

  /// The words of a command line, split into the title and the date phrase among them.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - options: The values of options.
  /// - Returns: The split.
  /// - Throws: `EpactError` if the phrase has several readings, if a word of time is not understood,
  ///   or if the words contradict an option.
  public func split(
    _ words: [String], _ options: SentenceOptions = SentenceOptions()
  ) throws(EpactError) -> PhraseSplit {
    try Self.describing { () throws(DatePhraseError) in try phrases.split(words, options) }
  }

  /// The duration of a text, such as `1h30m`, `2 hours` or `zwei Stunden`; nil if the text is none.
  public func duration(_ text: String) -> CivilDuration? {
    DurationText.duration(text) ?? phrases.duration(text)
  }

  /// Whether a single word is a time of day with minutes or a mark, such as `15:00`, `3pm` or `15h`.
  public func isClockTime(_ word: String) -> Bool {
    guard word.contains(where: \.isNumber), word.contains(where: { $0 == ":" || $0.isLetter }),
      !word.contains(where: \.isWhitespace), let phrase = try? timePhrase(word)
    else { return false }
    return phrase.namesTime && !phrase.namesDay
  }

  func timePhrase(_ text: String) throws(EpactError) -> TimePhrase {
    try Self.describing { () throws(DatePhraseError) in try phrases.timePhrase(text) }
  }

  /// The repetition of a text, such as `every monday until 18 dec`.
  ///
  /// - Parameters:
  ///   - text: The text; nil for the rule that the item has.
  ///   - count: The number of occurrences; nil for none.
  ///   - until: The last day or time; nil for none.
  /// - Returns: The repetition.
  /// - Throws: `EpactError` if the text is invalid or states an end beside another one.
  public func repetition(
    _ text: String?, count: Int? = nil, until: Moment? = nil
  ) throws(EpactError) -> Repetition {
    try Self.describing { () throws(DatePhraseError) in
      try phrases.repetition(text, count: count, until: until)
    }
  }

  /// The end of a repetition: a whole month or year ends with its last day, as after `until`.
  ///
  /// - Throws: `EpactError` if the text is no date.
  public func lastDay(_ text: String) throws(EpactError) -> Moment {
    if let end = (try? phrases.repetition("daily until \(text)"))?.until { return end }
    return try moment(text)
  }

  private static let advice = [
    "words in quotation marks are the title, and the words of the date stand together",
    "for a single word, state the date as an option: then all words are the title",
  ]

  /// The result of a function, whose error becomes one of an argument.
  static func describing<Result>(
    _ body: () throws(DatePhraseError) -> Result
  ) throws(EpactError) -> Result {
    do throws(DatePhraseError) {
      return try body()
    } catch {
      guard error.code == .unread else { throw EpactError(.argument, error.message) }
      throw EpactError(
        .argument, error.message,
        details: error.readings.map { "understood: \($0)" } + Self.advice)
    }
  }
}
