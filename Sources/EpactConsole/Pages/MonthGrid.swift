// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CivilTime
package import Epact
package import ICUServices

/// Formats a month as a grid: a row of days for each week, with titles below each day.
package struct MonthGrid: ~Copyable {
  private var dates: ViewDates
  /// The width of a day, in columns.
  private let width: Int
  private let view: ViewStyle

  /// Creates a grid.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(_ view: ViewStyle) throws(ICUError) {
    dates = try ViewDates(locale: view.locale)
    width = min(max(((view.columns ?? 80) + 1) / 7 - 1, 4), 24)
    self.view = view
  }

  /// The number of titles of a day with which all weeks of a month fit in a number of rows.
  ///
  /// - Parameter rows: The available rows; nil if unlimited.
  /// - Returns: The number, from 3 to 12.
  package static func titleCount(in rows: Int?) -> Int {
    // The month and the weekdays, six weeks with a line of numbers, and the prompt of the shell.
    rows.map { min(max(3, ($0 - 3) / 6 - 1), 12) } ?? 3
  }

  /// The lines of a month.
  ///
  /// - Parameters:
  ///   - first: The first day of the month.
  ///   - days: The contents of its days.
  /// - Returns: The lines, which fit in the available columns if there are at least 35.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of first: CivilDate, _ days: [CivilDate: MonthDays.Day]
  ) throws(ICUError) -> [ConsoleText] {
    let total = 7 * (width + 1) - 1
    let title = try dates.text(first, .month)
    let indent = String(repeating: " ", count: max(0, (total - DisplayWidth.of(title)) / 2))
    var lines: [ConsoleText] = ["\(indent)\(title, .bold)", try weekdays(from: first)]
    let length = CivilDate.daysInMonth(first.month, of: first.year)
    var day = -first.weekday.days(since: dates.firstWeekday)
    while day < length {
      let week = (day..<day + 7).map { day in
        0..<length ~= day ? first.adding(days: day) : nil
      }
      lines += self.lines(of: week, days)
      day += 7
    }
    return lines
  }

  private mutating func weekdays(from date: CivilDate) throws(ICUError) -> ConsoleText {
    var cells: [ConsoleText] = []
    let start = -date.weekday.days(since: dates.firstWeekday) + 7
    for day in start..<start + 7 {
      let name = try dates.text(date.adding(days: day) ?? date, .shortWeekday)
      cells.append(cell(name, .dim, isLast: day == start + 6))
    }
    return line(cells)
  }

  /// The contents of a day below its number.
  private enum Content: Hashable {
    case occurrence(Occurrence)
    /// The number of other occurrences of the day with a place in the week; equal numbers of two
    /// days are different occurrences.
    case more(Int, day: Int)
  }

  private func lines(
    of week: [CivilDate?], _ days: [CivilDate: MonthDays.Day]
  ) -> [ConsoleText] {
    let last = week.lastIndex { $0 != nil } ?? 0
    var numbers: [ConsoleText] = []
    for (place, date) in week.prefix(last + 1).enumerated() {
      let count = date.flatMap { days[$0]?.count } ?? 0
      numbers.append(number(of: date, count: count, isLast: place == last))
    }
    let contents = week.enumerated().map { place, date in
      date.flatMap { days[$0] }.map { Self.contents(of: $0, at: place) } ?? []
    }
    return [line(numbers)] + DayBars(contents).rows.map { text(of: $0) }
  }

  private static func contents(of day: MonthDays.Day, at place: Int) -> [Content] {
    let more = day.count - day.first.count
    guard more > 0 else { return day.first.map { .occurrence($0) } }
    return day.first.dropLast().map { .occurrence($0) } + [.more(more + 1, day: place)]
  }

  private func text(of bars: [DayBars<Content>.Bar]) -> ConsoleText {
    var line: ConsoleText = ""
    var next = 0
    for bar in bars {
      let title =
        switch bar.content {
        case .occurrence(let occurrence): SafeText.escaped(occurrence.title(answeredBy: view.user))
        case .more(let count, _): "+\(count)"
        }
      let space = String(repeating: " ", count: (bar.first - next) * (width + 1))
      line = line + "\(space)\(DayBars.text(title, of: bar, width: width)) "
      next = bar.first + bar.count
    }
    return line.trimmed
  }

  private func number(of date: CivilDate?, count: Int, isLast: Bool) -> ConsoleText {
    guard let date else { return cell("", nil, isLast: isLast) }
    let number = (date.day < 10 ? " " : "") + String(date.day)
    let counted = count == 0 ? number : "\(number) (\(count))"
    let text = DisplayWidth.of(counted) > width ? number : counted
    return cell(text, date == view.today ? .cyan : .bold, isLast: isLast)
  }

  private func cell(_ text: String, _ style: ConsoleText.Style?, isLast: Bool) -> ConsoleText {
    let text = DisplayWidth.truncated(text, to: width)
    let space = String(repeating: " ", count: isLast ? 0 : width + 1 - DisplayWidth.of(text))
    return "\(text, text.isEmpty ? nil : style)\(space)"
  }

  private func line(_ cells: [ConsoleText]) -> ConsoleText { cells.reduce("") { $0 + $1 } }
}
