// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICUServices

/// The words that date phrases consist of: those of a locale, and the English ones.
///
/// The words of the locale are ICU's: the names and abbreviations of weekdays and months, the words
/// for days and periods near today, such as `übermorgen` and `la semaine prochaine`, and distances,
/// such as `in 2 Stunden`.
///
/// ```swift
/// let language = try DateLanguage(locale: "de_DE")
/// let phrases = DatePhrases(now: now, zone: berlin, language: language)
/// try phrases.span("Freitag 9-10:30")
/// ```
public struct DateLanguage: Sendable {
  /// The meaning of a word or of several words.
  enum Meaning: Hashable, Sendable {
    case now
    case day(Int)
    case weekday(Weekday)
    case month(Int)
    case period(DateWords.Unit, Int)
    case nearWeekday(Weekday, Int)
    case weekdayOfWeek(Weekday, Int)
  }

  /// Words with their meaning.
  struct Entry: Sendable {
    let words: [PhraseToken.Kind]
    let meaning: Meaning
  }

  /// Words before and after a number, such as those of `in 2 hours`.
  struct Distance: Hashable, Sendable {
    let before: [PhraseToken.Kind]
    let after: [PhraseToken.Kind]
    let unit: DateWords.Unit
    let isPast: Bool
  }

  /// The first day of a week.
  public let firstWeekday: Weekday
  /// The code of the language, such as `de`.
  let code: String
  /// The words that ICU lacks.
  let vocabulary: PhraseVocabulary
  /// The known words of scripts without spaces, which are parts of longer words.
  private var pieces: Set<String> = []
  /// The endings of compounds of a day and a part of it, longer ones first.
  private let endings: [(text: String, value: String)]
  /// The names of days and months, for typing errors.
  private(set) var dayNames = DayNames([])
  /// The meanings by first word; longer phrases come first.
  private(set) var entries: [String: [Entry]] = [:]
  /// The units by name.
  private(set) var units = EnglishDateWords.units
  /// The words after a number for the halves of the day; true for the afternoon.
  private(set) var halves: [String: Bool] = [:]
  /// The words after the hour, such as `Uhr`.
  private(set) var hourMarks: Set<String> = []
  /// The forms of distances, longer ones first.
  private(set) var distances: [Distance] = []

  /// The English words, with weeks that begin on Monday.
  public static let english = DateLanguage(words: [], firstWeekday: .monday)

