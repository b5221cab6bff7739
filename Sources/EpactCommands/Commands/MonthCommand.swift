// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole

/// `epact month`: shows a month as a grid.
struct MonthCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "month",
    abstract: "Show the occurrences of a month as a grid.",
    discussion: """
      Shows the number of occurrences of each day, and the first titles. Weeks begin on the first \
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

  func run(in context: Context) async throws -> ExitStatus {
    let period = try arguments.period("month", in: context) { day, viewer in
      guard let first = CivilDate(year: day.year, month: day.month, day: 1) else {
        throw Failure(.usage, "expected a month, found none")
      }
      return (first, MonthDays.range(of: first, in: viewer))
    }
    var view = try OccurrenceView(period.request, machine: context.machine) {
      context.console.report($0)
    }
    guard view.outcome != .nothing else { return .nothingDone }
    let findings =
      arguments.json
      ? try view.writeJSON { try context.console.stream($0) } : try show(view, period, context)
    for event in view.events(for: findings) { context.console.report(event) }
    return view.outcome.status
  }

  private func show(
    _ view: OccurrenceView, _ period: PeriodArguments.Period, _ context: Context
  ) throws -> [OccurrenceFinding] {
    var occurrences = view.occurrences()
    var month = MonthDays(
      in: period.request.range, from: period.first, viewer: period.request.viewer)
    var count = 0
    while let occurrence = occurrences.next() {
      month.add(occurrence)
      count += 1
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    var grid = try MonthGrid(
      locale: context.machine.dateLocale, columns: context.console.columns, today: period.today)
    for line in try grid.lines(of: period.first, month.days) { context.console.show(line) }
    return occurrences.findings
  }
}
