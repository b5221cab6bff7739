// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import ICUServices

/// `epact month`: shows a month as a grid.
struct MonthCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "month",
    abstract: "Show the occurrences of a month as a grid.",
    discussion: """
      Shows the number of occurrences of each day, and the first titles. Weeks begin on the first \
      weekday of the country of LC_ALL, LC_TIME or LANG.

      Without a calendar, all calendars of the configuration are shown.
      """)

  @Argument(
    help: ArgumentHelp(
      "A month as 2026-11 or a day of it, then names of the configuration, files or folders.",
      valueName: "date and calendars"), completion: .calendars)
  var arguments: [String] = []

  @OptionGroup var zone: ZoneOption

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(zone.name)
    let today = viewer.civil(at: context.machine.now())?.date
    let named = arguments.first.flatMap { Self.month($0, in: viewer) }
    let inputs = try context.inputs(Array(arguments.dropFirst(named == nil ? 0 : 1)))
    let day = named ?? today ?? .first
    guard let first = CivilDate(year: day.year, month: day.month, day: 1) else {
      throw Failure(.usage, "expected a month, found none")
    }
    let range = MonthDays.range(of: first, in: viewer)
    var request = ViewRequest(inputs, in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    request.reminders = .due
    var view = try OccurrenceView(request, machine: context.machine) {
      context.console.report($0)
    }
    guard view.outcome != .nothing else { return .nothingDone }
    var occurrences = view.occurrences().makeIterator()
    var month = MonthDays(in: range, from: first, viewer: viewer)
    var count = 0
    while let occurrence = occurrences.next() {
      month.add(occurrence)
      count += 1
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    for event in view.events(for: occurrences.findings) { context.console.report(event) }
    var grid = try MonthGrid(
      locale: context.machine.dateLocale, columns: context.console.columns, today: today)
    for line in try grid.lines(of: first, month.days) { context.console.show(line) }
    return view.outcome.status
  }

  /// The month given by an argument, as one of its days; nil if it is not a month.
  private static func month(_ argument: String, in zone: ZoneRules) -> CivilDate? {
    let isMonth = argument.utf8.count == 7 && argument.utf8.dropFirst(4).first == UInt8(ascii: "-")
    guard let moment = try? Moment(parsing: isMonth ? argument + "-01" : argument) else {
      return nil
    }
    return zone.civil(at: moment.instant(in: zone))?.date
  }
}

/// Formats a month as a grid: a row of days for each week, with titles below each day.
private struct MonthGrid: ~Copyable {
  private var dates: ViewDates
  /// The width of a day, in columns.
  private let width: Int
  private let today: CivilDate?

  init(locale: String, columns: Int?, today: CivilDate?) throws(ICUError) {
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
  mutating func lines(
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
