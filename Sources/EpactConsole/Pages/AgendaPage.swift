// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CivilTime
package import Epact
package import ICUServices
import ICalSyntax

// An agenda as text.

extension ViewPage {
  /// The lines of reminders that were due before the agenda, with a title.
  ///
  /// - Parameters:
  ///   - reminders: The reminders, by due time.
  ///   - viewer: The viewer's time zone.
  ///   - calendar: Returns the name of the calendar of a source.
  /// - Returns: The lines; none without reminders.
  /// - Throws: `ICUError` if ICU lacks its data.
  package mutating func lines(
    ofOverdue reminders: [Occurrence], in viewer: ZoneRules, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    guard !reminders.isEmpty else { return [] }
    let shown = reminders.suffix(Self.overdueLimit)
    var lines: [ConsoleText] = ["\("Overdue", .red)"]
    if shown.count < reminders.count {
      lines.append("  … and \(Count.grouped(reminders.count - shown.count)) earlier ones")
    }
    var times: [String] = []
    for reminder in shown {
      let wall = viewer.civil(at: reminder.interval.lowerBound)
      let time = try wall.map { (wall) throws(ICUError) in
        reminder.isAllDay ? try dates.text(wall.date, .shortDate) : try dates.text(wall)
      }
      times.append(time ?? "")
    }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (reminder, time) in zip(shown, times) {
      let head: ConsoleText = "  \(DisplayWidth.padded(time, to: width), .red)   "
      lines.append(head + text(of: reminder, calendar(reminder.source), after: width + 5))
    }
    return lines
  }

  /// The maximum number of overdue reminders that are shown, the latest ones.
  private static let overdueLimit = 50

  /// The lines of a day: its date and its entries.
  package mutating func lines(
    of day: AgendaDays.Day, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    let date = try dates.text(day.date, .weekdayAndDate)
    var lines = [
      day.date == view.today ? "\(date, .bold) \("•", .cyan)" : "\(date, .bold)" as ConsoleText
    ]
    var times: [String] = []
    for entry in day.entries { times.append(try dates.time(of: entry)) }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (entry, time) in zip(day.entries, times) {
      let mark: ConsoleText = entry.overlaps ? "\("!", .yellow) " : "  "
      let time = DisplayWidth.padded(time, to: width)
      let head = mark + "\(time, entry.isWholeDay ? .green : .cyan)   "
      let name = calendar(entry.occurrence.source)
      lines.append(head + text(of: entry.occurrence, name, after: width + 5))
    }
    if day.rest > 0 { lines.append("  … and \(Count.grouped(day.rest)) more") }
    return lines
  }

  /// The sentence for a range without occurrences.
  package mutating func nothing(in range: Range<Instant>, zone: ZoneRules) throws(ICUError)
    -> ConsoleText
  {
    try dates.days(of: range, in: zone).map { "Nothing takes place: \($0)." }
      ?? "Nothing takes place."
  }

  /// The title of an occurrence with its marks, its categories, its location and its calendar.
  private func text(
    of occurrence: Occurrence, _ calendar: String, after used: Int
  ) -> ConsoleText {
    var room = (view.columns ?? .max) - used
    func take(_ text: String) -> String {
      let text = DisplayWidth.truncated(SafeText.escaped(text), to: max(0, room))
      room -= DisplayWidth.of(text)
      return text
    }
    let dot: ConsoleText = view.colors.style(of: calendar).map { "\("●", $0) " } ?? ""
    if view.colors.style(of: calendar) != nil { room -= 2 }
    let answer = occurrence.answer(of: view.user)
    let words = answer == .declined || answer == .tentative ? answer?.text ?? "" : ""
    let marks = [occurrence.marks, words].filter { !$0.isEmpty }.joined(separator: " ")
    room -= marks.isEmpty ? 0 : DisplayWidth.of(marks) + 1
    let title = take(occurrence.title)
    var line = dot + "\(title, occurrence.isDone || answer == .declined ? .dim : nil)"
    if !marks.isEmpty { line = "\(line) \(marks, .dim)" }
    let name = view.showsCalendars ? calendar : ""
    let place = occurrence.component[.location]?.text ?? ""
    for text in [occurrence.categoryText, place, name] where !text.isEmpty {
      // A text that would be truncated to less than a word is omitted.
      guard room >= 10 else { break }
      room -= 2
      line = "\(line)  \(take(text), .dim)"
    }
    return line
  }
}
