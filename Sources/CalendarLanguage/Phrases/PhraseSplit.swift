// SPDX-License-Identifier: Apache-2.0

public import CivilTime
import Recurrence

/// The words of a command line, split into a title and the date phrase among them.
///
/// ```swift
/// let split = try phrases.split(["Gym", "every", "monday", "18:00", "Europe/Paris"])
/// split.title        // ["Gym"]
/// split.span?.start  // .local(2026-11-30 18:00)
/// split.repetition   // every Monday
/// split.zone         // "Europe/Paris"
/// split.reading      // "Mon 2026-11-30 18:00 Europe/Paris every Monday"
/// ```
public struct PhraseSplit: Hashable, Sendable {
  /// The words that are no part of the phrase.
  public let title: [String]
  /// The span of the phrase; nil if no words are one.
  public let span: DateSpan?
  /// The repetition of the words or of the options; nil for none.
  public let repetition: Repetition?
  /// The name of the time zone of the words or of the options; nil for the viewer's.
  public let zone: String?
  /// The end with the time zone that follows it, such as `13:30 America/New_York`, if the zone may be
  /// meant for the end alone; otherwise nil.
  public let zonedEnd: String?
  /// Whether the words name only the start of a reminder, as in `from friday`.
  package let isStart: Bool
  /// The unambiguous text of the date, its zone and its repetition, which is a phrase for the same
  /// ones at any time; empty without a date.
  public let reading: String
}

/// The values of options in addition to the words of a new item.
///
/// Words that contradict an option are an error.
public struct SentenceOptions: Hashable, Sendable {
  /// The name of the time zone, or `floating`; nil for the viewer's.
  public var zone: String?
  /// The repetition; its text is nil for only an end.
  public var repetition: Repetition?
  /// The duration.
  public var duration: CivilDuration?
  /// Whether the date is that on which a reminder is due; then `until friday` is a date.
  public var isDue = false
  /// The end; its year is that of a start without one.
  public var end: TimePhrase?

  /// Creates options without values.
  public init() {}
}

extension DatePhrases {
  /// Finds the date phrase among words.
  ///
  /// The phrase consists of one or two runs of words; every word of time is a part of it, or the
  /// words are rejected. A word may contain spaces, as one in quotation marks does: it is a part of
  /// the phrase or of the title as a whole.
  ///
  /// - Parameters:
  ///   - words: The words, such as the arguments of a command.
  ///   - options: The values of options.
  /// - Returns: The span, the repetition, the zone, and the words that are none of them.
  /// - Throws: `DatePhraseError` if the phrase is ambiguous or invalid, if a word beside it is not
  ///   understood, or if it contradicts an option. The column counts from the start of a run.
  public func split(
    _ words: [String], _ options: SentenceOptions = SentenceOptions()
  ) throws(DatePhraseError) -> PhraseSplit {
    let sentence = try SentenceReader(phrases: self, words: words, isDue: options.isDue).read()
    return try SentenceResolver(phrases: self, options: options).split(sentence)
  }

  /// The repetition of a text in the language, such as `every monday until 18 dec`.
  ///
  /// - Parameters:
  ///   - text: The text; nil for the rule that the item has.
  ///   - count: The number of occurrences; nil for none.
  ///   - until: The last day or time; nil for none.
  /// - Returns: The repetition, whose text is English.
  /// - Throws: `DatePhraseError` if the text states an end beside another one.
  public func repetition(
    _ text: String?, count: Int? = nil, until: Moment? = nil
  ) throws(DatePhraseError) -> Repetition {
    guard let text, let phrase = try RepetitionPhrase.parsed(text, language) else {
      let rule = text?.uppercased() ?? ""
      guard count == nil && until == nil || !rule.contains("COUNT=") && !rule.contains("UNTIL=")
      else {
        throw DatePhraseError(
          .invalid, column: 1, "the rule \"\(rule)\" states its end; keep one of both ends")
      }
      return Repetition(text, count: count, until: until)
    }
    if let readings = phrase.readingsOfFifteenDays { throw phrase.unclearDays(readings) }
    guard phrase.count == nil && phrase.until == nil || count == nil && until == nil else {
      throw DatePhraseError(
        .invalid, column: 1, "a recurrence ends after a number of times or at a date, not both")
    }
    var form = PhraseForm()
    form.repetition = phrase
    let end = try resolver().until(form, after: .date(resolver().today))
    return phrase.repetition(count: phrase.count ?? count, until: end ?? until, language)
  }
}

extension RepetitionPhrase {
  /// The repetition with an end, in weeks of a language.
  fileprivate func repetition(
    count: Int?, until: Moment?, _ language: DateLanguage
  ) -> Repetition {
    var result = Repetition(text, count: count, until: until)
    result.weekStart = language.firstWeekday
    return result
  }

