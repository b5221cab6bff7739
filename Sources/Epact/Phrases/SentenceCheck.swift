// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// Checks that no word of time is left over in the title of a sentence.
struct SentenceCheck {
  let phrases: DatePhrases
  let words: [String]
  /// The words that are the title as a whole.
  let isTitle: [Bool]
  /// The runs of words that are the phrase.
  var segments: [SentenceReader.Segment]

  var language: DateLanguage { phrases.language }

  var vocabulary: PhraseVocabulary { language.vocabulary }

  /// Checks all words.
  ///
  /// - Parameter form: The form of the phrase; nil without one.
  /// - Throws: `DatePhraseError` with the first word of time in the title.
  func run(_ form: PhraseForm?) throws(DatePhraseError) {
    if let form, let error = feastWithWeekday(form) { throw error }
    var place = 0
    for segment in segments + [
      SentenceReader.Segment(range: words.count..<words.count, form: PhraseForm())
    ] {
      while place < segment.range.lowerBound {
        if !isTitle[place] { try check(place, form) }
        place += 1
      }
      place = segment.range.upperBound
    }
  }

  private func check(_ place: Int, _ form: PhraseForm?) throws(DatePhraseError) {
    if let error = DatePhrases.standardError(words[place]) { throw error }
    if let error = inexact(place, form) { throw error }
    let before = segments.first { $0.range.upperBound == place }
    let after = segments.first { $0.range.lowerBound == place + 1 }
    let tokens = tokens(words[place])
    let isLeftover =
      hasPhrase(tokens, of: words[place]) || isRepetition(place) || isStrong(place)
      || isNumber(tokens, place, before, after)
      || (before != nil || after != nil) && isTime(tokens, place, form)
      || isPreposition(tokens, place, before, after)
      || before != nil && after != nil && isUnit(tokens)
    guard !isLeftover else { throw leftover(place, form) }
  }

  func tokens(_ word: String) -> ArraySlice<PhraseToken> {
    language.segmented(PhraseScanner.tokens(of: word), of: word)[...]
  }

  // MARK: Errors

  /// The error of a word of time that is no part of the phrase.
  func leftover(_ place: Int, _ form: PhraseForm?) -> DatePhraseError {
    let word = words.indices.contains(place) ? words[place] : ""
    return unread("\"\(word.prefix(40))\" may be a word of time, and is not understood", form)
  }

  /// An error with the reading of the words that are understood.
  func unread(_ message: String, _ form: PhraseForm?) -> DatePhraseError {
    var understood: [String] = []
    if let form, let span = try? phrases.resolver(in: form.zone?.rules, isNext: true).span(of: form)
    {
      understood = [
        ([span.reading] + [form.repetition?.text].compactMap(\.self)).joined(separator: " ")
      ]
    }
    return DatePhraseError(.unread, column: 1, message, readings: understood)
  }

  /// The error of dates that do not fit together.
  func conflict(_ segments: [SentenceReader.Segment]) -> DatePhraseError {
    let parts = segments.map { "\"\(words[$0.range].joined(separator: " ").prefix(40))\"" }
    return DatePhraseError(
      .unread, column: 1,
      "expected one date, found \(parts.prefix(3).joined(separator: " and "))")
  }
}

extension PhraseToken {
  /// Whether the token is a sign.
  var isSignKind: Bool { if case .sign = kind { true } else { false } }
}
