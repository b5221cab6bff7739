// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// The words of a sentence: the title, and the form of the date phrase.
struct Sentence {
  var title: [String]
  /// The phrase; nil without one.
  var form: PhraseForm?
}

/// Finds the runs of words that are the date phrase of a sentence.
///
/// At each word, the longest run that is a part of a phrase is taken. Of the parts, one names the
/// day and another one the time; more of them, and words of time between them, are an error. The
/// words of a run are limited, so that the time is linear.
struct SentenceReader {
  /// The maximum number of words in a run.
  private static let runLimit = 24
  /// The maximum number of runs.
  private static let segmentLimit = 2

  /// A run of words with its form.
  struct Segment {
    let range: Range<Int>
    let form: PhraseForm
  }

  let phrases: DatePhrases
  let words: [String]
  /// Whether the date is that on which a reminder is due.
  let isDue: Bool

  /// The words whose arguments contain spaces, as quoted ones do.
  private var quoted: [Bool] { words.map { $0.contains(where: \.isWhitespace) } }

  /// Reads the sentence.
  ///
  /// - Throws: `DatePhraseError` if a word of time is not understood.
  func read() throws(DatePhraseError) -> Sentence {
    let quoted = quoted
    var isTitle = Array(repeating: false, count: words.count)
    for place in words.indices where quoted[place] {
      isTitle[place] = try !isPhrase(words[place])
    }
    let hasQuotedPhrase = zip(quoted, isTitle).contains { $0 && !$1 }
    guard hasQuotedPhrase else { return try read(isTitle: isTitle) }
    // A quoted phrase is the date, or else a title beside another date.
    let whole: Result<Sentence, DatePhraseError>
    do throws(DatePhraseError) {
      whole = .success(try read(isTitle: isTitle))
    } catch {
      whole = .failure(error)
    }
    if case .success(let sentence) = whole, !sentence.title.isEmpty { return sentence }
    if let sentence = try? read(isTitle: quoted), sentence.form?.hasPoint == true {
      return sentence
    }
    // "Weekly" begins a title.
    isTitle[0] = true
    if !quoted[0], let sentence = try? read(isTitle: isTitle), sentence.form?.hasPoint == true {
      return sentence
    }
    return try whole.get()
  }

  /// Whether a word with spaces is a phrase as a whole.
  private func isPhrase(_ word: String) throws(DatePhraseError) -> Bool {
    guard word.utf8.count <= DatePhrases.limit else { return false }
    // "until 30 june" is the end of a repetition in other words.
    for hasRepetition in [false, true] {
      var parser = self.parser(word)
      parser.hasRepetition = hasRepetition
      if let form = try? parser.run(), form != PhraseForm(), parser.tokens.isEmpty { return true }
    }
    return false
  }

  private func parser(_ text: String) -> PhraseParser {
    var parser = PhraseParser(text, phrases.language, phrases.zones)
    parser.isSentence = true
    parser.isDue = isDue
    return parser
  }

  private func read(isTitle: [Bool]) throws(DatePhraseError) -> Sentence {
    let segments = try segments(isTitle)
    var check = SentenceCheck(
      phrases: phrases, words: words, isTitle: isTitle, segments: segments)
    let form = try join(segments, &check)
    if let form, segments.count == 1, segments[0].range.count == 1, form.isBareHours {
      // "Chapter 9-10" has no date.
      check.segments = []
      try check.run(nil)
      return Sentence(title: words, form: nil)
    }
    if let form, form.isAllDay, !form.hasPoint, form.repetition == nil {
      // "Buy an all day pass" has no date. A date that does not exist, such as 2026-02-30, is an error.
      for word in words {
        if let error = DatePhrases.standardError(word) { throw error }
      }
      if let error = check.compoundWithoutTime(nil) { throw error }
      // Beside a zone, "all day" is more than a word of the title.
      guard form.zone == nil else { throw check.leftover(segments[0].range.lowerBound, nil) }
      return Sentence(title: words, form: nil)
    }
    try check.run(form)
    let taken = Set(segments.flatMap(\.range))
    let title = words.indices.filter { !taken.contains($0) }.map { place -> String in
      // "Dentist, tomorrow"
      let isBefore = !isTitle[place] && taken.contains(place + 1)
      guard isBefore, words[place].count > 1, let last = words[place].last, ",;".contains(last)
      else { return words[place] }
      return String(words[place].dropLast())
    }
    return Sentence(title: title, form: form)
  }

  // MARK: Runs

  private func segments(_ isTitle: [Bool]) throws(DatePhraseError) -> [Segment] {
    var segments: [Segment] = []
    var place = 0
    while place < words.count {
      if !isTitle[place], let segment = try segment(at: place, isTitle) {
        segments.append(segment)
        place = segment.range.upperBound
      } else {
        place += 1
      }
    }
    return segments
  }

