// SPDX-License-Identifier: Apache-2.0

/// The selected days of a year, with margins for weeks that cross its ends.
struct ChosenYear: Sendable {
  /// The number of days before the year that the bits cover; its first week may start there.
  static let margin = 3

  /// The number of the year.
  let number: Int
  /// The first day that ``days`` covers, since 1970-01-01.
  let base: Int
  /// The first day of the year, since 1970-01-01.
  var firstDay: Int { base + ChosenYear.margin }
  /// The number of days in the year.
  let length: Int
  /// The selected days, from ``base`` on.
  var days: DayBits

  func contains(day: Int) -> Bool { day >= firstDay && day - firstDay < length }
}

/// The layout of a year and its neighbours, as far as the calendar supports them.
struct YearNeighbourhood {
  let year: CalendarYear
  let previous: CalendarYear?
  let next: CalendarYear?

  /// Loads the layout of a year, and of its neighbours only if the day choice can reach them.
  init?(_ number: Int, in calendar: some CalendarSystem, for choice: DayChoice) {
    guard let year = calendar.year(number) else { return nil }
    self.year = year
    let isWithinYear = choice.weekNumbers.isEmpty && choice.skip == .omit
    previous = isWithinYear ? nil : calendar.year(number - 1)
    next = isWithinYear ? nil : calendar.year(number + 1)
  }
}

extension DayChoice {
  /// The selected days of a year.
  ///
  /// With BYWEEKNO, the year consists of whole weeks, some of whose days lie in the adjacent years
  /// (RFC 5545 §3.3.10). SKIP may also lead out of the year.
  func days(in years: YearNeighbourhood) -> DayBits {
    let base = years.year.firstDay - ChosenYear.margin
    guard !weekNumbers.isEmpty else { return days(of: years.year, next: years.next, base: base) }
    var chosen = DayBits()
    for year in [years.previous, years.year, years.next].compactMap({ $0 }) {
      chosen.formUnion(days(of: year, next: nil, base: base))
    }
    chosen.formIntersection(weeks(of: years.year, base: base))
    return chosen
  }

  /// The days of a year that all parts except BYWEEKNO select.
  private func days(of year: CalendarYear, next: CalendarYear?, base: Int) -> DayBits {
    let start = year.firstDay - base
    var chosen = DayBits()
    if months.isEmpty, !hasMonthDays {
      // SKIP can move a day of the year into an adjacent year.
      let reach = skip == .omit || yearDays.isEmpty ? 0 : 1
      chosen.insert(start - reach..<start + year.length + reach)
    } else {
      for month in chosenMonths(of: year, next: next) {
        let word =
          hasMonthDays
          ? monthDays(length: month.length) : UInt64(2) << UInt64(month.length) - 2
        chosen.insert(word, at: month.firstDay - base - 1)
      }
    }
    if !yearDays.isEmpty { chosen.formIntersection(days(byYearDaysOf: year, base: base)) }
    if hasWeekdays { chosen.formIntersection(days(byWeekdaysOf: year, next: next, base: base)) }
    return chosen
  }

  /// The months of a year that BYMONTH and SKIP select, with the first day of each.
  private func chosenMonths(
    of year: CalendarYear, next: CalendarYear?
  ) -> [(firstDay: Int, length: Int)] {
    // One bit for each month; no year has more than 13, and SKIP may lead to the month after it.
    var places: UInt32 = months.isEmpty ? 1 << UInt32(year.months.count) - 1 : 0
    for month in months {
      if let place = year.months.firstIndex(where: { $0.number == month }) {
        places |= 1 << UInt32(place)
      } else if month.isLeap, skip != .omit,
        let place = year.months.firstIndex(where: { $0.number == MonthNumber(month.number) })
      {
        // A leap month directly follows the month with its number, in years that have it.
        places |= 1 << UInt32(skip == .forward ? place + 1 : place)
      }
    }
    var chosen: [(firstDay: Int, length: Int)] = []
    var firstDay = year.firstDay
    for (place, month) in year.months.enumerated() {
      if places >> UInt32(place) & 1 == 1 { chosen.append((firstDay, month.length)) }
      firstDay += month.length
    }
    if places >> UInt32(year.months.count) != 0, let next {
      chosen.append((firstDay, next.months[0].length))
    }
    return chosen
  }

  /// The days of a year that BYYEARDAY and SKIP select.
  private func days(byYearDaysOf year: CalendarYear, base: Int) -> DayBits {
    var days = DayBits()
    let start = year.firstDay - base
    for day in yearDays {
      var place = day > 0 ? day - 1 : year.length + day
      if place >= year.length {
        guard skip != .omit else { continue }
        place = skip == .forward ? year.length : year.length - 1
      } else if place < 0 {
        guard skip != .omit else { continue }
        place = skip == .forward ? 0 : -1
      }
      days.insert(start + place)
    }
    return days
  }

  /// The days of a year that BYDAY selects; its ordinals count in each month or in the year.
  private func days(
    byWeekdaysOf year: CalendarYear, next: CalendarYear?, base: Int
  ) -> DayBits {
    var days = DayBits()
    if weekdays != 0 { days = DayBits(weekdays: weekdays, from: base) }
    var stretches = [(firstDay: year.firstDay, length: year.length)]
    if numbersWeekdaysInMonth { stretches = chosenMonths(of: year, next: next) }
    for (weekday, number) in numberedWeekdays {
      for (firstDay, length) in stretches {
        if let place = DayChoice.place(of: weekday, number, from: firstDay, length: length) {
          days.insert(firstDay - base + place)
        }
      }
    }
    return days
  }

  // MARK: - Weeks

  /// The first day of a year's first week, which has at least four days in the year.
  func firstWeekDay(of year: CalendarYear) -> Int { firstWeekDay(fromYearAt: year.firstDay) }

  private func firstWeekDay(fromYearAt firstDay: Int) -> Int {
    let place = (DayBits.weekday(ofDay: firstDay) - weekStart + 7) % 7
    return place <= 3 ? firstDay - place : firstDay - place + 7
  }

  /// The days of the weeks that BYWEEKNO selects.
  private func weeks(of year: CalendarYear, base: Int) -> DayBits {
    let first = firstWeekDay(of: year)
    let count = (firstWeekDay(fromYearAt: year.firstDay + year.length) - first) / 7
    var days = DayBits()
    for number in weekNumbers {
      let place = number > 0 ? number - 1 : count + number
      guard 0..<count ~= place else { continue }
      let start = first - base + 7 * place
      days.insert(start..<start + 7)
    }
    return days
  }
}
