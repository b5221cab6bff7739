// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

// MARK: Words with a known meaning that the phrase cannot have

extension SentenceCheck {
  /// The error of words that name no day or no exact time, with the reason; nil for other words.
  func inexact(_ place: Int, _ form: PhraseForm?) -> DatePhraseError? {
    let rest = tokens(words[place...].prefix(6).joined(separator: " "))
    if let count = frequency(rest) {
      return unread(
        "\(quoted(rest, count)) names no days; write them, as in \"every monday\"", form)
    }
    if let count = share(place, rest) {
      return unread(
        "\(quoted(rest, count)) names no days; write them, as in \"every first monday of the month\"",
        form)
    }
    if let count = position(rest, form) {
      return unread("\(quoted(rest, count)) is not read as a day; write the date", form)
    }
    if let error = weekNumber(rest, form) ?? partWithoutTime(rest, form) { return error }
    guard let form else { return undated(place, rest) }
    if !form.hasDay, form.repetition == nil, let count = undatedDay(place, rest) {
      return unread("\(quoted(rest, count)) is not read as a day; write the date", form)
    }
    if let count = exception(place, rest) {
      return unread(
        "\(quoted(rest, count)) is not understood: a repetition has no exceptions here", form)
    }
    if let count = comingPeriod(rest) {
      return unread(
        "\(quoted(rest, count)) is not understood; write \"until\" and the last day", form)
    }
    if let count = periodPart(place, rest) {
      return unread("\(quoted(rest, count)) is not one day; write the date", form)
    }
    if let error = feast(rest, form) { return error }
    guard isZone(place, rest, form) else { return nil }
    return unread(
      "\"\(words[place].prefix(40))\" may name a time zone, and is not understood; write a name such "
        + "as America/New_York", form)
  }

  func quoted(_ tokens: ArraySlice<PhraseToken>, _ count: Int) -> String {
    let kinds = tokens.prefix(count).map { token in
      let text =
        switch token.kind {
        case .word(let word): word
        case .number(let number): number.map(String.init) ?? ""
        case .sign(let sign): sign
        }
      return token.isSpaced ? " \(text)" : text
    }
    return "\"\(kinds.joined().drop { $0 == " " })\""
  }

  /// The error of `tonight`, `heute Abend` and their like without a time of day.
  private func partWithoutTime(
    _ words: ArraySlice<PhraseToken>, _ form: PhraseForm?
  ) -> DatePhraseError? {
    guard form?.hasTime != true else { return nil }
    var match = vocabulary.match(.tonight, words)
    if match == nil, let part = vocabulary.match(.part, words) {
      let isOrdinary = vocabulary.match(.ordinary, words) != nil
      if part.count > 1 || (!segments.isEmpty && !isOrdinary) { match = part }
    }
    guard let (value, count) = match else { return nil }
    let hours = ["morning": "8:00", "midday": "12:00", "afternoon": "15:00", "night": "22:00"]
    let hour = hours[value.filter { $0 != "!" }, default: "20:00"]
    let name = quoted(words, count)
    return unread(
      "\(name) names no time of day; write one, as in \(name.dropLast()) \(hour)\"", form)
  }

  /// The error of a compound such as `Dienstagabend` that has no time of day beside it; nil for none.
  func compoundWithoutTime(_ form: PhraseForm?) -> DatePhraseError? {
    for place in words.indices where !isTitle[place] {
      let isTaken = segments.contains { $0.range.contains(place) }
      let parts = tokens(words[place])
      guard !isTaken, let day = day(ofCompound: parts) else { continue }
      let hasTime = form?.hasTime == true
      return unread(
        hasTime
          ? "\"\(words[place].prefix(40))\" and its time of day do not stand together"
          : "\"\(words[place].prefix(40))\" names no time of day; write one beside it",
        form ?? day)
    }
    return nil
  }

