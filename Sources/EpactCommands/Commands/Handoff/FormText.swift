// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactConsole
import ICUServices

/// The parts that all forms for other programs have.
extension Context {
  /// The maximum length of a line of a form, in characters.
  private static let lineLimit = 200

  /// The user's calendars, for a form on the terminal.
  ///
  /// - Throws: `Failure` without a terminal.
  func libraryForForm() throws -> CalendarLibrary {
    guard console.canAsk else {
      throw Failure(.nothingDone, "there is no terminal to show the form on")
    }
    return library
  }

  /// The lines that show an event.
  func lines(of event: Event, title: String) throws -> [ConsoleText] {
    var lines: [ConsoleText] = ["\(title, .bold)"]
    var dates = try ViewDates(locale: machine.dateLocale)
    func text(_ time: EventTime) throws -> String {
      time.isAllDay ? try dates.text(time.date, .weekdayAndDate) : try dates.text(time.wallTime)
    }
    // The end of an all-day event is the day after its last one (RFC 5545 §3.6.1).
    let end = event.end?.time.map { end in
      end.isAllDay ? .date(end.date.adding(days: -1) ?? end.date) : end
    }
    var times = try [event.start, end].compactMap(\.self).map(text)
    if times.count == 2, times[0] == times[1] { times.removeLast() }
    if !times.isEmpty { lines.append("  \(times.joined(separator: " – "))") }
    if event.recurrence.isRecurring { lines.append("  It repeats.") }
    for value in [event.location, event.url, event.descriptionText].compactMap(\.self) {
      let words = value.split(whereSeparator: \.isNewline).joined(separator: " ")
      lines.append("  \(String(words.prefix(Self.lineLimit)))")
    }
    return lines
  }
}
