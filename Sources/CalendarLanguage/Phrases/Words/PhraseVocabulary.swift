// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICUServices

/// The concepts of date phrases for which ICU has no words.
package enum PhraseConcept: String, CaseIterable, Sendable {
  /// Prepositions: before a start, between the points of a range, before the last day of a
  /// repetition, before two points, and between these.
  case from, to, until, untilOnly, between, and
  /// Words before a time, before a day, before an ordinal number, and between a day and a month.
  case at, on, article, of
  /// Words before a duration, and before a distance from now.
  case `for`, within
  /// Words of a repetition.
  case every, other, adverb, plural, times, except
  /// Weekdays and months in other forms than ICU's, and days near today.
  case weekday, month, near, day, weekend, workday
  /// Words after a weekday or a unit for the coming one.
  case nearAfter
  /// Weekends with words for their distance from the coming one.
  case nearWeekend
  /// Parts of the day, alone and with today's date.
  case part, tonight
  /// Noon and midnight, and the words after an hour.
  case noon, midnight, mark
  /// Units, numbers and ordinal numbers.
  case unit, number, ordinal
  /// Words of time without an exact meaning, and words that alone are no date.
  case vague, ordinary
  /// Words after a date or a time that add nothing to its meaning.
  case particle
  /// Abbreviations of time zones, which several zones share, words such as `time` after the name of
  /// a place, and places with other names than the zones.
  case zoneAbbreviation, localTime, city
  /// Lengths of time in minutes, numbers of halves, and a half after a number or its unit.
  case length, halves, andHalf
  /// Words after a length that add nothing to its meaning.
  case lasting
  /// Words before and after an hour that add minutes to it or take them away, those between minutes
  /// and the hour, and hours that are no numbers.
  case clockBefore, clockAfter, clockStep, hourWord
  /// Words of an interval: before or after the days, between them and a number, and between the days
  /// that are meant and the others.
  case alternate, alternateAfter, outOf, yes, no, otherOne, fortnight
  /// Ordinal numbers from 2 before a unit of an interval.
  case nth
  /// Parts of the day after weekdays of a repetition, and the endings of compounds with a day.
  case dayparts, dayEnding
  /// Frequent typing errors of days with what is meant, and words that only look like typing errors.
  case misspelling, lookalike
  /// Weekdays in one or two letters, beside those of ICU.
  case shortDay
  /// Days of a month as words.
  case monthDay
  /// Parts of the day and quarters of the year after "every", and words before a due date.
  case daypart, quarter, due
  /// Words for the whole of a day, which exclude a time of day.
  case allDay
  /// Words before the last day of a month.
  case monthEnd
  /// Words before a period in which something is due, numbers that are not exact, and seasons.
  case period, some, season
  /// Words before a distance, between it and the day that it counts from.
  case after
  /// Units in their plural, and words before them for the coming ones.
  case units, coming
  /// Words that do not name one day: parts of a period, feasts, and numbers of times.
  case periodPart, feast, frequency
  /// Words before the name of a person.
  case companion
  /// Words before the number of a week.
  case weekNumber
  /// Words that beside a date change its meaning in a way that is not read: parts of a day without an
  /// hour, conditions, whole periods, and repetitions as adjectives.
  case unread
}

/// The words of a language for the concepts of date phrases.
///
/// The tables are texts: a line for each language, with its code before the colon, and the words
/// between commas. A value follows its word after an equals sign.
package struct PhraseVocabulary: Sendable {
  /// Words with their value, which is empty without one.
  struct Entry: Sendable {
    let words: [PhraseToken.Kind]
    let value: String
  }

  /// The entries of a concept by their first word; longer ones come first.
  private var entries: [PhraseConcept: [PhraseToken.Kind: [Entry]]] = [:]
  /// All words that consist of a single token.
  private(set) var singleWords: Set<String> = []

  /// The tables of all concepts.
  static let tables: [PhraseConcept: String] = PrepositionWords.tables.merging(
    RepetitionWords.tables
  ) { first, _ in first }.merging(DayPartWords.tables) { first, _ in first }
    .merging(CalendarWords.tables) { first, _ in first }
    .merging(TitleWords.tables) { first, _ in first }
    .merging(LengthWords.tables) { first, _ in first }
    .merging(InexactWords.tables) { first, _ in first }
    .merging(IntervalWords.tables) { first, _ in first }
    .merging(UnreadWords.tables) { first, _ in first }

  /// Creates the vocabulary of languages.
  ///
  /// - Parameter codes: The codes of the languages, such as `de`.
  init(_ codes: [String]) {
    for concept in PhraseConcept.allCases {
      for code in codes {
        for (text, value) in Self.words(of: concept, in: code) { add(text, value, to: concept) }
      }
      entries[concept] = entries[concept]?.mapValues {
        $0.sorted { $0.words.count > $1.words.count }
      }
    }
  }

  /// The words of a concept in a language, with their values.
  package static func words(
    of concept: PhraseConcept, in code: String
  ) -> [(text: String, value: String)] {
    let lines = tables[concept, default: ""].split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(code + ":") }) else { return [] }
    return line.dropFirst(code.count + 1).split(separator: ",").map { part in
      let fields = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return (fields.first ?? "", fields.count > 1 ? fields[1] : "")
    }
  }

  /// The weekdays, months and days near today of a language, in other forms than ICU's.
  static func dateWords(in code: String) -> [DateWords] {
    let weekdays = words(of: .weekday, in: code).compactMap { text, value in
      PhraseParser.weekday(value).map { DateWords(.weekday($0), text) }
    }
    let months = words(of: .month, in: code).compactMap { text, value in
      Int(value).map { DateWords(.month($0), text) }
    }
    let days = words(of: .day, in: code).compactMap { text, value in
      Int(value).map { DateWords(.day($0), text) }
    }
    return weekdays + months + days
  }

  private mutating func add(_ text: String, _ value: String, to concept: PhraseConcept) {
    for spelling in Self.spellings(of: text) {
      let words = PhraseScanner.tokens(of: spelling).map(\.kind)
      guard let first = words.first else { continue }
      if words.count == 1, case .word(let word) = first { singleWords.insert(word) }
      entries[concept, default: [:]][first, default: []].append(
        Entry(words: words, value: value))
    }
  }

  /// The text, and its form without accents if that is long enough to be no other word.
  static func spellings(of text: String) -> [String] {
    let plain = text.folding(options: .diacriticInsensitive, locale: nil)
    return plain == text || text.count < 4 || !text.contains(where: \.isLatin)
      ? [text] : [text, plain]
  }

  /// The longest words of a concept at the start of tokens; nil if there are none.
  func match(
    _ concept: PhraseConcept, _ tokens: ArraySlice<PhraseToken>
  ) -> (value: String, count: Int)? {
    guard let first = tokens.first, let candidates = entries[concept]?[first.kind] else {
      return nil
    }
    for entry in candidates where tokens.count >= entry.words.count {
      if zip(tokens, entry.words).allSatisfy({ $0.kind == $1 }) {
        return (entry.value, entry.words.count)
      }
    }
    return nil
  }
}

extension Character {
  /// Whether the character is a letter of the Latin script.
  fileprivate var isLatin: Bool {
    unicodeScalars.first.map { $0.value < 0x250 && $0.properties.isAlphabetic } ?? false
  }
}