  /// Parses a text; nil for a rule of RFC 5545 and for a text that is no repetition.
  static func parsed(
    _ text: String, _ language: DateLanguage
  ) throws(DatePhraseError) -> RepetitionPhrase? {
    guard text.utf8.count <= DatePhrases.limit, !text.contains("=") else { return nil }
    var parser = PhraseParser(text, language)
    guard let form = try parser.run(), parser.tokens.isEmpty, !form.hasPoint,
      form.duration == nil, form.zone == nil
    else { return nil }
    return form.repetition
  }
}

extension PhraseForm {
  /// Lets `last friday of the month` beside `monthly` be that day of each month, and
  /// `last sunday of march` beside `yearly` that day of each March.
  ///
  /// - Returns: Whether the repetition was changed.
  /// - Throws: `DatePhraseError` if the day is one of no known month, or has another date each year.
  @discardableResult
  fileprivate mutating func repeatDayOfMonth() throws(DatePhraseError) -> Bool {
    guard var rule = repetition, rule.frequency == .monthly || rule.frequency == .yearly,
      rule.days.isEmpty, rule.monthDays.isEmpty, let day = start.day, day.offsets.isEmpty
    else { return false }
    let month: PhraseDay.Month
    switch day.base {
    case .weekdayOfMonth(let weekday, let ordinal, let its):
      rule.days = [WeekdayNumber(weekday, ordinal: ordinal)]
      month = its
    case .edgeOfMonth(let its, isEnd: true):
      rule.monthDays = [-1]
      month = its
    case .weekday(let weekday, let distance?) where distance < 0:
      let name = EnglishDateWords.name(of: weekday)
      throw DatePhraseError(
        .ambiguous, column: day.column,
        "the last \(name) may be one of the past, or that of each month",
        readings: ["every last \(name.lowercased()) of the month"])
    default: return false
    }
    if rule.frequency == .yearly {
      guard case .named(let number, _) = month else {
        throw DatePhraseError(
          .invalid, column: rule.column, "expected the name of a month beside a yearly repetition")
      }
      // Only the last day of February differs from year to year.
      guard rule.monthDays.isEmpty else {
        guard number == 2 else { return false }
        throw DatePhraseError(
          .invalid, column: day.column,
          "the last day of February has another date in leap years: write 28 feb or 29 feb")
      }
      rule.month = number
    }
    repetition = rule
    // The first one from today on.
    if month == .coming { start.day = nil }
    return true
  }
}

/// Resolves the date phrase of a sentence, with the values of options.
struct SentenceResolver {
  let phrases: DatePhrases
  let options: SentenceOptions

  /// The split of a sentence.
  func split(_ sentence: Sentence) throws(DatePhraseError) -> PhraseSplit {
    guard let stated = sentence.form else {
      return PhraseSplit(
        title: sentence.title, span: nil, repetition: options.repetition, zone: options.zone,
        zonedEnd: nil, isStart: false, reading: "")
    }
    var form = stated
    try form.repeatDayOfMonth()
    try checkOptions(form)
    let repetition = try joinRepetition(into: &form)
    let resolver = try resolver(of: form)
    form = try resolver.withRangeOfRepetition(form)
    if let end = options.end { form = try resolver.sharingYear(of: end, form) }
    let span = due(try resolver.span(of: form), form, resolver.today)
    try check(span, form)
    var result = repetition
    if let end = try resolver.until(form, after: span.start) { result?.until = end }
    try checkUntil(result, span, resolver)
    return PhraseSplit(
      title: sentence.title, span: span, repetition: result,
      zone: form.zone?.rules.name ?? options.zone, zonedEnd: Self.zonedEnd(span, stated),
      isStart: options.isDue && form.isStart && form.end == nil && form.duration == nil
        && result == nil,
      reading: Self.reading(span, zone: form.zone?.rules.name ?? options.zone, result))
  }

  /// The first day of a period such as "next week", or the last one if the period has begun, if the
  /// date is that of a reminder.
  private func due(_ span: DateSpan, _ form: PhraseForm, _ today: CivilDate) -> DateSpan {
    guard options.isDue, span.isSeveralDays, form.end == nil, form.duration == nil,
      options.duration == nil, case .date(let first) = span.start,
      case .date(let due) = span.due(on: today)
    else { return span }
    let day = form.repetition?.matches(due) ?? true ? due : first
    guard let next = day.adding(days: 1) else { return span }
    return DateSpan(from: .date(day), to: .date(next), in: phrases.zone)
  }

  /// The end with its zone, if that follows it.
  private static func zonedEnd(_ span: DateSpan, _ form: PhraseForm) -> String? {
    guard form.hasZoneAfterEnd, let zone = form.zone, case .local(let end)? = span.end else {
      return nil
    }
    return "\(MomentReading.text(end.time)) \(zone.rules.name)"
  }