  /// Creates the language of a locale.
  ///
  /// - Parameter locale: The language and region, such as `de_AT`.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(locale: String) throws(ICUError) {
    self.init(
      words: try DateWords.all(locale: locale),
      firstWeekday: try LocalizedDates(locale: locale).firstWeekday,
      code: String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased())
  }

  /// Creates a language from words.
  ///
  /// - Parameters:
  ///   - words: The words in addition to the English ones.
  ///   - firstWeekday: The first day of a week.
  ///   - code: The code of the language, whose words for repetitions, ranges and hours are read.
  public init(words: [DateWords], firstWeekday: Weekday, code: String = "en") {
    self.firstWeekday = firstWeekday
    self.code = code
    let codes = code == "en" ? ["en"] : [code, "en"]
    vocabulary = PhraseVocabulary(codes)
    endings = codes.flatMap { PhraseVocabulary.words(of: .dayEnding, in: $0) }
      .sorted { $0.text.count > $1.text.count }
    for word in EnglishDateWords.all + words + PhraseVocabulary.dateWords(in: code) { add(word) }
    // "来週の月曜日" is the Monday of the next week, and not the next Monday.
    let weeks = words.compactMap { word in
      if case .period(.week, _) = word.meaning { word.text } else { String?.none }
    }
    for word in words {
      guard case .nearWeekday(let weekday, let distance) = word.meaning else { continue }
      let isOfWeek = weeks.contains { word.text.hasPrefix($0) }
      add(
        word.text,
        isOfWeek ? .weekdayOfWeek(weekday, distance) : .nearWeekday(weekday, distance))
    }
    pieces = Set(
      (Array(entries.keys) + Array(vocabulary.singleWords) + Array(halves.keys)
        + Array(hourMarks) + ["年", "月", "日", "년", "월", "일"]).filter(\.isUnspaced))
    entries = entries.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    // Rare names such as "Feber" are near many other words.
    let rare = Set(PhraseVocabulary.dateWords(in: code).map(\.text))
    dayNames = DayNames(names.filter { !rare.contains($0) })
    distances = Array(Set(distances)).sorted {
      ($0.before.count, $0.after.count) > ($1.before.count, $1.after.count)
    }
  }

  private mutating func add(_ word: DateWords) {
    switch word.meaning {
    case .now: add(word.text, .now)
    case .day(let days): add(word.text, .day(days))
    case .weekday(let weekday):
      add(word.text, .weekday(weekday))
      // "Mo" is a Monday in German, and a month in English.
      if case .word(let name)? = Self.kinds(of: word.text).first { units[name] = nil }
    case .month(let month): add(word.text, .month(month))
    case .period(let unit, let count):
      add(word.text, .period(unit, count))
      // "semaine prochaine" without the article.
      for article in ["la ", "le ", "il ", "el ", "l'", "l’"] where word.text.hasPrefix(article) {
        add(String(word.text.dropFirst(article.count)), .period(unit, count))
      }
    case .nearWeekday: break
    case .half(let isAfternoon):
      let words = Self.kinds(of: word.text)
      if words.count == 1, case .word(let name) = words[0] { halves[name] = isAfternoon }
    case .hour: addHour(word.text)
    case .distance(let unit, let count): addDistance(word.text, unit, isPast: count < 0)
    }
  }

  private mutating func add(_ text: String, _ meaning: Meaning) {
    let words = Self.kinds(of: text)
    // "in 2 days" is a distance, and "11月" is a number with a sign for months.
    guard case .word(let first)? = words.first, !words.contains(where: Self.isNumber) else {
      return
    }
    let isKnown = entries[first, default: []].contains {
      $0.words == words && $0.meaning == meaning
    }
    if !isKnown { entries[first, default: []].append(Entry(words: words, meaning: meaning)) }
    // "sabado" is written for "sábado".
    let spellings = PhraseVocabulary.spellings(of: text)
    if spellings.count > 1, let plain = spellings.last { add(plain, meaning) }
  }

  private mutating func addHour(_ text: String) {
    let words = Self.kinds(of: text)
    guard words.count == 2, words.first == .number(15), case .word(let mark) = words[1] else {
      return
    }
    hourMarks.insert(mark)
  }

  private mutating func addDistance(_ text: String, _ unit: DateWords.Unit, isPast: Bool) {
    let words = Self.kinds(of: text)
    guard let place = words.firstIndex(where: Self.isNumber) else { return }
    let distance = Distance(
      before: Array(words[..<place]), after: Array(words[(place + 1)...]), unit: unit,
      isPast: isPast)
    // Without words of its own on one side, as in "2 Wo.", the direction is not known.
    guard !distance.after.isEmpty, !distance.after.contains(where: Self.isNumber) else { return }
    distances.append(distance)
    if !distance.before.isEmpty, distance.after.count == 1, case .word(let name) = words[place + 1],
      units[name] == nil
    {
      units[name] = unit
    }
  }

  private static func kinds(of text: String) -> [PhraseToken.Kind] {
    PhraseScanner.tokens(of: text).map(\.kind)
  }

  /// The tokens with words of scripts without spaces split into the known words in them.
  ///
  /// A word that does not consist of known words is unchanged.
  func segmented(_ tokens: [PhraseToken], of text: String) -> [PhraseToken] {
    let hasUnspaced = !pieces.isEmpty && tokens.contains { $0.word?.isUnspaced == true }
    guard hasUnspaced || !endings.isEmpty else { return tokens }
    return tokens.flatMap { token in
      if let parts = compound(token) { return parts }
      guard let word = token.word, word.isUnspaced, entries[word] == nil,
        word.utf8.count == token.range.count, let parts = parts(of: Array(word))
      else { return [token] }
      var start = token.range.lowerBound
      return parts.enumerated().map { place, part in
        defer { start += part.utf8.count }
        return PhraseToken(
          kind: .word(part), range: start..<start + part.utf8.count,
          isSpaced: place == 0 && token.isSpaced, length: part.count)
      }
    }
  }

  /// The day and the part of it in a compound such as `Dienstagabend`; nil for other words.
  private func compound(_ token: PhraseToken) -> [PhraseToken]? {
    guard !endings.isEmpty, let word = token.word, word.count <= Self.wordLimit,
      entries[word] == nil, !vocabulary.singleWords.contains(word)
    else { return nil }
    for ending in endings where word.hasSuffix(ending.text) {
      guard let (day, part) = parts(word.dropLast(ending.text.count), ending.value)
      else { continue }
      let (first, last) = (token.range.lowerBound, token.range.upperBound)
      // Of a text in a decomposed form, the place of the part is not known.
      let isExact = word.utf8.count == token.range.count
      let middle = isExact ? last - ending.text.utf8.count : first + 1
      return [
        PhraseToken(
          kind: .word(day), range: first..<middle, isSpaced: token.isSpaced, length: day.count),
        PhraseToken(
          kind: .word(part), range: middle..<last, isSpaced: false, length: part.count),
      ]
    }
    return nil
  }

  /// The word of the day, in its plural if the ending asks for it, and the word of the part.
  private func parts(
    _ name: Substring, _ value: String
  ) -> (day: String, part: String)? {
    let fields = value.split(separator: " ")
    guard let part = fields.first else { return nil }
    // "tisdagskväll" joins the words by a letter.
    for day in [String(name), name.hasSuffix("s") ? String(name.dropLast()) : nil] {
      guard let day, day.count >= Self.dayLength, isDay(day) else { continue }
      return (fields.count > 1 ? day + fields[1] : day, String(part))
    }
    return nil
  }

  /// The minimum number of characters of a day in a compound.
  private static let dayLength = 5

  /// Whether a word is a weekday, or a day near today.
  private func isDay(_ word: String) -> Bool {
    entries[word, default: []].contains { entry in
      guard entry.words.count == 1 else { return false }
      switch entry.meaning {
      case .weekday, .day: return true
      default: return false
      }
    }
  }

  /// The known words that a word consists of, as few as possible; nil if it has others.
  private func parts(of word: [Character]) -> [String]? {
    guard word.count <= Self.wordLimit else { return nil }
    var best: [[String]?] = Array(repeating: nil, count: word.count + 1)
    best[0] = []
    for end in 1...max(1, word.count) where end <= word.count {
      for start in max(0, end - Self.pieceLimit)..<end {
        guard let before = best[start] else { continue }
        let piece = String(word[start..<end])
        guard pieces.contains(piece), before.count + 1 < best[end]?.count ?? .max else { continue }
        best[end] = before + [piece]
      }
    }
    return best[word.count]
  }

  /// The maximum number of characters of a word without spaces, and of a known word in it.
  private static let wordLimit = 40
  private static let pieceLimit = 8

  /// The days and months that consist of one word.
  private var names: [String] {
    let plurals = [PhraseConcept.plural].flatMap { concept in
      [code, "en"].flatMap { PhraseVocabulary.words(of: concept, in: $0).map(\.text) }
    }
    let days = entries.compactMap { word, entries in
      entries.contains { entry in
        guard entry.words.count == 1, word != "thurs" else { return false }
        switch entry.meaning {
        case .weekday, .month, .day: return true
        default: return false
        }
      } ? word : nil
    }
    return days + plurals.filter { !$0.contains(" ") }
  }

  private static func isNumber(_ kind: PhraseToken.Kind) -> Bool {
    if case .number = kind { true } else { false }
  }
}

