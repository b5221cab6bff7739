// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import Epact

/// Formats a list of reminders, with a number before each.
package struct TaskPage {
  /// The lines.
  package let lines: [ConsoleText]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - entries: The reminders.
  ///   - columns: The maximum number of columns of a line; nil if unlimited.
  ///   - editor: The time zone of the due times.
  package init(_ entries: [TaskList.Entry], columns: Int?, _ editor: LibraryEditor) {
    let numberWidth = String(entries.count).count
    let dues = entries.map { editor.text(of: $0.due, in: $0.found) }
    let dueWidth = dues.map(DisplayWidth.of).max() ?? 0
    let showsCalendars = Set(entries.map(\.found.calendar.id)).count > 1
    lines = zip(entries.indices, zip(entries, dues)).map { index, task in
      let (entry, due) = task
      let number = String(index + 1)
      let margin = String(repeating: " ", count: max(0, numberWidth - number.count))
      let indent = String(repeating: "  ", count: entry.depth)
      let used = numberWidth + dueWidth + 8 + indent.count
      let marks = Self.marks(of: entry)
      let title = DisplayWidth.truncated(
        SafeText.escaped(entry.reminder.summary ?? entry.found.item.title),
        to: max(10, (columns ?? .max) - used))
      let calendar: ConsoleText =
        showsCalendars ? "  \(entry.found.calendar.name, .dim)" : ""
      return
        "\(margin)\(number, .bold)  \(DisplayWidth.padded(due, to: dueWidth), Self.style(of: entry))"
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
    return marks
  }
}