  /// The text of a date with its zone and its repetition.
  private static func reading(_ span: DateSpan, zone: String?, _ repetition: Repetition?) -> String
  {
    var parts = [span.reading]
    if let zone, !span.isAllDay { parts.append(zone) }
    if let repetition, let text = repetition.text, !repetition.isNone {
      parts.append(text)
      if let count = repetition.count { parts.append("\(count) times") }
      switch repetition.until {
      case .date(let date)?: parts.append("until \(MomentReading.iso(date))")
      case .local(let wall)?:
        parts.append("until \(MomentReading.iso(wall.date)) \(MomentReading.text(wall.time))")
      case .instant(let instant)?: parts.append("until \(instant)")
      case nil: break
      }
    }
    return parts.joined(separator: " ")
  }

  // MARK: Options

  private func checkOptions(_ form: PhraseForm) throws(DatePhraseError) {
    if options.end != nil || options.duration != nil,
      let column = form.end?.column ?? form.duration?.column
    {
      throw Self.conflict(column, "an end or a duration")
    }
    guard let zone = form.zone, let name = options.zone else { return }
    guard let rules = phrases.zones.named(name), rules.name == zone.rules.name else {
      throw Self.conflict(zone.column, "a time zone")
    }
  }

  private static func conflict(_ column: Int, _ subject: String) -> DatePhraseError {
    DatePhraseError(
      .invalid, column: column, "the words and an option state \(subject); keep one of them")
  }

  /// The repetition of the words and the options.
  private func joinRepetition(
    into form: inout PhraseForm
  ) throws(DatePhraseError) -> Repetition? {
    let stated = options.repetition
    guard let phrase = form.repetition else {
      if let text = stated?.text, stated?.isNone == false {
        form.repetition = Repetition.phrase(of: text)
        if try form.repeatDayOfMonth(), let rule = form.repetition {
          return rule.repetition(count: stated?.count, until: stated?.until, phrases.language)
        }
      }
      return stated
    }
    if let text = stated?.text {
      guard let other = Repetition.phrase(of: text), other.ruleText == phrase.ruleText else {
        throw Self.conflict(phrase.column, "different repetitions")
      }
    }
    let hasEnd = stated?.count != nil || stated?.until != nil
    guard !hasEnd || (phrase.count == nil && phrase.until == nil) else {
      throw Self.conflict(phrase.column, "the end of the repetition")
    }
    return phrase.repetition(
      count: phrase.count ?? stated?.count, until: stated?.until, phrases.language)
  }

  private func resolver(of form: PhraseForm) throws(DatePhraseError) -> PhraseResolver {
    let rules = form.zone?.rules ?? options.zone.flatMap(phrases.zones.named)
    return phrases.resolver(in: rules, isNext: true)
  }

  // MARK: Checks

  private func check(_ span: DateSpan, _ form: PhraseForm) throws(DatePhraseError) {
    // "mon-fri 9:00" may be that time on each day.
    if let end = form.end, end.hasTime, !form.start.hasTime {
      throw DatePhraseError(
        .ambiguous, column: end.column,
        "the time at the end of several days is ambiguous: write a time for the start, too, or a "
          + "repetition such as weekdays")
    }
    guard span.isAllDay else { return }
    try checkPeriod(span, form)
    if let zone = form.zone {
      throw DatePhraseError(
        .syntax, column: zone.column, "expected a time beside the time zone")
    }
    if let duration = options.duration, duration.exactSeconds % 86_400 != 0 {
      throw DatePhraseError(
        .invalid, column: form.start.column,
        "expected a time beside a duration in hours or minutes, found a day")
    }
  }

  /// Rejects a month or a year as the time of an event, because one day of it may be meant.
  ///
  /// A reminder is due on its first day, or on its last one if it has begun.
  private func checkPeriod(_ span: DateSpan, _ form: PhraseForm) throws(DatePhraseError) {
    guard !options.isDue, form.end == nil, form.duration == nil, options.duration == nil,
      options.end == nil, !form.isAllDay, let day = form.start.day, day.isLongPeriod,
      case .date(let first) = span.start,
      case .date(let end)? = span.end, let last = end.adding(days: -1)
    else { return }
    let (day1, day2) = (MomentReading.iso(first), MomentReading.iso(last))
    let readings = [day1, "\(day1)..\(day2)"]
    throw DatePhraseError(
      .ambiguous, column: day.column,
      "a whole month or year may not be meant: write a day, such as "
        + readings.joined(separator: " or "), readings: readings)
  }

  private func checkUntil(
    _ repetition: Repetition?, _ span: DateSpan, _ resolver: PhraseResolver
  ) throws(DatePhraseError) {
    guard let until = repetition?.until else { return }
    var last = until.instant(in: resolver.zone)
    if case .date(let date) = until, let next = date.adding(days: 1) {
      last = resolver.zone.instant(of: CivilDateTime(next, .midnight))
    }
    guard span.start.instant(in: resolver.zone) > last else { return }
    throw DatePhraseError(
      .invalid, column: 1, "expected the end of the repetition after its start")
  }
}
