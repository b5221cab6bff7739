// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension SentenceCheck {
  // MARK: Kinds of words

  /// Whether a date or a time is a part of a word, as in `(tomorrow)` and `t:2026-12-01`.
  func hasPhrase(_ tokens: ArraySlice<PhraseToken>, of word: String) -> Bool {
    for place in tokens.indices.prefix(20) {
      let isStart = place == tokens.startIndex
      guard isStart || tokens[place - 1].isSignKind else { continue }
      guard case .sign = tokens[place].kind else {
        var parser = PhraseParser(word, language, phrases.zones)
        parser.isSentence = true
        parser.tokens = tokens[place...]
        guard let form = try? parser.run() else { continue }
        let taken = tokens[place...].prefix(tokens[place...].count - parser.tokens.count)
        let isWhole = parser.tokens.first.map(\.isSignKind) ?? true
        let isOrdinary =
          taken.count == 1 && (taken.first.map(isOrdinaryWord) ?? true) && !areWeekdays(tokens)
        let isExact = form.start.time?.isBare == false || form.start.day?.isDate == true
        if !isOrdinary, isWhole || isExact, !form.isBareHours { return true }
        continue
      }
    }
    return false
  }

  /// Whether all words are weekdays, as in `Mo+Mi`.
  func areWeekdays(_ tokens: ArraySlice<PhraseToken>) -> Bool {
    let words = tokens.indices.filter { tokens[$0].word != nil }
    return words.count > 1
      && words.allSatisfy { place in
        (language.match(tokens[place...])?.meanings ?? []).contains { meaning in
          if case .weekday = meaning { true } else { false }
        }
      }
  }

  func isOrdinaryWord(_ token: PhraseToken) -> Bool {
    guard let word = token.word else { return true }
    return word.count < 3 && word.utf8.count == word.count
      || vocabulary.match(.ordinary, [token]) != nil
  }

  /// Whether `every` or `each` is left over.
  func isRepetition(_ place: Int) -> Bool {
    let rest = tokens(words[place...].prefix(4).joined(separator: " "))
    guard let every = vocabulary.match(.every, rest) else { return false }
    // Words such as "alle" also mean all.
    let isExact = every.value.isEmpty
    if isExact, !segments.isEmpty || place + 1 == words.count { return true }
    if segments.contains(where: {
      place + 1...place + every.count ~= $0.range.lowerBound || $0.range.upperBound == place
    }) {
      return true
    }
    let following = rest.dropFirst(every.count)
    guard let next = following.first else { return false }
    if next.number != nil { return isUnit(following.dropFirst()) }
    return isUnit(following) || vocabulary.match(.part, following) != nil
      || vocabulary.match(.ordinal, following) != nil && isUnit(following.dropFirst())
      || vocabulary.match(.some, following).map { isUnit(following.dropFirst($0.count)) } == true
  }

  /// Whether words have a meaning of time wherever they stand: `tonight`, `in the morning`,
  /// `half past 3`, and beside a date `until` and `evening`.
  func isStrong(_ place: Int) -> Bool {
    let rest = tokens(words[place...].prefix(4).joined(separator: " "))
    if vocabulary.match(.tonight, rest) != nil { return true }
    if isUnread(place, rest) || isEndOfRepetition(place, rest) || isCountedWeekday(place, rest)
      || isRomanMonth(place) || isDistributive(place) || isMultiplied(place, rest)
      || isUnitOfUnit(place, rest) || isDayWithoutMonth(place, rest)
    {
      return true
    }
    if let part = vocabulary.match(.part, rest) {
      let isOrdinary = vocabulary.match(.ordinary, rest) != nil
      if part.count > 1 || (!segments.isEmpty && !isOrdinary) { return true }
    }
    if !segments.isEmpty, isLength(rest) { return true }
    if let fraction = vocabulary.match(.vague, rest), fraction.value == "fraction" {
      let following = rest.dropFirst(fraction.count)
      if !segments.isEmpty, isUnit(following) { return true }
      let number = vocabulary.match(.vague, following) ?? vocabulary.match(.to, following)
      if [following, following.dropFirst(number?.count ?? 0)].contains(where: {
        $0.first?.number != nil || vocabulary.match(.number, $0) != nil
      }) {
        return true
      }
    }
    let number = rest.first?.number != nil ? 1 : vocabulary.match(.number, rest)?.count
    if let number, !segments.isEmpty {
      var next = rest.dropFirst(number)
      if next.first?.word == "more" { next = next.dropFirst() }
      if let times = vocabulary.match(.times, next), times.count > 0 { return true }
    }
    if !segments.isEmpty, isMultiplier(rest.first?.word) { return true }
    return !segments.isEmpty && isUntil(rest)
  }

  /// Whether words have a meaning of time that no phrase has.
  private func isUnread(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    guard !segments.isEmpty, let unread = vocabulary.match(.unread, rest) else { return false }
    let isAfter = segments.contains { $0.range.upperBound == place }
    switch unread.value {
    case "after": return isAfter
    case "near":
      return isAfter || segments.contains { $0.range.contains(place + unread.count) }
    case "counted": return place > 0 && isNumberAlone(words[place - 1])
    case "number": return rest.dropFirst(unread.count).first?.number != nil
    default: return true
    }
  }

  private func isNumberAlone(_ word: String) -> Bool {
    let tokens = tokens(word)
    return tokens.count == 1 && tokens.first?.number != nil
      || vocabulary.match(.number, tokens)?.count == tokens.count
  }

  /// Whether words are a number of times after a repetition, as in `every friday x5`.
  private func isMultiplied(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    guard segments.contains(where: { $0.form.repetition != nil }) else { return false }
    return ["x", "×"].contains(rest.first?.word) && rest.dropFirst().first?.number != nil
  }

  /// Whether a number precedes a distance of the same number, as in `de 8 em 8 horas`.
  private func isDistributive(_ place: Int) -> Bool {
    guard let number = tokens(words[place]).first?.number,
      segments.contains(where: { $0.range.lowerBound == place + 1 })
    else { return false }
    let next = tokens(words[(place + 1)...].prefix(2).joined(separator: " "))
    guard let within = vocabulary.match(.within, next) else { return false }
    return next.dropFirst(within.count).first?.number == number
  }

  /// Whether words directly after a date are a unit of another one, as in `mardi dernier jour du mois`.
  private func isUnitOfUnit(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    guard segments.contains(where: { $0.range.upperBound == place }), isUnit(rest),
      let of = vocabulary.match(.of, rest.dropFirst())
    else { return false }
    let following = rest.dropFirst(1 + of.count)
    let article = vocabulary.match(.article, following)?.count ?? 0
    return isUnit(following.dropFirst(article))
  }

  /// Whether the last words are the ordinal number of a day without its month, as in `every first` and
  /// `zum Ersten`.
  private func isDayWithoutMonth(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    let before = [PhraseConcept.every, .on, .until].lazy.compactMap {
      vocabulary.match($0, rest)?.count
    }.first
    guard let before else { return false }
    var following = rest.dropFirst(before)
    if let article = vocabulary.match(.article, following) {
      following = following.dropFirst(article.count)
    }
    guard let ordinal = vocabulary.match(.ordinal, following) else { return false }
    return following.count == ordinal.count && words.count - place <= 4
  }

  /// Whether words directly after a repetition are an end of it, as in `every monday to easter`.
  private func isEndOfRepetition(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    guard segments.contains(where: { $0.range.upperBound == place }),
      segments.contains(where: { $0.form.repetition != nil })
    else { return false }
    if vocabulary.match(.until, rest) != nil { return true }
    // "daily 10:00 once" contradicts itself.
    if vocabulary.match(.frequency, rest) != nil { return true }
    // "ogni mese l'ultimo giorno"
    guard let ordinal = vocabulary.match(.ordinal, rest) else { return false }
    return isUnit(rest.dropFirst(ordinal.count))
  }

  /// Whether words are the number of weekdays that follow, as in `the next two mondays`.
  private func isCountedWeekday(_ place: Int, _ rest: ArraySlice<PhraseToken>) -> Bool {
    guard let after = segments.first(where: { 1...3 ~= $0.range.lowerBound - place }) else {
      return false
    }
    // "3 working days" and "two weekends" are no repetition.
    let first = tokens(words[after.range].prefix(3).joined(separator: " "))
    let areDays =
      after.form.repetition?.days.isEmpty == false && vocabulary.match(.adverb, first) != nil
    let isPlural = after.form.repetition?.isPlural == true || areDays
    var isWeekday = isPlural
    if case .weekday? = after.form.start.day?.base { isWeekday = true }
    guard isWeekday else { return false }
    let distance = after.range.lowerBound - place
    let coming = vocabulary.match(.coming, rest) ?? vocabulary.match(.near, rest)
    let isComing = coming != nil || EnglishDateWords.distances[rest.first?.word ?? ""] != nil
    if isPlural, isComing, distance == (coming?.count ?? 1) { return true }
    let number = rest.dropFirst(isComing ? coming?.count ?? 1 : 0)
    let count = number.first?.number != nil ? 1 : vocabulary.match(.number, number)?.count ?? 0
    let isCounted = count > 0 && distance == count + (isComing ? coming?.count ?? 1 : 0)
    return isCounted && (isPlural || isComing)
  }

  /// Whether a word is a Roman number after that of a day, as in `24 XII`.
  private func isRomanMonth(_ place: Int) -> Bool {
    let roman: Set<String> = [
      "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII",
    ]
    guard !segments.isEmpty, place > 0, roman.contains(words[place].trimmingSigns),
      let number = tokens(words[place - 1]).first?.number
    else { return false }
    return 1...31 ~= number
  }

  /// Whether a word is a number of times in German: `fünfmal`.
  private func isMultiplier(_ word: String?) -> Bool {
    guard language.code == "de", let word, word.hasSuffix("mal"), word.count > 4 else {
      return false
    }
    return vocabulary.match(.number, tokens(String(word.dropLast(3)))) != nil
  }

  /// The maximum number of words in parentheses that are read.
  private static let parenthesisLimit = 6

  /// Whether words in parentheses or brackets beside a date are a length, a repetition, an end of
  /// one or a number of times: `(30 min)`, `(until 31 jan)`, `(8 times)`.
  func isParenthesis(_ place: Int) -> Bool {
    let closing: [Character: Character] = ["(": ")", "[": "]"]
    guard !segments.isEmpty, let first = words[place].first, let end = closing[first] else {
      return false
    }
    let rest = words[place...].prefix(Self.parenthesisLimit)
    guard let last = rest.firstIndex(where: { $0.last == end }) else { return false }
    let text = rest[...last].joined(separator: " ").dropFirst().dropLast()
    guard !text.isEmpty, text.utf8.count <= DatePhrases.limit else { return false }
    let content = tokens(String(text))
    if isLength(content) || isUntil(content) { return true }
    let number = content.first?.number != nil ? 1 : vocabulary.match(.number, content)?.count
    if let number, vocabulary.match(.times, content.dropFirst(number)) != nil { return true }
    var parser = PhraseParser(String(text), language, phrases.zones)
    guard let form = try? parser.run(), parser.tokens.isEmpty else { return false }
    return form.repetition != nil || form.duration != nil || form.start.day != nil
      || form.start.time?.isBare == false
  }

  /// Whether words are a number of units, or a length such as `half an hour`.
  func isLength(_ words: ArraySlice<PhraseToken>) -> Bool {
    if vocabulary.match(.length, words) != nil { return true }
    if let halves = vocabulary.match(.halves, words), isUnit(words.dropFirst(halves.count)) {
      return true
    }
    var rest = words
    if let number = vocabulary.match(.number, words) {
      rest = rest.dropFirst(number.count)
    } else if words.first?.number != nil {
      rest = rest.dropFirst()
      // "10 m" may be metres, and "2h" is a time.
      guard let unit = rest.first?.word, unit.count > 2 || unit == "h" else { return false }
    } else {
      return false
    }
    return isUnit(rest)
  }

  /// Whether words are `until` in a sense that is no place.
  func isUntil(_ words: ArraySlice<PhraseToken>) -> Bool {
    vocabulary.match(.until, words) != nil && !["to", "do", "до", "по"].contains(words.first?.word)
  }

  func isUnit(_ tokens: ArraySlice<PhraseToken>) -> Bool {
    guard let word = tokens.first?.word else { return false }
    return language.units[word] != nil || vocabulary.match(.unit, tokens) != nil
  }

  /// Whether a word is the week of a day, as in `week of jan 11` and `Woche vom 11. Januar`.
  func isWeek(_ tokens: ArraySlice<PhraseToken>, of day: SentenceReader.Segment?) -> Bool {
    guard let day, day.form.end == nil, day.form.duration == nil,
      let word = tokens.first?.word
    else { return false }
    let first = self.tokens(words[day.range.lowerBound])
    let unit = vocabulary.match(.unit, tokens)?.value
    return (language.units[word] == .week || unit == "week")
      && [PhraseConcept.of, .from].contains { vocabulary.match($0, first) != nil }
  }

  /// Whether a number touches the phrase, where it may be a time.
  func isNumber(
    _ tokens: ArraySlice<PhraseToken>, _ place: Int, _ before: SentenceReader.Segment?,
    _ after: SentenceReader.Segment?
  ) -> Bool {
    guard before != nil || after != nil else { return false }
    let signs = tokens.prefix { ["@", "+", "-", "~"].contains(where: $0.isSign) }
    guard let first = tokens.dropFirst(signs.count).first else { return !signs.isEmpty }
    guard case .number = first.kind else { return false }
    // "Rota 1st monday monthly"
    if after != nil {
      let pair = words[place...].prefix(2).joined(separator: " ")
      var parser = PhraseParser(pair, language, phrases.zones)
      if parser.takeOrdinalWeekday() != nil { return true }
    }
    guard before == nil, let after, signs.isEmpty else { return true }
    if isDayNumber(place) { return true }
    // "Room 12 tomorrow 9:00": before the day, and the time is known.
    let start = after.form.start
    let isDayFirst =
      start.day.map { $0.column <= start.time?.column ?? .max } ?? (start.moment != nil)
    return !(isDayFirst && start.hasTime)
  }

  /// Whether a number is that of a day, by its ending or by the word before it: `15th`, `15.`,
  /// `on 15`.
  private func isDayNumber(_ place: Int) -> Bool {
    let word = words[place]
    let number = word.prefix { $0.isNumber }
    guard let day = Int(number), 1...31 ~= day else { return false }
    if [".", "th", "st", "nd", "rd", "er", "º", "ª"].contains(word.dropFirst(number.count)) {
      return true
    }
    guard place > 0, number.count == word.count else { return false }
    let previous = tokens(words[place - 1])
    return vocabulary.match(.on, previous)?.count == previous.count
  }

  /// Whether a word beside the phrase has a meaning of time, but none that is known.
  func isTime(
    _ tokens: ArraySlice<PhraseToken>, _ place: Int, _ form: PhraseForm?
  ) -> Bool {
    let rest = self.tokens(words[place...].prefix(3).joined(separator: " "))
    let isBefore = segments.contains { $0.range.lowerBound == place + 1 }
    let isAfterNumber = place > 0 && self.tokens(words[place - 1]).first?.number != nil
    // "12 Uhr am Rathaus"
    if tokens.first?.word == "am", vocabulary.match(.on, tokens) != nil { return false }
    if isVague(rest) || (isAfterNumber && vocabulary.match(.times, rest) != nil) { return true }
    if let word = tokens.first?.word, language.halves[word] != nil { return true }
    if isBefore, vocabulary.match(.ordinal, tokens) != nil, tokens.count == 1 { return true }
    if isUnit(tokens), isAfterNumber { return true }
    // "mar 9h": the abbreviation of a day or of a month, and no other day.
    let isDay = form?.start.day != nil || form?.start.moment != nil || form?.repetition != nil
    return !isDay && language.match(tokens)?.count == tokens.count
  }

  /// Whether words have a meaning of time, but alone name no day and no hour.
  func isVague(_ words: ArraySlice<PhraseToken>) -> Bool {
    // "저녁" is an evening, and a dinner.
    guard vocabulary.match(.ordinary, words) == nil else { return false }
    return [PhraseConcept.vague, .part, .mark, .weekend, .near, .tonight, .noon].contains {
      vocabulary.match($0, words) != nil
    }
  }

  /// Whether a number in words touches the phrase, where it may be an hour, minutes or a day:
  /// `mon at nine fifteen`, `sat nine pm`, `le cinq à 14h`.
  func isNumberWord(
    _ tokens: ArraySlice<PhraseToken>, _ place: Int, _ before: SentenceReader.Segment?,
    _ after: SentenceReader.Segment?
  ) -> Bool {
    func matches(_ concept: PhraseConcept) -> Bool {
      guard let match = vocabulary.match(concept, tokens) else { return false }
      return match.count == tokens.count && Int(match.value) ?? 0 > 1
    }
    let isNumber = matches(.number)
    if before != nil { return isNumber }
    guard let after, after.form.start.hasTime, !after.form.hasDay, after.form.repetition == nil
    else { return false }
    guard isNumber else { return matches(.monthDay) }
    guard place > 0 else { return false }
    let previous = self.tokens(words[place - 1])
    return [PhraseConcept.article, .on].contains {
      vocabulary.match($0, previous)?.count == previous.count
    } || isUnit(previous)
  }

  /// Whether words are a day and a month in words, as in `the third of april`, or an hour in words
  /// with its half of the day.
  func isSpelledTime(_ place: Int) -> Bool {
    guard !segments.isEmpty else { return false }
    let rest = tokens(words[place...].prefix(4).joined(separator: " "))
    if let number = vocabulary.match(.number, rest) {
      let next = rest.dropFirst(number.count)
      let minutes = vocabulary.match(.number, next)?.count ?? 0
      if let word = next.dropFirst(minutes).first?.word, language.halves[word] != nil {
        return true
      }
    }
    guard let day = vocabulary.match(.monthDay, rest) ?? vocabulary.match(.ordinal, rest) else {
      return false
    }
    var next = rest.dropFirst(day.count)
    if let of = vocabulary.match(.of, next) { next = next.dropFirst(of.count) }
    return monthCount(next) != nil
  }

  /// Whether a word is the preposition of a month, as in `mon 9:00 in March`.
  func isInMonth(_ tokens: ArraySlice<PhraseToken>, _ place: Int) -> Bool {
    guard !segments.isEmpty, tokens.count == 1, let word = tokens.first?.word,
      Self.prepositionsOfMonths.contains(word), place + 1 < words.count
    else { return false }
    let next = self.tokens(words[place + 1])
    return monthCount(next) != nil
  }

  static let prepositionsOfMonths: Set<String> = [
    "in", "im", "en", "em", "a", "w", "we", "в",
  ]

  /// Whether a preposition stands before the phrase, or after it without another word.
  func isPreposition(
    _ tokens: ArraySlice<PhraseToken>, _ place: Int, _ before: SentenceReader.Segment?,
    _ after: SentenceReader.Segment?
  ) -> Bool {
    guard before != nil || after != nil else { return false }
    // "avant la fin du mois"
    if after != nil, place > 0, !isTitle[place - 1],
      vocabulary.match(.article, tokens)?.count == tokens.count
    {
      let previous = self.tokens(words[place - 1])
      let leads: [PhraseConcept] = [.vague, .until, .within, .due, .for, .on]
      if leads.contains(where: { vocabulary.match($0, previous)?.count == previous.count }) {
        return true
      }
    }
    let concepts: [PhraseConcept] = [
      .from, .to, .until, .between, .and, .at, .on, .for, .within, .of, .due,
    ]
    guard concepts.contains(where: { vocabulary.match($0, tokens)?.count == tokens.count }) else {
      return false
    }
    if after != nil || place + 1 == words.count { return true }
    var next = self.tokens(words[(place + 1)...].prefix(3).joined(separator: " "))
    if case .number? = next.first?.kind { return true }
    if isVague(next) || vocabulary.match(.number, next) != nil { return true }
    if vocabulary.match(.hourWord, next) != nil { return true }
    // "on the last weekday"
    guard let article = vocabulary.match(.article, next) else { return false }
    next = next.dropFirst(article.count)
    return isVague(next) || vocabulary.match(.ordinal, next) != nil
  }
}
