// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole
import ICUServices

/// `epact month`: shows a month as a grid.
struct MonthCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "month",
    abstract: "Show the occurrences of a month as a grid.",
    discussion: """
      Shows the number of occurrences of each day, and the first titles: as many as fit in the \
      height of the terminal. A line follows the title of what lasts several days. "✗" precedes an event that you \
      declined, and "?" one that you accepted tentatively. Weeks begin on the first \
      weekday of the country of LC_ALL, LC_TIME or LANG. The month is that of a date: 2026-11, a \
      day, or words such as next, december or "3 weeks ago".

      Without a calendar, all calendars of the configuration are shown. With --json, prints one \
      object as epact agenda does.

      Examples:

        epact month
        epact month next
        epact month 2026-12 work
      """)

  @OptionGroup var arguments: PeriodArguments

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let period = try arguments.period("month", in: context) { day, viewer in
      guard let first = CivilDate(year: day.year, month: day.month, day: 1) else {
        throw Failure(.usage, "expected a month, found none")
      }
      return (first, MonthDays.range(of: first, in: viewer))
    }
    return try context.view(period.request) { view in
      guard !arguments.json else {
        return try view.writeJSON { try context.console.stream($0) }
      }
      let month = try MonthDays(
        of: view, period.request, from: period.first,
        keeping: MonthGrid.titleCount(in: context.console.rows))
      var grid = try MonthGrid(context.viewStyle(of: period.request, today: period.today))
      context.console.show(try grid.lines(of: period.first, month.days))
      return month.findings
    }
  }
}

/// `epact week`: shows a week as a grid of days and hours.
struct WeekCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "week",
    abstract: "Show a week as a grid of days and hours.",
    discussion: """
      Shows a column for each day, and a row for each half hour from 8:00 to 18:00, or for all \
      hours with events. In a narrow terminal, a part of the week is below the other. Overlapping \
      events are side by side; all-day events are above the hours. \
      ":15" before a title is the minute of its start, "✗" marks an event that you declined, and "?" \
      one that you accepted tentatively. Weeks begin on the first weekday of the \
      country of LC_ALL, LC_TIME or LANG. In colour, events have the colour of their calendar.

      The week is that of a date: a day, or words such as next, last or "11 dec". Without a \
      calendar, all calendars of the configuration are shown. With --json, prints one object as \
      epact agenda does.

      Examples:

        epact week
        epact week next work
        epact week 2026-12-24 --where "not kind:reminder"
      """)

  @OptionGroup var arguments: PeriodArguments

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let firstWeekday = try LocalizedDates(locale: context.machine.dateLocale).firstWeekday
    let period = try arguments.period("week", in: context) { day, viewer in
      let first = WeekDays.start(of: day, firstWeekday: firstWeekday)
      return (first, WeekDays.range(from: first, in: viewer))
    }
    return try context.view(period.request) { view in
      guard !arguments.json else {
        return try view.writeJSON { try context.console.stream($0) }
      }
      let week = WeekDays(view.days(), from: period.first)
      var grid = try WeekGrid(context.viewStyle(of: period.request, today: period.today))
      context.console.show(try grid.lines(of: week) { view.calendar(ofSource: $0) })
      return week.findings
    }
  }
}
