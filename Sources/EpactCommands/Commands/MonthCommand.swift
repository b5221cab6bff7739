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
      weekday of the country of LC_ALL, LC_TIME or LANG.

      Without a calendar, all calendars of the configuration are shown.
      """)

  @Argument(
    help: ArgumentHelp(
      "A month as 2026-11 or a day of it, then names of the configuration, files or folders.",
      valueName: "date and calendars"), completion: .calendars)
  var arguments: [String] = []

  @OptionGroup var zone: ZoneOption

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let viewer = try context.viewerZone(zone.name)
    let today = viewer.civil(at: context.machine.now())?.date
    let named = arguments.first.flatMap { MonthDays.day(named: $0, in: viewer) }
    let inputs = try context.inputs(Array(arguments.dropFirst(named == nil ? 0 : 1)))
    let day = named ?? today ?? .first
    guard let first = CivilDate(year: day.year, month: day.month, day: 1) else {
      throw Failure(.usage, "expected a month, found none")
    }
    let range = MonthDays.range(of: first, in: viewer)
    var request = ViewRequest(inputs, in: range, viewer: viewer)
    request.options = calendarZone.options(in: context)
    request.reminders = .due
    var view = try OccurrenceView(request, machine: context.machine) {
      context.console.report($0)
    }
    guard view.outcome != .nothing else { return .nothingDone }
    var occurrences = view.occurrences().makeIterator()
    var month = MonthDays(in: range, from: first, viewer: viewer)
    var count = 0
    while let occurrence = occurrences.next() {
      month.add(occurrence)
      count += 1
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    for event in view.events(for: occurrences.findings) { context.console.report(event) }
    var grid = try MonthGrid(
      locale: context.machine.dateLocale, columns: context.console.columns, today: today)
    for line in try grid.lines(of: first, month.days) { context.console.show(line) }
    return view.outcome.status
  }
}