extension DateLanguage {
  /// The number of tokens of `a week` or `per month` after a number of times; nil for other words.
  func frequencyUnit(_ tokens: ArraySlice<PhraseToken>) -> Int? {
    // A preposition and an article may stand before the unit.
    for skipped in 0...2 {
      let unit = tokens.dropFirst(skipped)
      guard let word = unit.first?.word else { return nil }
      let isUnit = units[word] != nil || vocabulary.match(.unit, unit) != nil
      if isUnit || vocabulary.match(.adverb, unit) != nil { return skipped + 1 }
    }
    return nil
  }

  /// A match of words in tokens.
  struct Match {
    /// The different meanings of the words.
    let meanings: [Meaning]
    /// The number of tokens.
    let count: Int
  }

  /// The longest known words at the start of tokens; nil if there are none.
  func match(_ tokens: ArraySlice<PhraseToken>) -> Match? {
    guard let first = tokens.first?.word, let candidates = entries[first] else { return nil }
    let matching = candidates.filter { Self.starts(tokens, with: $0.words) }
    guard let length = matching.first?.words.count else { return nil }
    var meanings: [Meaning] = []
    for entry in matching where entry.words.count == length && !meanings.contains(entry.meaning) {
      meanings.append(entry.meaning)
    }
    // In Hebrew, a weekday is also this weekday.
    let exact = meanings.filter { meaning in
      guard case .nearWeekday(let weekday, 0) = meaning else { return true }
      return !meanings.contains(.weekday(weekday))
    }
    return Match(meanings: exact, count: length)
  }

  /// The distance at the start of tokens, with its number and the number of its tokens.
  func distance(
    _ tokens: ArraySlice<PhraseToken>
  ) -> (unit: DateWords.Unit, count: Int, length: Int)? {
    for distance in distances where Self.starts(tokens, with: distance.before) {
      let rest = tokens.dropFirst(distance.before.count)
      guard let number = rest.first?.number,
        Self.starts(rest.dropFirst(), with: distance.after)
      else { continue }
      return (
        distance.unit, distance.isPast ? -number : number,
        distance.before.count + 1 + distance.after.count
      )
    }
    return nil
  }

  private static func starts(
    _ tokens: ArraySlice<PhraseToken>, with words: [PhraseToken.Kind]
  ) -> Bool {
    tokens.count >= words.count && zip(tokens, words).allSatisfy { $0.kind == $1 }
  }
}

extension String {
  /// Whether the text begins with a character of a script without spaces between words.
  fileprivate var isUnspaced: Bool {
    unicodeScalars.first.map { 0x1100...0x11FF ~= $0.value || 0x2E80...0xD7FF ~= $0.value } ?? false
  }
}
