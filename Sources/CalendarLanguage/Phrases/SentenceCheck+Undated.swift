// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

// MARK: Words of time in a sentence without a date

extension SentenceCheck {
  /// The years that a number is read as.
  static let years = 1990...2100

  /// The error of words that name a time which is not known exactly, if there is no date at all.
  func undated(_ place: Int, _ words: ArraySlice<PhraseToken>) -> DatePhraseError? {
    if let error = shortDayAlone(place) { return error }
    if words.count == 1, place > 0, ["eod", "eow", "eom", "cob"].contains(words.first?.word) {
      return unread("\(quoted(words, 1)) is not one day; write the date", nil)
    }
    if let count = comingPeriod(words) ?? periodPart(place, words) ?? distance(words)
      ?? amount(words) ?? span(words)
      ?? season(place, words) ?? undatedMonth(place, words) ?? undatedDay(place, words)
      ?? undatedWeek(place, words)
    {
      return unread("\(quoted(words, count)) is not one day; write the date", nil)
    }
    let isAfterPreposition =
      place > 0
      && [PhraseConcept.on, .until, .within, .at, .due].contains {
        vocabulary.match($0, tokens(self.words[place - 1])) != nil
      }
    // An adjective such as "quarterly" is no date.
    if let period = vocabulary.match(.unread, words), period.value.isEmpty,
      period.count > 1 || isAfterPreposition
    {
      return unread("\(quoted(words, period.count)) is not one day; write the date", nil)
    }
    if let weekend = vocabulary.match(.weekend, words) {
      return unread("\(quoted(words, weekend.count)) is not one day; write the date", nil)
    }
    if isAfterPreposition, words.count == 1, let year = words.first?.number,
      Self.years ~= year
    {
      return unread("\(quoted(words, 1)) is not one day; write the date", nil)
    }
    // "Buy christmas presents" has no date.
    guard let feast = vocabulary.match(.feast, words),
      isAfterPreposition || feast.count == words.count
    else { return nil }
    return feastError(words, feast, nil)
  }

  /// The length of `in march` and `next march` at the end of words without a date.
  private func undatedMonth(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    guard place > 0, let first = words.first?.word else { return nil }
    let near = nearCount(words)
    guard near > 0 || Self.prepositionsOfMonths.contains(first) else { return nil }
    let count = max(near, 1)
    guard let month = monthCount(words.dropFirst(count)), count + month == words.count else {
      return nil
    }
    return words.count
  }

  /// The length of `15th of the month`, `1st to 5th`, `tous les 5 du mois` and `zum 1.` without a date.
  func undatedDay(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    var rest = words
    let every = vocabulary.match(.every, rest)
    let preposition =
      vocabulary.match(.until, rest) ?? vocabulary.match(.on, rest) ?? vocabulary.match(.due, rest)
    if let lead = every ?? preposition { rest = rest.dropFirst(lead.count) }
    if let ordinal = vocabulary.match(.ordinal, rest) {
      rest = rest.dropFirst(ordinal.count)
    } else {
      guard let number = rest.first?.number, 1...31 ~= number else { return nil }
      rest = rest.dropFirst()
      if let next = rest.first, !next.isSpaced, next.isSign(".") {
        rest = rest.dropFirst()
        if rest.isEmpty, preposition != nil, place > 0 { return words.count }
      } else if let suffix = rest.first?.word, !(rest.first?.isSpaced ?? true),
        ["st", "nd", "rd", "th"].contains(suffix)
      {
        rest = rest.dropFirst()
        let to = vocabulary.match(.to, rest)?.count ?? 0
        let last = rest.dropFirst(to)
        if to > 0, last.first?.number != nil,
          ["st", "nd", "rd", "th"].contains(last.dropFirst().first?.word)
        {
          return words.count - last.count + 2
        }
      }
    }
    guard let of = vocabulary.match(.of, rest) else { return nil }
    rest = rest.dropFirst(of.count)
    if let article = vocabulary.match(.article, rest) { rest = rest.dropFirst(article.count) }
    guard let word = rest.first?.word,
      language.units[word] == .month || vocabulary.match(.unit, rest)?.value == "month"
    else { return nil }
    return words.count - rest.count + 1
  }

  /// The length of `week 50` at the end of words without a date.
  private func undatedWeek(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    guard place > 0, let week = vocabulary.match(.weekNumber, words),
      words.count == week.count + 1, let number = words.last?.number, 1...53 ~= number
    else { return nil }
    return words.count
  }

  /// The length of `within 3 days` and `in a fortnight`; nil for other words.
  private func distance(_ words: ArraySlice<PhraseToken>) -> Int? {
    let count = words.first?.word == "within" ? 1 : vocabulary.match(.within, words)?.count
    guard let count else { return nil }
    var rest = words.dropFirst(count)
    let isOne = ["a", "an"].contains(rest.first?.word)
    rest = rest.dropFirst(isOne ? 1 : numberCount(rest))
    guard rest.count + count < words.count else { return nil }
    if let fortnight = vocabulary.match(.fortnight, rest) {
      return words.count - rest.count + fortnight.count
    }
    if let counted = vocabulary.match(.unread, rest), counted.value == "counted" {
      return words.count - rest.count + counted.count
    }
    return isUnit(rest) ? words.count - rest.count + 1 : nil
  }

