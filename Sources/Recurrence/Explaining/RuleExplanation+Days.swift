// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RuleExplanation {
  /// Whether a single part allows a day.
  func choosesDay(_ date: CivilDate, by part: RulePart) -> Bool {
    var choice = DayChoice()
    let days = plan.days
    (choice.weekStart, choice.skip) = (days.weekStart, days.skip)
    choice.numbersWeekdaysInMonth = days.numbersWeekdaysInMonth
    switch part {
    case .byMonth: choice.months = days.months
    case .byWeekNo: choice.weekNumbers = days.weekNumbers
    case .byYearDay: choice.yearDays = days.yearDays
    case .byMonthDay:
      (choice.monthDays, choice.monthDaysFromEnd) = (days.monthDays, days.monthDaysFromEnd)
    case .byDay:
      (choice.weekdays, choice.numberedWeekdays) = (days.weekdays, days.numberedWeekdays)
    default: return true
    }
    guard choice.isLimited, let year = calendar.year(containingDay: date.dayNumber) else {
      return true
    }
    // Weeks and SKIP can cross the ends of a year.
    return (year.number - 1...year.number + 1).contains { number in
      guard let years = YearNeighbourhood(number, in: calendar, for: choice) else { return false }
      let place = date.dayNumber - years.year.firstDay + ChosenYear.margin
      return place >= 0 && choice.days(in: years).first(from: place) == place
    }
  }

  /// The position of a day in terms of a part, such as `in month 3` or `2TU, or -4TU`.
  func place(of date: CivilDate, for part: RulePart) -> String {
    let day = date.dayNumber
    guard let year = calendar.year(containingDay: day) else { return "outside the calendar" }
    let (index, monthDay) = year.place(ofDay: day)
    let month = year.months[index]
    switch part {
    case .byMonth: return "in month \(month.number)"
    case .byMonthDay: return "day \(monthDay) of \(month.length) of its month"
    case .byYearDay: return "day \(day - year.firstDay + 1) of \(year.length) of its year"
    case .byWeekNo: return "in week \(week(of: day, in: year))"
    default:
      guard !plan.days.numberedWeekdays.isEmpty else { return "\(date.weekday)" }
      let isInMonth = plan.days.numbersWeekdaysInMonth
      let number = isInMonth ? monthDay : day - year.firstDay + 1
      let length = isInMonth ? month.length : year.length
      let fromEnd = (length - number) / 7 + 1
      let unit = isInMonth ? "month" : "year"
      return "\((number - 1) / 7 + 1)\(date.weekday), or -\(fromEnd)\(date.weekday), of its \(unit)"
    }
  }

  private func week(of day: Int, in year: CalendarYear) -> Int {
    let years = [calendar.year(year.number + 1), year, calendar.year(year.number - 1)]
    for case let year? in years where plan.days.firstWeekDay(of: year) <= day {
      return (day - plan.days.firstWeekDay(of: year)) / 7 + 1
    }
    return 0
  }
}

extension RuleExplanation {
  /// The parts of a rule in order of application, including those derived from its start.
  static func steps(
    of rule: RecurrenceRule, from start: CivilDateTime, plan: RulePlan
  ) -> [RuleStep] {
    let written = rule.written
    var values: [RulePart: (value: String, isFromStart: Bool)] = [:]
    for (part, value) in written { values[part] = (value, false) }
    for (part, value) in defaults(start, plan: plan, frequency: rule.frequency)
    where values[part] == nil {
      values[part] = (value, true)
    }
    if plan.isDate {
      for part in [RulePart.byHour, .byMinute, .bySecond] { values[part] = nil }
    }
    let parts = Set(values.keys)
    // SKIP moves months before it moves days, and both before BYDAY applies.
    var order: [RulePart] = [.rscale, .freq, .interval]
    order += RulePart.applicationOrder.flatMap { $0 == .byMonthDay ? [$0, .skip] : [$0] }
    order += [.wkst, .count, .until]
    return order.compactMap { part in
      values[part].map {
        RuleStep(
          part: part, value: $0.value, effect: part.effect(in: rule.frequency, with: parts),
          isFromStart: $0.isFromStart)
      }
    }
  }

  /// The values that a rule derives from its start.
  private static func defaults(
    _ start: CivilDateTime, plan: RulePlan, frequency: Frequency
  ) -> [(RulePart, String)] {
    let days = plan.days
    var values: [(RulePart, String)] = []
    func add(_ part: RulePart, _ texts: [String]) {
      if !texts.isEmpty { values.append((part, texts.joined(separator: ","))) }
    }
    add(.byMonth, days.months.map(\.description))
    add(.byMonthDay, (1...31).filter { days.monthDays >> UInt64($0) & 1 == 1 }.map(String.init))
    add(
      .byDay,
      Weekday.allCases.filter { days.weekdays >> $0.rawValue & 1 == 1 }.map(\.description))
    if frequency >= .daily { add(.byHour, [String(start.time.hour)]) }
    if frequency >= .hourly { add(.byMinute, [String(start.time.minute)]) }
    if frequency >= .minutely { add(.bySecond, [String(start.time.second)]) }
    return values
  }
}
