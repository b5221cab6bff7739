// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
package import Epact
package import ICUServices

/// Formats a week as a grid: a column for each day, and rows of half an hour.
///
/// Overlapping events are side by side. Whole-day events are above the hours. If the days do not fit
/// side by side, there are several grids, each with the hours of its events. Events without room are
/// counted beside the day.
package struct WeekGrid: ~Copyable {
  /// The hours that are always shown if the whole week is side by side.
  private static let shownHours = 8..<18
  /// The minimum width of a day if several are side by side.
  private static let narrowestDay = 14
  /// The maximum number of whole-day events that are shown for a day.
  private static let wholeDayLimit = 4

  private var dates: ViewDates
  private let view: ViewStyle

  private var columns: Int { view.columns ?? 80 }

  /// Creates a grid.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(_ view: ViewStyle) throws(ICUError) {
    dates = try ViewDates(locale: view.locale)
    self.view = view
  }

  /// The lines of a week.
  ///
  /// - Parameters:
  ///   - week: The days.
  ///   - calendar: Returns the name of the calendar of a source.
  /// - Returns: The lines, which fit in the available columns if there are at least 24.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of week: WeekDays, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    var labels: [Int: String] = [:]
    for hour in Self.hours(of: week.days, atLeast: Self.shownHours) {
      labels[hour] = try dates.text(hour: hour)
    }
    let gutter = (labels.values.map(DisplayWidth.of).max() ?? 0) + 1
    let most = min(7, max(1, (columns - gutter) / (Self.narrowestDay + 1)))
    let count = (7 + most - 1) / most
    let size = (7 + count - 1) / count
    let layout = Layout(
      labels: labels, gutter: gutter, width: min(max((columns - gutter) / size - 1, 5), 30))
    var lines = [try title(of: week, width: gutter + size * (layout.width + 1))]
    for start in stride(from: 0, to: week.days.count, by: size) {
      let days = Array(week.days[start..<min(start + size, week.days.count)])
      if start > 0 { lines.append("") }
      lines += try self.lines(of: days, isWholeWeek: count == 1, layout, calendar)
    }
    return lines
  }

  /// The measures of all grids of a week.
  private struct Layout {
    /// The text of each hour.
    let labels: [Int: String]
    /// The width of the column of hours, with the space after it.
    let gutter: Int
    /// The width of a day.
    let width: Int
  }

  private mutating func lines(
    of days: [WeekDays.Day], isWholeWeek: Bool, _ layout: Layout, _ calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    let margin = String(repeating: " ", count: layout.gutter)
    let hours = Self.hours(of: days, atLeast: isWholeWeek ? Self.shownHours : nil)
    let places = days.map { WeekPlacement($0.blocks, hours: hours, width: layout.width) }
    let counts = zip(days, places).map { $0.rest + $1.hiddenCount }
    var lines = [try header(of: days, counts, margin: margin, width: layout.width)]
    lines += wholeDayLines(of: days, margin: margin, width: layout.width, calendar)
    let rowsOfHour = 60 / WeekPlacement.rowMinutes
    let rows = places.map {
      cells(of: $0, count: hours.count * rowsOfHour, width: layout.width, calendar)
    }
    for row in 0..<hours.count * rowsOfHour {
      let hour = hours.lowerBound + row / rowsOfHour
      let label = row % rowsOfHour == 0 ? layout.labels[hour] ?? "" : ""
      let head = DisplayWidth.padded(label, to: layout.gutter)
      let cells = rows.map { $0[row] }
      lines.append(("\(head, .dim)" + Self.joined(cells)).trimmed)
    }
    return lines
  }

  /// The style of a declined event, or else of its calendar; nil for none.
  private func style(
    of occurrence: Occurrence, _ calendar: (Int) -> String
  ) -> ConsoleText.Style? {
    occurrence.answer(of: view.user) == .declined
      ? .dim : view.colors.style(of: calendar(occurrence.source))
  }

  // MARK: Hours

  /// The hours that are shown: the given ones, and those of all events.
  private static func hours(of days: [WeekDays.Day], atLeast given: Range<Int>?) -> Range<Int> {
    let blocks = days.flatMap(\.blocks)
    let first = blocks.map { $0.start / 60 } + [given?.lowerBound].compactMap(\.self)
    let ends =
      blocks.map { min(24, (max($0.end, $0.start + 1) + 59) / 60) }
      + [given?.upperBound].compactMap(\.self)
    guard let start = first.min(), let end = ends.max() else { return 0..<0 }
    return start..<max(start, end)
  }

  private mutating func title(of week: WeekDays, width: Int) throws(ICUError) -> ConsoleText {
    guard let first = week.days.first?.date, let last = week.days.last?.date else { return "" }
    let title = DisplayWidth.truncated(try dates.days(from: first, to: last), to: columns)
    let indent = String(repeating: " ", count: max(0, (width - DisplayWidth.of(title)) / 2))
    return "\(indent)\(title, .bold)"
  }

  /// The names of the days, with the numbers of events that are not shown.
  private mutating func header(
    of days: [WeekDays.Day], _ counts: [Int], margin: String, width: Int
  ) throws(ICUError) -> ConsoleText {
    var cells: [ConsoleText] = []
    for (day, count) in zip(days, counts) {
      let name = try dates.text(day.date, .shortWeekday)
      let rest = count > 0 ? " +\(count)" : ""
      let text = DisplayWidth.truncated("\(name) \(day.date.day)\(rest)", to: width)
      cells.append(
        ConsoleText(text, day.date == view.today ? .cyan : .bold)
          + Self.space(width - DisplayWidth.of(text)))
    }
    return "\(margin)" + Self.joined(cells)
  }

  // MARK: Whole days

  /// The contents of a day above the hours.
  private enum WholeDay: Hashable {
    case occurrence(Occurrence)
    case more(Int)
  }

  private func wholeDayLines(
    of days: [WeekDays.Day], margin: String, width: Int, _ calendar: (Int) -> String
  ) -> [ConsoleText] {
    let contents = days.map { day -> [WholeDay] in
      let isCut = day.wholeDay.count > Self.wholeDayLimit
      let shown = day.wholeDay.prefix(isCut ? Self.wholeDayLimit - 1 : Self.wholeDayLimit)
      let more = day.wholeDay.count - shown.count
      return shown.map { .occurrence($0.occurrence) } + (more > 0 ? [.more(more)] : [])
    }
    return DayBars(contents).rows.map { bars in
      var line: ConsoleText = "\(margin)"
      var next = 0
      for bar in bars {
        line = line + Self.space((bar.first - next) * (width + 1))
        switch bar.content {
        case .occurrence(let occurrence):
          let title = SafeText.escaped(occurrence.title(answeredBy: view.user))
          let style = style(of: occurrence, calendar) ?? .green
          line = line + ConsoleText(DayBars.text(title, of: bar, width: width), style)
        case .more(let count): line = line + Self.cell("+\(count)", .dim, width: width)
        }
        line = line + " "
        next = bar.first + bar.count
      }
      return line.trimmed
    }
  }

  // MARK: Blocks

  /// The cells of a day, one for each row.
  private func cells(
    of placement: WeekPlacement, count: Int, width: Int, _ calendar: (Int) -> String
  ) -> [ConsoleText] {
    var lanes = [[Lane]](repeating: [], count: count)
    for place in placement.places {
      let (rows, columns) = (place.rows, place.columns)
      let style = style(of: place.block.entry.occurrence, calendar) ?? .cyan
      let texts = texts(of: place.block, width: columns.count - 1, height: rows.count)
      for row in rows {
        let line = row - rows.lowerBound
        let text = line < texts.count ? texts[line] : ""
        lanes[row].append(
          Lane(start: columns.lowerBound, width: columns.count, text: text, style: style))
      }
    }
    return lanes.map { Self.cell(of: $0, width: width) }
  }

  /// A part of a row that belongs to an event.
  private struct Lane {
    let start: Int
    let width: Int
    let text: String
    let style: ConsoleText.Style
  }

  /// The lines of text in a block: the minutes of a start between rows, and the title.
  private func texts(of block: WeekDays.Block, width: Int, height: Int) -> [String] {
    let minutes = block.start % 60
    let isBetweenRows = block.entry.start != nil && minutes % WeekPlacement.rowMinutes != 0
    let prefix = isBetweenRows ? ":\(minutes < 10 ? "0" : "")\(minutes) " : ""
    let title = prefix + SafeText.escaped(block.entry.occurrence.title(answeredBy: view.user))
    var lines = TextWrapping.lines(of: title, width: max(1, width))
    if lines.count > height {
      let rest = lines[(height - 1)...].joined(separator: " ")
      lines = lines.prefix(height - 1) + [DisplayWidth.truncated(rest, to: width)]
    }
    return lines
  }

  /// The cell of a row: the lanes in order, with space between them.
  private static func cell(of lanes: [Lane], width: Int) -> ConsoleText {
    var cell: ConsoleText = ""
    var used = 0
    for lane in lanes.sorted(by: { $0.start < $1.start }) {
      cell = cell + space(lane.start - used)
      let text = DisplayWidth.truncated(lane.text, to: lane.width - 1)
      cell = cell + "\("▌", lane.style)\(text)" + space(lane.width - 1 - DisplayWidth.of(text))
      used = lane.start + lane.width
    }
    return cell + space(width - used)
  }

  private static func cell(
    _ text: String, _ style: ConsoleText.Style?, width: Int
  ) -> ConsoleText {
    let text = DisplayWidth.truncated(text, to: width)
    return ConsoleText(text, style) + space(width - DisplayWidth.of(text))
  }

  private static func space(_ count: Int) -> ConsoleText {
    ConsoleText(String(repeating: " ", count: max(0, count)))
  }

  /// The cells with a column between them.
  private static func joined(_ cells: [ConsoleText]) -> ConsoleText {
    cells.dropFirst().reduce(cells.first ?? "") { $0 + " " + $1 }.trimmed
  }
}
