// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Describes rules in German.
public struct GermanRuleLanguage: RuleLanguage {
  /// Creates the language.
  public init() {}

  /// The language code.
  public var code: String { "de" }

  /// Joins phrases to a sentence; the end of a rule and a condition follow a comma, all else a space.
  public func sentence(of phrases: [RulePhrase]) -> String {
    phrases.enumerated().map { index, phrase in
      switch phrase {
      case _ where index == 0: words(for: phrase)
      case .count, .until, .positions, .skip, .weekStart, .ifWeekdays: ", " + words(for: phrase)
      default: " " + words(for: phrase)
      }
    }.joined()
  }

  /// Returns the German text of a phrase.
  public func words(for phrase: RulePhrase) -> String {
    switch phrase {
    case .every(let interval, let frequency): Unit(frequency).every(interval)
    case .months(let months): "im " + list(months.map(name))
    case .weeks(let weeks): "in " + list(weeks.map(week))
    case .yearDays(let days): "am " + list(runs(days, place)) + " Tag des Jahres"
    case .monthDays(let days):
      "am " + list(runs(days, place)) + (days.contains { $0 < 0 } ? " Tag" : "")
    case .weekdays(let weekdays): self.weekdays(weekdays)
    case .numberedWeekdays(let weekdays, let frequency):
      list(weekdays.map(numbered)) + (frequency == .yearly ? " des Jahres" : "")
    case .ifWeekdays(let weekdays, let frequency): condition(weekdays, frequency)
    case .times(let times): "um " + list(times.map(WordList.clock)) + " Uhr"
    case .hours(let hours): plural("in Stunde", "in den Stunden", hours)
    case .minutes(let minutes): plural("zur Minute", "zu den Minuten", minutes)
    case .seconds(let seconds): plural("zur Sekunde", "zu den Sekunden", seconds)
    case .positions(let positions, let frequency):
      "davon \(Unit(frequency).inEach) nur der "
        + list(runs(positions) { $0 > 0 ? "\($0)." : last($0) })
    case .weekStart(let weekday): "in Wochen, die am \(name(weekday)) beginnen"
    case .calendar(let name): calendar(name)
    case .skip(let skip):
      skip == .forward
        ? "oder am nächsten Tag, wenn es diesen Tag nicht gibt"
        : "oder am Tag davor, wenn es diesen Tag nicht gibt"
    case .count(let count): count == 1 ? "einmal" : "\(count)-mal"
    case .until(let until): "bis zum " + text(of: until)
    }
  }

  // MARK: - How often and how long

  /// A period with the endings of its gender.
  private struct Unit {
    private enum Gender {
      case masculine, feminine, neuter
    }

    private let singular: String
    private let plural: String
    private let gender: Gender

    init(_ frequency: Frequency) {
      (singular, plural, gender) =
        switch frequency {
        case .secondly: ("Sekunde", "Sekunden", .feminine)
        case .minutely: ("Minute", "Minuten", .feminine)
        case .hourly: ("Stunde", "Stunden", .feminine)
        case .daily: ("Tag", "Tage", .masculine)
        case .weekly: ("Woche", "Wochen", .feminine)
        case .monthly: ("Monat", "Monate", .masculine)
        case .yearly: ("Jahr", "Jahre", .neuter)
        }
    }

    func every(_ interval: Int) -> String {
      guard interval <= 2 else { return "alle \(interval) \(plural)" }
      let (each, second) =
        switch gender {
        case .masculine: ("jeden", "zweiten")
        case .feminine: ("jede", "zweite")
        case .neuter: ("jedes", "zweite")
        }
      return "\(each) \(interval == 2 ? "\(second) " : "")\(singular)"
    }

    /// The dative with its preposition: `in jedem Monat`.
    var inEach: String {
      let preposition = singular == "Tag" ? "an" : "in"
      return "\(preposition) \(gender == .feminine ? "jeder" : "jedem") \(singular)"
    }
  }

