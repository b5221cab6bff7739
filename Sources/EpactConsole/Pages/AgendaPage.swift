// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import CivilTime
package import Epact
package import ICUServices
import ICalSyntax

/// Formats an agenda in the user's language and for the available columns.
package struct AgendaPage: ~Copyable {
  private var dates: ViewDates
  /// The maximum number of columns of a line; nil if unlimited.
  private let columns: Int?
  private let today: CivilDate?
  /// Whether the calendar names are shown.
  private let showsCalendars: Bool

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - locale: The locale of dates and times.
  ///   - columns: The maximum number of columns of a line; nil if unlimited.
  ///   - today: The current day, which is marked.
  ///   - showsCalendars: Whether the calendar names are shown.
  /// - Throws: `ICUError` if ICU lacks its data.
  package init(
    locale: String, columns: Int?, today: CivilDate?, showsCalendars: Bool
  ) throws(ICUError) {
    dates = try ViewDates(locale: locale)
    self.columns = columns
    self.today = today
    self.showsCalendars = showsCalendars
  }

  /// The lines of a day: its date and its entries.
  package mutating func lines(
    of day: AgendaDays.Day, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    let date = try dates.text(day.date, .weekdayAndDate)
    var lines = [
      day.date == today ? "\(date, .bold) \("•", .cyan)" : "\(date, .bold)" as ConsoleText
    ]
    var times: [String] = []
    for entry in day.entries { times.append(try dates.time(of: entry)) }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (entry, time) in zip(day.entries, times) {
      let name = showsCalendars ? calendar(entry.occurrence.source) : ""
      lines.append(line(entry, time: DisplayWidth.padded(time, to: width), calendar: name))
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

  private func line(_ entry: AgendaEntry, time: String, calendar: String) -> ConsoleText {
    let occurrence = entry.occurrence
    var room = (columns ?? .max) - DisplayWidth.of(time) - 5
    func take(_ text: String) -> String {
      let text = DisplayWidth.truncated(SafeText.escaped(text), to: max(0, room))
      room -= DisplayWidth.of(text)
      return text
    }
    let title = take(occurrence.title)
    let isDone = occurrence.isDone
    var line: ConsoleText =
      "\(entry.overlaps ? "!" : " ", entry.overlaps ? .yellow : nil) "
      + "\(time, entry.isWholeDay ? .green : .cyan)   \(title, isDone ? .dim : nil)"
    for text in [occurrence.component[.location]?.text ?? "", calendar] where !text.isEmpty {
      // A text that would be truncated to less than a word is omitted.
      guard room >= 10 else { break }
      room -= 2
      line = "\(line)  \(take(text), .dim)"
    }
    return line
  }
}
