// SPDX-License-Identifier: Apache-2.0

package import CivilTime
package import Epact
package import ICUServices

/// Formats a month as a grid: a row of days for each week, with titles below each day.
package struct MonthGrid: ~Copyable {
  private var dates: ViewDates
  /// The width of a day, in columns.
  private let width: Int
  private let today: CivilDate?

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - locale: The locale of the names and of the first weekday.
  ///   - columns: The available columns; nil if unlimited.
  ///   - today: The current day, which is marked.
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(locale: String, columns: Int?, today: CivilDate?) throws(ICUError) {
    dates = try ViewDates(locale: locale)
    width = min(max(((columns ?? 80) + 1) / 7 - 1, 4), 24)
    self.today = today
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

  private func lines(
    of week: [CivilDate?], _ days: [CivilDate: MonthDays.Day]
  ) -> [ConsoleText] {
    let titles = week.map { date in date.flatMap { days[$0] }.map { Self.shownTitles(of: $0) } ?? []
    }
    let height = titles.reduce(0) { max($0, $1.count) }
    let last = week.lastIndex { $0 != nil } ?? 0
    var numbers: [ConsoleText] = []
    for (place, date) in week.prefix(last + 1).enumerated() {
      let count = date.flatMap { days[$0]?.count } ?? 0
      numbers.append(number(of: date, count: count, isLast: place == last))
    }
    var lines = [line(numbers)]
    for row in 0..<height {
      let filled = titles.lastIndex { row < $0.count } ?? 0
      var cells: [ConsoleText] = []
      for (place, titles) in titles.prefix(filled + 1).enumerated() {
        let title = row < titles.count ? titles[row] : ""
        cells.append(cell(title, nil, isLast: place == filled))
      }
      lines.append(line(cells))
    }
    return lines
  }

  private func number(of date: CivilDate?, count: Int, isLast: Bool) -> ConsoleText {
    guard let date else { return cell("", nil, isLast: isLast) }
    let number = (date.day < 10 ? " " : "") + String(date.day)
    let text = count == 0 ? number : "\(number) (\(count))"
    return cell(text, date == today ? .cyan : .bold, isLast: isLast)
  }

  private static func shownTitles(of day: MonthDays.Day) -> [String] {
    let titles = day.first.map { SafeText.escaped($0.title) }
    guard day.count > MonthDays.limit else { return titles }
    return titles.dropLast() + ["+\(day.count - MonthDays.limit + 1)"]
  }

  private func cell(_ text: String, _ style: ConsoleText.Style?, isLast: Bool) -> ConsoleText {
    let text = DisplayWidth.truncated(text, to: width)
    let space = String(repeating: " ", count: isLast ? 0 : width + 1 - DisplayWidth.of(text))
    return "\(text, text.isEmpty ? nil : style)\(space)"
  }

  private func line(_ cells: [ConsoleText]) -> ConsoleText { cells.reduce("") { $0 + $1 } }
}