  private func text(of until: RecurrenceRule.Until) -> String {
    switch until {
    case .date(let date): text(of: date)
    case .local(let time): "\(text(of: time.date)) um \(WordList.clock(time.time)) Uhr"
    case .utc(let time): "\(text(of: time.date)) um \(WordList.clock(time.time)) Uhr UTC"
    }
  }

  private func text(of date: CivilDate) -> String {
    "\(date.day). \(name(MonthNumber(date.month))) \(date.year)"
  }

  private func calendar(_ name: String) -> String {
    let known = [
      "buddhist": "buddhistischen", "chinese": "chinesischen", "coptic": "koptischen",
      "ethiopic": "äthiopischen", "gregorian": "gregorianischen", "gregory": "gregorianischen",
      "hebrew": "hebräischen", "indian": "indischen", "islamic": "islamischen",
      "islamic-civil": "islamischen", "japanese": "japanischen", "persian": "persischen",
    ]
    guard let adjective = known[name.lowercased()] else { return "nach dem Kalender \(name)" }
    return "nach dem \(adjective) Kalender"
  }

  // MARK: - Which days

  private static let monthNames = [
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
    "November", "Dezember",
  ]

  private func name(_ month: MonthNumber) -> String {
    let names = GermanRuleLanguage.monthNames
    guard names.indices.contains(month.number - 1), !month.isLeap else {
      return (month.isLeap ? "Schaltmonat " : "Monat ") + String(month.number)
    }
    return names[month.number - 1]
  }

  private func name(_ weekday: Weekday) -> String {
    switch weekday {
    case .monday: "Montag"
    case .tuesday: "Dienstag"
    case .wednesday: "Mittwoch"
    case .thursday: "Donnerstag"
    case .friday: "Freitag"
    case .saturday: "Samstag"
    case .sunday: "Sonntag"
    }
  }

  private func weekdays(_ weekdays: [Weekday]) -> String {
    switch weekdays {
    case Weekday.allCases: "an jedem Tag der Woche"
    case Array(Weekday.allCases.prefix(5)): "von Montag bis Freitag"
    default: "am " + list(weekdays.map(name))
    }
  }

  private func numbered(_ weekday: WeekdayNumber) -> String {
    guard let number = weekday.ordinal else { return "an jedem \(name(weekday.weekday))" }
    return "am \(place(number)) \(name(weekday.weekday))"
  }

  private func condition(_ weekdays: [WeekdayNumber], _ frequency: Frequency) -> String {
    let days = weekdays.map { weekday in
      guard let number = weekday.ordinal else { return "ein \(name(weekday.weekday))" }
      return "der \(number > 0 ? "\(number)." : last(number)) \(name(weekday.weekday))"
    }
    let isOfYear = frequency == .yearly && weekdays.contains { $0.ordinal != nil }
    return "wenn das \(WordList.joined(days, "oder"))\(isOfYear ? " des Jahres" : "") ist"
  }

  private func week(_ number: Int) -> String {
    number > 0 ? "Woche \(number)" : "der \(last(number))n Woche"
  }

  /// A position in the dative, counted from the start, `2.`, or from the end, `letzten`.
  private func place(_ number: Int) -> String { number > 0 ? "\(number)." : "\(last(number))n" }

  /// A position counted from the end, in the nominative.
  private func last(_ number: Int) -> String {
    switch number {
    case -1: "letzte"
    case -2: "vorletzte"
    case -3: "drittletzte"
    case -4: "viertletzte"
    case -5: "fünftletzte"
    default: "\(-number).-letzte"
    }
  }

  // MARK: - Lists

  private func plural(_ one: String, _ several: String, _ numbers: [Int]) -> String {
    (numbers.count == 1 ? one : several) + " " + list(runs(numbers) { String($0) })
  }

  private func runs(_ numbers: [Int], _ word: (Int) -> String) -> [String] {
    WordList.runs(numbers, joinedBy: "bis", word)
  }

  private func list(_ words: [String]) -> String { WordList.joined(words, "und") }
}
