// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CivilTime
package import Epact
package import ICUServices

// The matches of a search as text, one a line.

extension ViewPage {
  /// The minimum number of characters of a UID.
  private static let shortestUID = 8

  /// The lines of matches: the start or the due time, the title, the calendar, and the beginning of
  /// the UID.
  ///
  /// - Parameters:
  ///   - matches: The matches.
  ///   - viewer: The viewer's time zone.
  ///   - isNumbered: Whether each match has its number before it.
  /// - Returns: The lines.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    of matches: [SearchMatch], in viewer: ZoneRules, isNumbered: Bool
  ) throws(ICUError) -> [ConsoleText] {
    let numberWidth = isNumbered ? String(matches.count).count + 2 : 0
    var times: [String] = []
    for match in matches { times.append(try time(of: match, in: viewer)) }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    let uids = Self.beginnings(of: matches.map(\.uid.rawValue))
    return zip(zip(matches, times), uids).enumerated().map { index, line in
      let ((match, time), beginning) = line
      let number: ConsoleText = isNumbered ? NumberMargin.text(index + 1, of: matches.count) : ""
      let uid = SafeText.escaped(beginning)
      let dot: ConsoleText = view.colors.style(of: match.calendar).map { "\("●", $0) " } ?? ""
      let name = view.showsCalendars ? "  \(SafeText.escaped(match.calendar))" : ""
      let used = numberWidth + width + 2 + DisplayWidth.of(dot.plain) + DisplayWidth.of(name) + 2
      let room = max(10, (view.columns ?? .max) - used - DisplayWidth.of(uid))
      let title = DisplayWidth.truncated(SafeText.escaped(match.title), to: room)
      let head: ConsoleText = "\(DisplayWidth.padded(time, to: width), .cyan)  "
      return number + head + dot + "\(title)\(name, .dim)  \(uid, .dim)"
    }
  }

  /// The start of an occurrence, or the due time of a reminder.
  private mutating func time(
    of match: SearchMatch, in viewer: ZoneRules
  ) throws(ICUError) -> String {
    guard let occurrence = match.occurrence else { return "" }
    let isDue = occurrence.kind == .reminder
    if isDue, case .date(let date) = occurrence.end.time {
      return try dates.text(date, .shortDate)
    }
    let instant = isDue ? occurrence.end.instant : occurrence.interval.lowerBound
    guard let wall = viewer.civil(at: instant) else { return "" }
    return occurrence.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall)
  }

  /// The shortest beginnings of UIDs that are different, of at least eight characters.
  static func beginnings(of uids: [String]) -> [String] {
    let sorted = Set(uids).sorted().map(Array.init)
    var lengths: [String: Int] = [:]
    for (index, uid) in sorted.enumerated() {
      let neighbours = [index - 1, index + 1].filter(sorted.indices.contains)
      let common = neighbours.map { neighbour in
        zip(uid, sorted[neighbour]).prefix { $0 == $1 }.count
      }
      lengths[String(uid)] = max(shortestUID, (common.max() ?? 0) + 1)
    }
    return uids.map { String($0.prefix(lengths[$0] ?? shortestUID)) }
  }
}

/// The number of a line, by which other commands name its item.
private enum NumberMargin {
  /// The number with its margins, right-aligned to the largest one.
  static func text(_ number: Int, of count: Int) -> ConsoleText {
    let (width, text) = (String(count).count, String(number))
    return "\(String(repeating: " ", count: max(0, width - text.count)))\(text, .bold)  "
  }
}

/// Formats a list of reminders, with a number before each.
package struct TaskPage {
  /// The minimum number of columns for dates with the names of the day and the month.
  private static let fullWidth = 60

  /// The lines.
  package let lines: [ConsoleText]

  /// Creates a page of reminders, with due times in the time zone of an editor.
  ///
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    _ entries: [TaskList.Entry], _ view: ViewStyle, _ editor: LibraryEditor
  ) throws(ICUError) {
    let numberWidth = String(entries.count).count
    var dates = try ViewDates(locale: view.locale)
    let isNarrow = view.columns.map { $0 < Self.fullWidth } ?? false
    var dues: [String] = []
    for entry in entries {
      guard let due = entry.due else {
        dues.append("")
        continue
      }
      let wall = editor.viewed(due, in: entry.found)
      dues.append(
        due.isAllDay
          ? try dates.text(wall.date, isNarrow ? .numericDate : .shortDate)
          : try dates.text(wall, isNumeric: isNarrow))
    }
    let dueWidth = dues.map(DisplayWidth.of).max() ?? 0
    let showsCalendars = Set(entries.map(\.found.calendar.id)).count > 1
    lines = zip(entries.indices, zip(entries, dues)).map { index, task in
      let (entry, due) = task
      let number = NumberMargin.text(index + 1, of: entries.count)
      let indent = String(repeating: "  ", count: entry.depth)
      let used = numberWidth + dueWidth + 8 + indent.count
      let marks = Self.marks(of: entry)
      let title = DisplayWidth.truncated(
        SafeText.escaped(entry.reminder.summary ?? entry.found.item.title),
        to: max(10, (view.columns ?? .max) - used))
      let calendar: ConsoleText =
        showsCalendars ? "  \(entry.found.calendar.name, .dim)" : ""
      return number
        + "\(DisplayWidth.padded(due, to: dueWidth), Self.style(of: entry))"
        + "  \(indent)\(entry.isClosed ? "☑" : "☐") \(title, entry.isClosed ? .dim : nil)\(marks)"
        + "\(calendar)"
    }
  }

  private static func style(of entry: TaskList.Entry) -> ConsoleText.Style? {
    entry.isClosed ? .dim : entry.isOverdue ? .red : .cyan
  }

  private static func marks(of entry: TaskList.Entry) -> ConsoleText {
    var marks: ConsoleText = ""
    if Priority(entry.reminder.priority) == .high { marks = "\(marks) \("!", .yellow)" }
    if entry.found.isSeries { marks = "\(marks) \("↻", .dim)" }
    if entry.reminder.status == .inProcess { marks = "\(marks) \("started", .green)" }
    if entry.reminder.status == .cancelled { marks = "\(marks) \("cancelled", .dim)" }
    let categories = CategoryText.text(entry.reminder.categories)
    if !categories.isEmpty { marks = "\(marks)  \(SafeText.escaped(categories), .dim)" }
    return marks
  }
}

extension ItemCard {
  /// The title, and a line for each line of a value, with its name before the first one.
  package var lines: [ConsoleText] {
    let rows = rows.filter { !$0.text.isEmpty && $0.field != .title }
    let width = rows.map { DisplayWidth.of($0.label) }.max() ?? 0
    return ["\(title, .bold)"]
      + rows.flatMap { row in
        row.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
          .map { number, line in
            let label = DisplayWidth.padded(number == 0 ? row.label : "", to: width)
            return "  \(label, .dim)  \(String(line))"
          }
      }
  }
}
