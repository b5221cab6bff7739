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
    if let error = shortDays(form) ?? compoundWithoutTime(form) ?? name(form) { throw error }
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
    if let error = weekAfterDay(place, form) ?? shortDay(place, form) ?? inexact(place, form) {
      throw error
    }
    let before = segments.first { $0.range.upperBound == place }
    let after = segments.first { $0.range.lowerBound == place + 1 }
    let tokens = tokens(words[place])
    let isLeftover =
      hasPhrase(tokens, of: words[place]) || isRepetition(place) || isStrong(place)
      || isNumber(tokens, place, before, after)
      || (before != nil || after != nil) && isTime(tokens, place, form)
      || isPreposition(tokens, place, before, after)
      || before != nil && after != nil && isUnit(tokens) || isWeek(tokens, of: after)
      || isParenthesis(place) || isInMonth(tokens, place) || isSpelledTime(place)
      || isNumberWord(tokens, place, before, after)
    guard !isLeftover else { throw leftover(place, form) }
    if let error = typingError(place, form) { throw error }
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

  /// The error of dates that do not fit together, with the readings of several times or days.
  func conflict(_ segments: [SentenceReader.Segment]) -> DatePhraseError {
    let parts = segments.map { "\"\(words[$0.range].joined(separator: " ").prefix(40))\"" }
    let found = "found \(parts.prefix(3).joined(separator: " and "))"
    let forms = segments.map(\.form)
    if let readings = readings(ofTimes: forms) {
      return DatePhraseError(
        .unread, column: 1, "expected one time of day, \(found); add an item for each",
        readings: readings)
    }
    if let readings = readings(ofDays: forms) {
      return DatePhraseError(
        .unread, column: 1, "\(found.dropFirst(6)) may be one event or one on each day",
        readings: readings)
    }
    return DatePhraseError(.unread, column: 1, "expected one date, \(found)")
  }

  private func reading(_ form: PhraseForm) -> String? {
    guard let span = try? phrases.resolver(in: form.zone?.rules, isNext: true).span(of: form) else {
      return nil
    }
    return ([span.reading] + [form.repetition?.text].compactMap(\.self)).joined(separator: " ")
  }

  /// The readings of `daily 8:00 and 20:00`, one for each time; nil for other forms.
  private func readings(ofTimes forms: [PhraseForm]) -> [String]? {
    guard let first = forms.first, first.start.time != nil,
      first.start.day != nil
        || first.repetition != nil, forms.dropFirst().allSatisfy(\.isTimeAlone)
    else { return nil }
    var single = first
    if first.separator == .adjacent, first.end?.day == nil {
      // "8:00, 12:00 and 20:00"
      (single.separator, single.end) = (nil, nil)
    }
    let ends = first == single ? [] : [first.end].compactMap(\.self)
    let others = ends.map { PhraseForm(start: $0) } + forms.dropFirst()
    return [reading(single)].compactMap(\.self)
      + others.compactMap { other in
        var form = single
        form.start.time = other.start.time
        (form.separator, form.end) = (other.separator, other.end)
        return reading(form)
      }
  }

  /// The readings of `7-9 dec 9:00-17:00`: one event, or one on each day; nil for other forms.
  private func readings(ofDays forms: [PhraseForm]) -> [String]? {
    guard forms.count == 2, let days = forms.first, let time = forms.last, time.isTimeAlone,
      days.repetition == nil, days.start.day != nil, let last = days.end, last.day != nil,
      !days.start.hasTime, !last.hasTime, let until = lastDay(of: days)
    else { return nil }
    var (one, each) = (days, days)
    one.start.time = time.start.time
    one.end?.time = time.end?.time
    each.start.time = time.start.time
    (each.separator, each.end) = (time.separator, time.end)
    let whole = time.end == nil ? nil : reading(one)
    return [whole, reading(each).map { "\($0) daily until \(until)" }].compactMap(\.self)
  }

  /// The last day of a range of days.
  private func lastDay(of form: PhraseForm) -> String? {
    guard let span = try? phrases.resolver(isNext: true).span(of: form),
      case .date(let end)? = span.end, let last = end.adding(days: -1)
    else { return nil }
    return MomentReading(zone: phrases.zone).text(.date(last))
  }
}

extension PhraseForm {
  /// Whether the form is a time or a range of times, without a day.
  fileprivate var isTimeAlone: Bool { !hasDay && repetition == nil && start.time != nil }
}

extension PhraseToken {
  /// Whether the token is a sign.
  var isSignKind: Bool { if case .sign = kind { true } else { false } }
}