  /// The day of a compound with a part of the day, which has no sign in it; nil for other words.
  private func day(ofCompound parts: ArraySlice<PhraseToken>) -> PhraseForm? {
    guard parts.count > 1, !parts.contains(where: \.isSignKind),
      parts.dropFirst().allSatisfy({ !$0.isSpaced }), let last = parts.last,
      vocabulary.match(.part, [last]) != nil
    else { return nil }
    var parser = PhraseParser("", language, phrases.zones)
    parser.tokens = parts.dropLast()
    guard let form = try? parser.run(), parser.tokens.isEmpty,
      form.start.day != nil || form.repetition != nil
    else { return nil }
    return form
  }

  /// The error of `KW 50`: weeks are numbered differently, and an event needs its days.
  ///
  /// The reading is that of ISO 8601, in which week 1 has 4 January.
  private func weekNumber(
    _ words: ArraySlice<PhraseToken>, _ form: PhraseForm?
  ) -> DatePhraseError? {
    guard let week = vocabulary.match(.weekNumber, words), week.value != "weak" || form != nil,
      let token = words.dropFirst(week.count).first, token.length <= 2, let number = token.number,
      1...53 ~= number
    else { return nil }
    return DatePhraseError(
      .unread, column: 1,
      "\(quoted(words, week.count + 1)) is not read as a date; write the dates of its days",
      readings: [phrases.reading(ofWeek: number)].compactMap(\.self))
  }

  /// The length of `twice a week` or `3 times per month`.
  private func frequency(_ words: ArraySlice<PhraseToken>) -> Int? {
    var count = 0
    if let frequency = vocabulary.match(.frequency, words) {
      count = frequency.count
    } else {
      count = words.first?.number == nil ? vocabulary.match(.number, words)?.count ?? 0 : 1
      guard count > 0, let times = vocabulary.match(.times, words.dropFirst(count)) else {
        return nil
      }
      count += times.count
    }
    return language.frequencyUnit(words.dropFirst(count)).map { count + $0 }
  }

  /// The length of `par mois` after a weekday, as in `un mardi par mois`.
  private func share(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    let isAfterWeekday = segments.contains { segment in
      guard segment.range.upperBound == place, segment.form.repetition == nil,
        !segment.form.start.hasTime, case .weekday? = segment.form.start.day?.base
      else { return false }
      return true
    }
    guard isAfterWeekday, let count = language.frequencyUnit(words), count > 1 else { return nil }
    return count
  }

  /// The length of `last working day`, and of `last day of the year`.
  private func position(_ words: ArraySlice<PhraseToken>, _ form: PhraseForm?) -> Int? {
    guard let ordinal = vocabulary.match(.ordinal, words) else { return nil }
    var rest = words.dropFirst(ordinal.count)
    let workday = vocabulary.match(.workday, rest)
    if let workday {
      rest = rest.dropFirst(workday.count)
      if form != nil { return words.count - rest.count }
    } else {
      guard isUnit(rest) else { return nil }
      rest = rest.dropFirst()
    }
    guard let of = vocabulary.match(.of, rest) else { return nil }
    rest = rest.dropFirst(of.count)
    if let article = vocabulary.match(.article, rest) { rest = rest.dropFirst(article.count) }
    return isUnit(rest) ? words.count - rest.count + 1 : nil
  }

  /// The length of `except`, and of `without` before a date.
  private func exception(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    guard let except = vocabulary.match(.except, words) else { return nil }
    guard except.value == "weak" else { return except.count }
    // "on" or an article may stand between.
    let following = place + except.count
    let isNear = segments.contains { following...following + 1 ~= $0.range.lowerBound }
    let next = words.dropFirst(except.count)
    let isDirect = segments.contains { $0.range.lowerBound == following }
    let hasArticle = [PhraseConcept.on, .article].contains { vocabulary.match($0, next) != nil }
    return isNear && (isDirect || hasArticle) ? except.count : nil
  }