  /// The length of `in a couple of days`, `every few weeks` and `alle halbe Jahr`; nil for other words.
  private func amount(_ words: ArraySlice<PhraseToken>) -> Int? {
    let leads: [PhraseConcept] = [.period, .within, .every]
    guard let lead = leads.lazy.compactMap({ vocabulary.match($0, words)?.count }).first else {
      return nil
    }
    let rest = words.dropFirst(lead)
    var counts = [PhraseConcept.some, .halves].compactMap { vocabulary.match($0, rest)?.count }
    if let vague = vocabulary.match(.vague, rest), vague.value == "fraction" {
      counts.append(vague.count)
    }
    return counts.first { isUnit(rest.dropFirst($0)) }.map { lead + $0 + 1 }
  }

  /// The length of `innerhalb einer Woche` and `nel corso del mese`; nil for other words.
  private func span(_ words: ArraySlice<PhraseToken>) -> Int? {
    guard let period = vocabulary.match(.period, words) else { return nil }
    var rest = words.dropFirst(period.count)
    for concept in [PhraseConcept.of, .article, .near, .coming, .number] {
      if let match = vocabulary.match(concept, rest) { rest = rest.dropFirst(match.count) }
    }
    if rest.first?.number != nil { rest = rest.dropFirst() }
    return isUnit(rest) ? words.count - rest.count + 1 : nil
  }

  /// The length of `in spring` and `au printemps prochain` at the end of the sentence; nil for other words.
  private func season(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    guard place > 0, let first = words.first?.word else { return nil }
    let near = nearCount(words)
    guard near > 0 || Self.prepositionsOfSeasons.contains(first) else { return nil }
    var rest = words.dropFirst(max(near, 1))
    if let article = vocabulary.match(.article, rest) { rest = rest.dropFirst(article.count) }
    rest = rest.dropFirst(nearCount(rest))
    guard let season = vocabulary.match(.season, rest) else { return nil }
    rest = rest.dropFirst(season.count)
    for concept in [PhraseConcept.nearAfter, .vague] {
      rest = rest.dropFirst(vocabulary.match(concept, rest)?.count ?? 0)
    }
    return rest.isEmpty ? words.count : nil
  }

  private static let prepositionsOfSeasons = prepositionsOfMonths.union([
    "by", "before", "bis", "au", "à", "cet", "cette", "nel", "la", "na", "no", "tegen", "para",
    "per", "op", "wiosną",
  ])

  /// The error of a short weekday such as `Sa` at the end of the sentence, alone or before an hour or a
  /// part of the day, and of `Mo` at its start; nil for other words.
  ///
  /// After an article or a preposition it is another word, as in `bord de mer`.
  private func shortDayAlone(_ place: Int) -> DatePhraseError? {
    let tokens = tokens(words[place])
    guard let name = tokens.first?.word, name.count <= 3,
      tokens.dropFirst().allSatisfy({ $0.isSign(".") || $0.isSign(",") }),
      let weekday = weekday(tokens.prefix(1), isMarked: tokens.count > 1)
    else { return nil }
    let isCapital = words[place].first?.isUppercase == true
    let isStart =
      place == 0 && words.count > 1 && isCapital && name.count == 2
      && !Self.ordinaryStarts.contains(name)
    var form = PhraseForm()
    form.start.day = PhraseDay(column: 1, base: .weekday(weekday, nil))
    if !isStart {
      guard place > 0, isTimeAlone(words[(place + 1)...].joined(separator: " ")) else { return nil }
      let previous = self.tokens(words[place - 1])
      let others: [PhraseConcept] = [
        .article, .of, .from, .to, .at, .on, .for, .within, .and, .number,
      ]
      let isOther = others.contains { vocabulary.match($0, previous)?.count == previous.count }
      guard tokens.count > 1 || !isOther else { return nil }
    }
    return unread(
      "\"\(words[place].prefix(40))\" may be a day; write its name, or put the title into quotes",
      form)
  }

  /// The weekday of a word; one of two letters beside those of ICU only with a full stop.
  private func weekday(_ word: ArraySlice<PhraseToken>, isMarked: Bool) -> Weekday? {
    for case .weekday(let weekday) in language.match(word)?.meanings ?? [] { return weekday }
    guard isMarked, let value = vocabulary.match(.shortDay, word)?.value else { return nil }
    return PhraseParser.weekday(value)
  }

  /// Short weekdays that begin many sentences as other words.
  private static let ordinaryStarts: Set<String> = ["do", "so", "di", "wo", "za", "zo", "ma", "mi"]

  /// Whether a text is empty, an hour or a part of the day.
  private func isTimeAlone(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    let rest = tokens(text)
    if let part = vocabulary.match(.part, rest) { return part.count == rest.count }
    if let number = rest.first?.number, rest.count == 1 { return 0...24 ~= number }
    var parser = PhraseParser(text, language, phrases.zones)
    parser.isSentence = true
    guard let form = try? parser.run() else { return false }
    return parser.tokens.isEmpty && form.start.time != nil && !form.hasDay
  }
}
