// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Describes rules in English.
public struct EnglishRuleLanguage: RuleLanguage {
  /// Creates the language.
  public init() {}

  /// The language code.
  public var code: String { "en" }

  /// Joins phrases to a sentence; the end of a rule follows a comma, all else a space.
  public func sentence(of phrases: [RulePhrase]) -> String {
    phrases.enumerated().map { index, phrase in
      switch phrase {
      case _ where index == 0: words(for: phrase)
      case .count, .until, .positions, .skip, .weekStart: ", " + words(for: phrase)
      default: " " + words(for: phrase)
      }
    }.joined()
  }

  /// Returns the English text of a phrase.
  public func words(for phrase: RulePhrase) -> String {
    switch phrase {
    case .every(let interval, let frequency): every(interval, frequency)
    case .months(let months): "in " + list(months.map(name))
    case .weeks(let weeks): "in " + list(weeks.map(week))
    case .yearDays(let days): "on " + list(runs(days, place)) + " of the year"
    case .monthDays(let days): "on " + list(runs(days, place))
    case .weekdays(let weekdays): "on " + list(names(of: weekdays))
    case .numberedWeekdays(let weekdays, let frequency):
      "on " + list(weekdays.map(numbered)) + (frequency == .yearly ? " of the year" : "")
    case .ifWeekdays(let weekdays, let frequency):
      "if that is "
        + list(weekdays.map { $0.ordinal == nil ? "a \(name($0.weekday))" : numbered($0) }, "or")
        + (frequency == .yearly && weekdays.contains { $0.ordinal != nil } ? " of the year" : "")
    case .times(let times): "at " + list(times.map(clock))
    case .hours(let hours): "in " + plural("hour", hours)
    case .minutes(let minutes): "at " + plural("minute", minutes)
    case .seconds(let seconds): "at " + plural("second", seconds)
    case .positions(let positions, let frequency):
      "but only the " + list(runs(positions, ordinal)) + " of these in each \(frequency.unit)"
    case .weekStart(let weekday): "in weeks that start on \(name(weekday))"
    case .calendar(let name): "of the \(name.prefix(1) + name.dropFirst().lowercased()) calendar"
    case .skip(let skip):
      skip == .forward
        ? "or on the next day if there is no such day"
        : "or on the day before if there is no such day"
    case .count(let count): count == 1 ? "once" : "\(count) times"
    case .until(let until): "until " + text(of: until)
    }
  }

  // MARK: - How often and how long

  private func every(_ interval: Int, _ frequency: Frequency) -> String {
    switch interval {
    case 1: "every \(frequency.unit)"
    case 2: "every other \(frequency.unit)"
    default: "every \(interval) \(frequency.unit)s"
    }
  }

  private func text(of until: RecurrenceRule.Until) -> String {
    switch until {
    case .date(let date): text(of: date)
    case .local(let time): "\(text(of: time.date)) \(clock(time.time))"
    case .utc(let time): "\(text(of: time.date)) \(clock(time.time)) UTC"
    }
  }

  private func text(of date: CivilDate) -> String {
    "\(date.day) \(name(MonthNumber(date.month))) \(date.year)"
  }

  private func clock(_ time: TimeOfDay) -> String { WordList.clock(time) }

  // MARK: - Which days

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private func name(_ month: MonthNumber) -> String {
    let names = EnglishRuleLanguage.monthNames
    guard names.indices.contains(month.number - 1), !month.isLeap else {
      return (month.isLeap ? "leap month " : "month ") + String(month.number)
    }
    return names[month.number - 1]
  }

  private func name(_ weekday: Weekday) -> String {
    switch weekday {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }

  private func names(of weekdays: [Weekday]) -> [String] {
    switch weekdays {
    case Weekday.allCases: ["every day of the week"]
    case Array(Weekday.allCases.prefix(5)): ["Monday to Friday"]
    default: weekdays.map(name)
    }
  }

  private func numbered(_ weekday: WeekdayNumber) -> String {
    guard let number = weekday.ordinal else { return "every \(name(weekday.weekday))" }
    return "the \(ordinal(number)) \(name(weekday.weekday))"
  }

  private func week(_ number: Int) -> String {
    number > 0 ? "week \(number)" : "the \(ordinal(number)) week"
  }

  /// A day counted from the start, such as `the 2nd`, or from the end, such as `the last day`.
  private func place(_ number: Int) -> String {
    number > 0 ? "the \(ordinal(number))" : "the \(ordinal(number)) day"
  }

  private func ordinal(_ number: Int) -> String {
    guard number > 0 else { return number == -1 ? "last" : "\(ordinal(-number))-to-last" }
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }

  // MARK: - Lists

  private func plural(_ noun: String, _ numbers: [Int]) -> String {
    (numbers.count == 1 ? noun : noun + "s") + " " + list(runs(numbers))
  }

  private func runs(_ numbers: [Int], _ word: (Int) -> String = { String($0) }) -> [String] {
    WordList.runs(numbers, joinedBy: "to", word)
  }

  private func list(_ words: [String], _ conjunction: String = "and") -> String {
    WordList.joined(words, conjunction)
  }
}