  /// The length of `next 3 weeks` or `3 prochaines semaines`.
  func comingPeriod(_ words: ArraySlice<PhraseToken>) -> Int? {
    let (near, number) = (nearCount(words), numberCount(words))
    if near > 0, vocabulary.match(.units, words.dropFirst(near)) != nil { return near + 1 }
    if near > 0 {
      let count = near + numberCount(words.dropFirst(near))
      return count > near && isUnit(words.dropFirst(count)) ? count + 1 : nil
    }
    guard number > 0 else { return nil }
    let count = number + nearCount(words.dropFirst(number))
    return count > number && isUnit(words.dropFirst(count)) ? count + 1 : nil
  }

  func nearCount(_ words: ArraySlice<PhraseToken>) -> Int {
    if let word = words.first?.word, EnglishDateWords.distances[word] != nil { return 1 }
    return (vocabulary.match(.coming, words) ?? vocabulary.match(.near, words))?.count ?? 0
  }

  func numberCount(_ words: ArraySlice<PhraseToken>) -> Int {
    words.first?.number == nil ? vocabulary.match(.number, words)?.count ?? 0 : 1
  }

  /// The length of `mid` before a month, and of `beginning of` before a period.
  func periodPart(_ place: Int, _ words: ArraySlice<PhraseToken>) -> Int? {
    guard let part = vocabulary.match(.periodPart, words) else { return nil }
    if part.value == "whole" { return part.count }
    let isBeforePeriod = segments.contains { segment in
      guard place + 1...place + part.count + 1 ~= segment.range.lowerBound else {
        return false
      }
      switch segment.form.start.day?.base {
      case .month, .period, .weekend, .edgeOfMonth: return true
      default: return false
      }
    }
    if isBeforePeriod { return part.count }
    for skipped in 0...2 {
      let unit = words.dropFirst(part.count + skipped)
      let isPeriod = [PhraseConcept.quarter, .season].contains {
        vocabulary.match($0, unit) != nil
      }
      if isUnit(unit) || isPeriod { return part.count + skipped + 1 }
    }
    // "Ende 2026"
    if let year = words.dropFirst(part.count).first?.number, Self.years ~= year {
      return part.count + 1
    }
    return monthCount(words.dropFirst(part.count)).map { part.count + $0 }
  }

  /// The number of words of the name of a month.
  func monthCount(_ words: ArraySlice<PhraseToken>) -> Int? {
    guard let match = language.match(words),
      match.meanings.contains(where: { if case .month = $0 { true } else { false } })
    else { return nil }
    return match.count
  }

  /// The error of the name of a feast, if the phrase has no other day.
  private func feast(_ words: ArraySlice<PhraseToken>, _ form: PhraseForm) -> DatePhraseError? {
    guard !form.hasDay, form.repetition == nil, let feast = vocabulary.match(.feast, words) else {
      return nil
    }
    return feastError(words, feast, form)
  }

  /// The error of a feast with a weekday in its name, such as `good friday`.
  func feastWithWeekday(_ form: PhraseForm) -> DatePhraseError? {
    for segment in segments {
      for place in max(0, segment.range.lowerBound - 2)..<segment.range.upperBound {
        let rest = tokens(words[place...].prefix(4).joined(separator: " "))
        guard !isTitle[place], let feast = vocabulary.match(.feast, rest), feast.count > 1,
          place + feast.count > segment.range.lowerBound
        else { continue }
        return feastError(rest, feast, form)
      }
    }
    return nil
  }

  func feastError(
    _ words: ArraySlice<PhraseToken>, _ feast: (value: String, count: Int), _ form: PhraseForm?
  ) -> DatePhraseError {
    let fields = feast.value.split(separator: "-").compactMap { Int($0) }
    let name = quoted(words, feast.count)
    guard fields.count == 2 else {
      return unread("\(name) is not read as a day; write its date", form)
    }
    let date = "\(fields[1]) \(EnglishDateWords.name(ofMonth: fields[0]).lowercased())"
    return unread("\(name) is not read as a day; write \(date)", form)
  }
}

// MARK: Time zones

