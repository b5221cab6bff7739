// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

// MARK: Typing errors

extension SentenceCheck {
  /// The error of a day or a month after a word such as `with`, where it may be a name; nil for none.
  func name(_ form: PhraseForm?) -> DatePhraseError? {
    for segment in segments {
      let place = segment.range.lowerBound
      guard place > 0, !isTitle[place - 1],
        let match = vocabulary.match(.companion, tokens(words[place - 1])),
        match.count == tokens(words[place - 1]).count
      else { continue }
      switch segment.form.start.day?.base {
      case .weekday, .month, .dateOfYear:
        guard tokens(words[place]).first?.word != nil else { continue }
        return unread("\"\(words[place].prefix(40))\" may be a name or a date", form)
      default: continue
      }
    }
    return nil
  }

  /// The error of a word that is a typing error of a day or a month, such as `tomorow`; nil for
  /// other words.
  func typingError(_ place: Int, _ form: PhraseForm?) -> DatePhraseError? {
    guard let typed = onlyWord(place),
      let meant = language.dayNames.correction(of: typed, vocabulary)
    else { return nil }
    var joined = form ?? PhraseForm()
    var parser = PhraseParser(meant, language, phrases.zones)
    if let day = try? parser.run(), parser.tokens.isEmpty, !joined.hasDay { _ = joined.join(day) }
    return unread(
      "\"\(words[place].prefix(40))\" is not understood; did you mean \"\(meant)\"?", joined)
  }

  /// The only word of an argument, beside signs.
  private func onlyWord(_ place: Int) -> String? {
    let parts = PhraseScanner.tokens(of: words[place])
    let names = parts.compactMap(\.word)
    guard names.count == 1, parts.allSatisfy({ $0.number == nil && $0.length > 0 }) else {
      return nil
    }
    return names[0]
  }

  // MARK: A week after a day

  /// The error of `tuesday week`, with the day a week later; nil for other words.
  func weekAfterDay(_ place: Int, _ form: PhraseForm?) -> DatePhraseError? {
    guard var form, onlyWord(place) == "week",
      let before = segments.first(where: { $0.range.upperBound == place }),
      let name = words[before.range].last?.lowercased()
    else { return nil }
    let point = before.form.end ?? before.form.start
    guard point.time == nil, point.day?.offsets == [] else { return nil }
    // "friday week 50" has the number of a week.
    if words.indices.contains(place + 1), words[place + 1].allSatisfy(\.isNumber) { return nil }
    switch point.day?.base {
    case .weekday(_, nil), .day: break
    default: return nil
    }
    let week = PhraseDay.Offset(count: 1, unit: .week)
    if before.form.end == nil {
      form.start.day?.offsets = [week]
    } else {
      form.end?.day?.offsets = [week]
    }
    let isRange = before.form.end != nil
    let text = isRange ? name : words[before.range].joined(separator: " ")
    return unread(
      "\"\(text) week\" is not read as a day; write \"a week from \(name)\"", form)
  }
}

// MARK: Short names of weekdays

extension SentenceCheck {
  /// The error of weekdays in one or two letters beside a time, such as `Tu Th` and `MWF`; nil if
  /// there are none.
  func shortDays(_ form: PhraseForm?) -> DatePhraseError? {
    guard let form else { return nil }
    for segment in segments where segment.form.start.hasTime || segment.form.repetition != nil {
      let before = run(of: stride(from: segment.range.lowerBound - 1, through: 0, by: -1))
      let after = run(of: stride(from: segment.range.upperBound, to: words.count, by: 1))
      for places in [before.sorted(), after] where !places.isEmpty {
        if let error = error(of: places, in: segment, form) { return error }
      }
    }
    return nil
  }

  /// The places of short names one after another, with the words for "and" between them.
  private func run(of places: some Sequence<Int>) -> [Int] {
    var (found, joining): ([Int], [Int]) = ([], [])
    for place in places.prefix(Self.runLimit) {
      guard !isTitle[place], !segments.contains(where: { $0.range.contains(place) }) else { break }
      if days(at: place) != nil {
        found += joining + [place]
        joining = []
      } else if !found.isEmpty, joining.isEmpty, vocabulary.match(.and, tokens(words[place])) != nil
      {
        joining = [place]
      } else {
        break
      }
    }
    return found
  }

  /// The maximum number of words between short names.
  private static let runLimit = 14