  /// The longest run of words that is a part of a phrase; nil if there is none.
  private func segment(at start: Int, _ isTitle: [Bool]) throws(DatePhraseError) -> Segment? {
    var (end, size) = (start, 0)
    while end < words.count, !isTitle[end], end - start < Self.runLimit,
      size + words[end].utf8.count < DatePhrases.limit
    {
      size += words[end].utf8.count + 1
      end += 1
    }
    while end > start {
      let run = words[start..<end]
      var parser = self.parser(run.joined(separator: " "))
      let all = parser.tokens
      guard let form = try self.form(&parser) else { return nil }
      let count = Self.words(of: run, before: parser.column - 1)
      guard count.taken > 0 else { return nil }
      guard count.isCut else {
        let taken = all.prefix(all.count - parser.tokens.count)
        return isOrdinary(taken) ? nil : Segment(range: start..<start + count.taken, form: form)
      }
      // The last word is only partly a phrase.
      end = start + count.taken - 1
    }
    return nil
  }

  private func form(_ parser: inout PhraseParser) throws(DatePhraseError) -> PhraseForm? {
    do throws(DatePhraseError) {
      return try parser.run()
    } catch {
      guard error.isMeantAsDate else { return nil }
      throw error
    }
  }

  /// The number of words that end before a byte of their joined text, and whether the byte is
  /// inside the last one of them.
  private static func words(
    of run: ArraySlice<String>, before offset: Int
  ) -> (taken: Int, isCut: Bool) {
    var (start, count) = (0, 0)
    for word in run {
      let end = start + word.utf8.count
      if offset <= start { return (count, false) }
      count += 1
      if offset < end {
        let before = word.utf8.prefix(offset - start)
        if before.allSatisfy({ $0 == UInt8(ascii: " ") }) { return (count - 1, false) }
        return (count, true)
      }
      start = end + 1
    }
    return (count, false)
  }

  /// Whether tokens are a word that is more often no date, such as `may` and the German `so`.
  ///
  /// So is the French `de mer`.
  private func isOrdinary(_ tokens: ArraySlice<PhraseToken>) -> Bool {
    if tokens.count == 2, ["de", "di", "en"].contains(tokens.first?.word) {
      return phrases.language.vocabulary.match(.ordinary, tokens.dropFirst()) != nil
    }
    guard tokens.count == 1, let word = tokens.first?.word else { return false }
    if word.count < 2 || (word.count < 3 && word.utf8.count == word.count) { return true }
    return phrases.language.vocabulary.match(.ordinary, tokens) != nil
  }

  // MARK: Joining

  private func join(
    _ segments: [Segment], _ check: inout SentenceCheck
  ) throws(DatePhraseError) -> PhraseForm? {
    guard let first = segments.first else { return nil }
    var form = first.form
    for segment in segments.dropFirst() {
      let isRange = form.separator == .adjacent
      // "Good Friday mass 2027-03-26" has two days, although they are the same.
      guard segments.count <= Self.segmentLimit, !form.hasDay || !segment.form.hasDay,
        form.join(segment.form), isRange || form.separator != .adjacent
      else { throw check.conflict(segments) }
    }
    if let repeated = segments.first(where: { $0.form.hasRepeatedDays }),
      let other = segments.first(where: { $0.form.start.day != nil && !$0.form.isAnchor }),
      repeated.range != other.range
    {
      // "every monday without 28 dec" begins on another day.
      throw check.conflict(segments)
    }
    for segment in segments where segment.form.repetition?.isAdverb == true {
      // "Write weekly report friday" may mean a weekly report.
      let isAlone = !segment.form.hasPoint && segment.range.upperBound < words.count
      guard !isAlone else { throw check.leftover(segment.range.lowerBound, form) }
    }
    for segment in segments where isNoun(segment, among: segments) {
      throw check.leftover(segment.range.lowerBound, form)
    }
    guard form.hasPoint || form.repetition != nil || form.isAllDay else {
      throw check.leftover(first.range.lowerBound, nil)
    }
    return form
  }

  /// Whether a part beside another one may belong to the title word after it: `the Sunday
  /// newsletter 10:00`, `every day movie friday 20:00`.
  private func isNoun(_ segment: Segment, among segments: [Segment]) -> Bool {
    let others = segments.filter { $0.range != segment.range }
    guard !others.isEmpty, segment.range.upperBound < words.count else { return false }
    if segment.form.repetition != nil, !segment.form.hasPoint {
      return others.contains { $0.form.start.day != nil }
    }
    let next = PhraseScanner.tokens(of: words[segment.range.upperBound])[...]
    return starts(segment, with: .article) && segment.form.start.day != nil
      && !segment.form.start.hasTime
      && ![.companion, .at, .on, .for, .from, .to].contains { matches($0, next) }
  }

  private func starts(_ segment: Segment, with concept: PhraseConcept) -> Bool {
    matches(concept, PhraseScanner.tokens(of: words[segment.range.lowerBound])[...])
  }

  private func matches(_ concept: PhraseConcept, _ tokens: ArraySlice<PhraseToken>) -> Bool {
    phrases.language.vocabulary.match(concept, tokens) != nil
  }
}