extension SentenceCheck {
  /// Whether a word after a time looks like the name of a time zone, or of a place in one.
  private func isZone(
    _ place: Int, _ rest: ArraySlice<PhraseToken>, _ form: PhraseForm
  ) -> Bool {
    func hasTime(_ distance: Int) -> Bool {
      segments.contains { $0.range.upperBound == place - distance && $0.form.hasTime }
    }
    let local = vocabulary.match(.localTime, rest)
    if let local, local.value.isEmpty || hasHour(before: place),
      hasTime(0) || hasTime(1) || hasTime(2)
    {
      return true
    }
    // "14:00 in New York" has the place after a preposition.
    let isAfterIn = hasTime(1) && isPlacePreposition(place - 1)
    if hasTime(0) || isAfterIn, isOtherCity(place, form) { return true }
    guard hasTime(0) else { return false }
    let name = words[place].trimmingSigns
    let parts = name.split(separator: "/")
    if parts.count == 2,
      parts.allSatisfy({
        $0.count > 2 && $0.first?.isUppercase == true && $0.allSatisfy(\.isZoneLetter)
      })
    {
      return true
    }
    let tokens = rest.drop(while: \.isSignKind)
    if ["z", "utc", "gmt"].contains(tokens.first?.word) { return true }
    guard let zone = vocabulary.match(.zoneAbbreviation, tokens) else { return false }
    if zone.value == "last" {
      return place + 1 == words.count || segments.contains { $0.range.lowerBound == place + 1 }
    }
    if zone.value == "upper", language.code == "en" { return true }
    let isCapital = name.allSatisfy { !$0.isLowercase }
    return isCapital
      || zone.value.isEmpty && !["est", "ist", "met", "west"].contains(tokens.first?.word)
  }

  /// Whether the word before a place is one after an hour, such as `hora`.
  private func hasHour(before place: Int) -> Bool {
    place > 0 && vocabulary.match(.mark, tokens(words[place - 1])) != nil
  }

  private func isPlacePreposition(_ place: Int) -> Bool {
    guard words.indices.contains(place) else { return false }
    let tokens = tokens(words[place])
    return vocabulary.match(.within, tokens) != nil || vocabulary.match(.of, tokens) != nil
  }

  /// Whether words are a city whose clocks differ from those of the phrase at its time.
  private func isOtherCity(_ place: Int, _ form: PhraseForm) -> Bool {
    guard form.zone == nil, let rules = zone(ofCity: place),
      let span = try? phrases.resolver(isNext: true).span(of: form),
      case .local(let wall) = span.start
    else { return false }
    return rules.instant(of: wall) != phrases.zone.instant(of: wall)
  }

  /// The rules of the time zone that has the name of the city at a place.
  private func zone(ofCity place: Int) -> ZoneRules? {
    let names = words[place...].prefix(3).map { $0.trimmingSigns }
    for count in stride(from: names.count, to: 0, by: -1) {
      let tokens = tokens(names.prefix(count).joined(separator: " "))
      if let city = vocabulary.match(.city, tokens) { return phrases.zones.named(city.value) }
      let name = names.prefix(count).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined(separator: "_")
      guard name.count > 2, !Self.ordinaryCities.contains(name.lowercased()) else { continue }
      for area in Self.areas {
        if let rules = phrases.zones.named("\(area)/\(name)") { return rules }
      }
    }
    return nil
  }

  /// The areas of the IANA database that have cities.
  private static let areas = [
    "Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
  ]

  /// Cities and islands whose names are more often other words.
  private static let ordinaryCities: Set<String> = [
    "center", "christmas", "davis", "easter", "midway", "nelson", "north", "regina", "reunion",
    "south", "troll", "victoria", "wake", "west",
  ]
}

extension PhraseForm {
  /// Whether the start or the end has a time of day.
  fileprivate var hasTime: Bool { start.hasTime || end?.hasTime == true }
}

extension String {
  /// The text without brackets and commas around it.
  var trimmingSigns: String {
    let rest = drop { !$0.isLetter && !$0.isNumber }
    let count = rest.reversed().prefix { !$0.isLetter && !$0.isNumber }.count
    return String(rest.dropLast(count))
  }
}

extension Character {
  /// Whether the character can be a part of the name of a zone.
  fileprivate var isZoneLetter: Bool { isLetter || self == "_" }
}
