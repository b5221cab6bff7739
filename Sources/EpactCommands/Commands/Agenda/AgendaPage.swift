// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICUServices
import ICalSyntax

/// Formats an agenda in the user's language and for the available columns.
struct AgendaPage: ~Copyable {
  private var dates: LocalizedDates
  /// The maximum number of columns of a line; nil if unlimited.
  private let columns: Int?
  private let today: CivilDate?
  /// Whether the calendar names are shown.
  private let showsCalendars: Bool
  /// The cache of formatted times.
  private var times: [TimeOfDay: String] = [:]

  init(locale: String, columns: Int?, today: CivilDate?, showsCalendars: Bool) throws(ICUError) {
    dates = try LocalizedDates(locale: locale)
    self.columns = columns
    self.today = today
    self.showsCalendars = showsCalendars
  }

  /// The lines of a day: its date and its entries.
  mutating func lines(
    of day: AgendaDays.Day, calendar: (Int) -> String
  ) throws(ICUError) -> [ConsoleText] {
    let date = PlainText.of(try dates.text(day.date, .weekdayAndDate))
    var lines = [
      day.date == today ? "\(date, .bold) \("•", .cyan)" : "\(date, .bold)" as ConsoleText
    ]
    var times: [String] = []
    for entry in day.entries { times.append(try time(of: entry)) }
    let width = times.reduce(0) { max($0, DisplayWidth.of($1)) }
    for (entry, time) in zip(day.entries, times) {
      let name = showsCalendars ? calendar(entry.occurrence.source) : ""
      lines.append(line(entry, time: DisplayWidth.padded(time, to: width), calendar: name))
    }
    if day.rest > 0 { lines.append("  … and \(Count.grouped(day.rest)) more") }
    return lines
  }

  /// The sentence for a range without occurrences.
  mutating func nothing(in range: Range<Instant>, zone: ZoneRules) throws(ICUError) -> ConsoleText {
    let last = range.upperBound.adding(seconds: range.isEmpty ? 0 : -1) ?? range.upperBound
    guard let from = zone.civil(at: range.lowerBound), let to = zone.civil(at: last) else {
      return "Nothing takes place."
    }
    let text = try dates.interval(
      from: CivilDateTime(from.date, .midnight), to: CivilDateTime(to.date, .midnight), .shortDate)
    return "Nothing takes place: \(PlainText.of(text))."
  }

  private mutating func time(of entry: AgendaEntry) throws(ICUError) -> String {
    if entry.isWholeDay { return entry.count > 1 ? "\(entry.number)/\(entry.count)" : "•" }
    let start = try entry.start.map { (time) throws(ICUError) in try text(time) }
    let end = try entry.end.map { (time) throws(ICUError) in try text(time) }
    if entry.interval.isEmpty { return start ?? end ?? "" }
    return "\(start ?? "…")–\(end ?? "…")"
  }

  private mutating func text(_ time: TimeOfDay) throws(ICUError) -> String {
    if let text = times[time] { return text }
    let text = PlainText.of(try dates.text(CivilDateTime(.first, time), .time))
    times[time] = text
    return text
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
      "\(entry.overlaps ? "!" : " ", entry.overlaps ? .yellow : nil) \(time, entry.isWholeDay ? .green : .cyan)   \(title, isDone ? .dim : nil)"
    for text in [occurrence.component[.location]?.text ?? "", calendar] where !text.isEmpty {
      // A text that would be truncated to less than a word is omitted.
      guard room >= 10 else { break }
      room -= 2
      line = "\(line)  \(take(text), .dim)"
    }
    return line
  }
}
