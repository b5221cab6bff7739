// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CivilTime
package import Epact
package import ICUServices

/// Formats a week as a grid: a column for each day, and rows of half an hour.
///
/// Overlapping events are side by side. Whole-day events are above the hours.
package struct WeekGrid: ~Copyable {
  /// The minutes of a row.
  private static let rowMinutes = 30
  /// The hours that are always shown.
  private static let shownHours = 8..<18
  /// The maximum number of whole-day events that are shown for a day.
  private static let wholeDayLimit = 4
  /// The minimum width of an event; narrower ones are only counted.
  private static let narrowestLane = 3

  private var dates: ViewDates
  private let columns: Int
  private let today: CivilDate?
  private let colors: CalendarColors

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - locale: The locale of names and times.
  ///   - columns: The available columns; nil if unlimited.
  ///   - today: The current day, which is marked.
  ///   - colors: The colours of the calendars.
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    locale: String, columns: Int?, today: CivilDate?, colors: CalendarColors
  ) throws(ICUError) {
    dates = try ViewDates(locale: locale)
    self.columns = columns ?? 80
    self.today = today
    self.colors = colors
  }

  /// The lines of a week.
  ///
  /// - Parameters:
  ///   - week: The days.
  ///   - calendar: Returns the name of the calendar of a source.
  /// - Returns: The lines, which fit in the available columns if there are at least 50.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of week: WeekDays, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    let hours = Self.hours(of: week)
    var labels: [String] = []
    for hour in hours { labels.append(try label(ofHour: hour)) }
    let gutter = (labels.map(DisplayWidth.of).max() ?? 0) + 1
    let width = min(max((columns - gutter) / 7 - 1, 5), 30)
    let margin = String(repeating: " ", count: gutter)
    var lines = [try title(of: week, width: gutter + 7 * (width + 1))]
    lines.append(try header(of: week, margin: margin, width: width))
    lines += wholeDayLines(of: week, margin: margin, width: width, calendar)
    let rows = week.days.map { cells(of: $0, hours: hours, width: width, calendar) }
    let rowsOfHour = 60 / Self.rowMinutes
    for row in 0..<hours.count * rowsOfHour {
      let label = row % rowsOfHour == 0 ? labels[row / rowsOfHour] : ""
      let head = DisplayWidth.padded(label, to: gutter)
      let cells = rows.map { $0[row] }
      lines.append(("\(head, .dim)" + Self.joined(cells)).trimmed)
    }
    return lines
  }

  // MARK: Hours

  /// The hours that are shown: those of the working day, and of all events.
  private static func hours(of week: WeekDays) -> Range<Int> {
    var (first, end) = (shownHours.lowerBound, shownHours.upperBound)
    for block in week.days.flatMap(\.blocks) {
      first = min(first, block.start / 60)
      end = max(end, min(24, (max(block.end, block.start + 1) + 59) / 60))
    }
    return first..<end
  }

  private mutating func label(ofHour hour: Int) throws(ICUError) -> String {
    try dates.text(hour: hour)
  }

  private mutating func title(of week: WeekDays, width: Int) throws(ICUError) -> ConsoleText {
    guard let first = week.days.first?.date, let last = week.days.last?.date else { return "" }
    let title = try dates.days(from: first, to: last)
    let indent = String(repeating: " ", count: max(0, (width - DisplayWidth.of(title)) / 2))
    return "\(indent)\(title, .bold)"
  }

  private mutating func header(
    of week: WeekDays, margin: String, width: Int
  ) throws(ICUError) -> ConsoleText {
    var cells: [ConsoleText] = []
    for day in week.days {
      let name = try dates.text(day.date, .shortWeekday)
      let rest = day.rest > 0 ? " +\(day.rest)" : ""
      let text = DisplayWidth.truncated("\(name) \(day.date.day)\(rest)", to: width)
      cells.append(
        ConsoleText(text, day.date == today ? .cyan : .bold)
          + Self.space(width - DisplayWidth.of(text)))
    }
    return "\(margin)" + Self.joined(cells)
  }

  // MARK: Whole days

  private func wholeDayLines(
    of week: WeekDays, margin: String, width: Int, _ calendar: (Int) -> String
  ) -> [ConsoleText] {
    let columns = week.days.map { day -> [ConsoleText] in
      let isCut = day.wholeDay.count > Self.wholeDayLimit
      let shown = day.wholeDay.prefix(isCut ? Self.wholeDayLimit - 1 : Self.wholeDayLimit)
      var cells = shown.map { entry in
        let style = colors.style(of: calendar(entry.occurrence.source)) ?? .green
        return Self.cell(SafeText.escaped(entry.occurrence.title), style, width: width)
      }
      if isCut {
        cells.append(Self.cell("+\(day.wholeDay.count - shown.count)", .dim, width: width))
      }
      return cells
    }
    let height = columns.map(\.count).max() ?? 0
    return (0..<height).map { row in
      let cells = columns.map { row < $0.count ? $0[row] : Self.space(width) }
      return "\(margin)" + Self.joined(cells)
    }
  }

  // MARK: Blocks

  /// The cells of a day, one for each row.
  private func cells(
    of day: WeekDays.Day, hours: Range<Int>, width: Int, _ calendar: (Int) -> String
  ) -> [ConsoleText] {
    let first = hours.lowerBound * 60
    let count = hours.count * 60 / Self.rowMinutes
    var lanes = [[Lane]](repeating: [], count: count)
    for block in day.blocks {
      let rows = Self.rows(of: block, from: first, count: count)
      guard let top = rows.first else { continue }
      let area = Self.area(of: block, width: width)
      let style = colors.style(of: calendar(block.entry.occurrence.source)) ?? .cyan
      let texts = Self.texts(of: block, width: area.count - 1, height: rows.count)
      for row in rows {
        let text = row - top < texts.count ? texts[row - top] : ""
        lanes[row].append(Lane(start: area.lowerBound, width: area.count, text: text, style: style))
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

  private static func rows(of block: WeekDays.Block, from first: Int, count: Int) -> Range<Int> {
    let top = min(max(0, (block.start - first) / rowMinutes), max(0, count - 1))
    let bottom = (block.end - first + rowMinutes - 1) / rowMinutes
    return top..<min(count, max(bottom, top + 1))
  }

  /// The columns of a block in its day.
  private static func area(of block: WeekDays.Block, width: Int) -> Range<Int> {
    let laneCount = min(block.laneCount, max(1, width / narrowestLane))
    let lane = min(block.lane, laneCount - 1)
    return lane * width / laneCount..<(lane + 1) * width / laneCount
  }

  /// The lines of text in a block: the minutes of a start between rows, and the title.
  private static func texts(of block: WeekDays.Block, width: Int, height: Int) -> [String] {
    let minutes = block.start % 60
    let prefix = block.entry.start != nil && minutes % rowMinutes != 0 ? ":\(minutes) " : ""
    let title = prefix + SafeText.escaped(block.entry.occurrence.title)
    var lines = TextWrapping.lines(of: title, width: max(1, width))
    if lines.count > height {
      lines = Array(lines.prefix(height))
      lines[height - 1] = DisplayWidth.truncated(lines[height - 1] + "…", to: width)
    }
    return lines
  }

  /// The cell of a row: the lanes in order, with space between them.
  private static func cell(of lanes: [Lane], width: Int) -> ConsoleText {
    var cell: ConsoleText = ""
    var used = 0
    // In a lane that several events share, the first one is shown.
    for lane in lanes.sorted(by: { $0.start < $1.start }) where lane.start >= used {
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