  private func error(
    of places: [Int], in segment: SentenceReader.Segment, _ form: PhraseForm
  ) -> DatePhraseError? {
    var days = places.flatMap { self.days(at: $0) ?? [] }
    let named = segment.form.start.day.flatMap { day -> Weekday? in
      guard case .weekday(let weekday, nil) = day.base, day.weekday == nil else { return nil }
      return weekday
    }
    // "Plan T tomorrow" and "Call Mo tomorrow" have their day.
    guard !segment.form.hasDay || named != nil, !form.hasDay || named != nil else { return nil }
    let hasLetter = places.count == 1 && words[places[0]].filter(\.isLetter).count == 1
    guard !hasLetter, named == nil || !days.isEmpty else { return nil }
    if let named { days.append(named) }
    let unique = days.reduce(into: [Weekday]()) { if !$0.contains($1) { $0.append($1) } }
    var repeated = form
    var rule = RepetitionPhrase(column: 1, .weekly)
    rule.days = unique.sorted { $0.rawValue < $1.rawValue }.map { WeekdayNumber($0) }
    let text = places.map { words[$0] }.joined(separator: " ")
    if form.repetition?.days.isEmpty ?? true {
      rule.interval = form.repetition?.interval ?? 1
      repeated.start.day = nil
      repeated.repetition = rule
    }
    return unread(
      "\"\(text.prefix(40))\" may be days of a repetition; write \"\(rule.text)\"", repeated)
  }

  /// The weekdays of an argument that has only short names, such as `Tu/Th`, `M-F` and `MWF`.
  private func days(at place: Int) -> [Weekday]? {
    let parts = PhraseScanner.tokens(of: words[place])
    guard !parts.isEmpty, parts.count <= 2 * Weekday.allCases.count else { return nil }
    var days: [Weekday] = []
    var isRange = false
    for part in parts {
      switch part.kind {
      case .sign(let sign) where ["/", ",", "+", "&", ".", ";"].contains(sign): continue
      case .sign("-"): isRange = true
      case .word(let name):
        guard let next = shortDay(name) ?? joinedDays(words[place]) else { return nil }
        if isRange, let first = days.last, let last = next.first {
          let count = last.days(since: first)
          days += Weekday.allCases.filter { 1...max(1, count) ~= $0.days(since: first) }
        } else {
          days += next
        }
        isRange = false
      default: return nil
      }
    }
    return days.isEmpty ? nil : days
  }

  /// The error of a short weekday such as `Mo.` or `Mo` that is not beside the time; nil for other
  /// words.
  ///
  /// Without a full stop, it is at one end of a sentence without another day.
  func shortDay(_ place: Int, _ form: PhraseForm?) -> DatePhraseError? {
    guard let form, let typed = onlyWord(place), let match = language.match(tokens(typed)),
      match.count == 1,
      case .weekday(let weekday)? = match.meanings.first
    else { return nil }
    let hasDay = form.hasDay || form.start.moment != nil || form.repetition != nil
    let isAtEnd = place == 0 || place + 1 == words.count
    guard words[place].hasSuffix(".") || isAtEnd && typed.count == 2 && !hasDay else { return nil }
    var joined = form
    if !hasDay { joined.start.day = PhraseDay(column: 1, base: .weekday(weekday, nil)) }
    return unread(
      "\"\(words[place].prefix(40))\" may be a day, and is not beside the time; write both together",
      joined)
  }

  /// The weekday of a name of one or two letters.
  private func shortDay(_ name: String) -> [Weekday]? {
    guard name.count <= 2 else { return nil }
    let tokens = tokens(name)
    if let value = vocabulary.match(.shortDay, tokens)?.value {
      return PhraseParser.weekday(value).map { [$0] }
    }
    for case .weekday(let weekday) in language.match(tokens)?.meanings ?? [] { return [weekday] }
    return nil
  }

  /// The weekdays of capital letters in a row, such as `MWF` and `TuTh`.
  private func joinedDays(_ word: String) -> [Weekday]? {
    let codes: [(String, Weekday)] = [
      ("Mo", .monday), ("Tu", .tuesday), ("We", .wednesday), ("Th", .thursday), ("Fr", .friday),
      ("Sa", .saturday), ("Su", .sunday), ("M", .monday), ("T", .tuesday), ("W", .wednesday),
      ("R", .thursday), ("F", .friday),
    ]
    guard 3...14 ~= word.count else { return nil }
    var (rest, days): (Substring, [Weekday]) = (word[...], [])
    while !rest.isEmpty {
      guard let (code, day) = codes.first(where: { rest.hasPrefix($0.0) }),
        days.last.map({ $0.rawValue < day.rawValue }) ?? true
      else { return nil }
      days.append(day)
      rest = rest.dropFirst(code.count)
    }
    return days.count > 1 ? days : nil
  }
}
