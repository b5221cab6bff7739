// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole
import ICUServices
import ICalSyntax

/// `epact agenda`: shows the occurrences of each day.
struct AgendaCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "agenda",
    abstract: "Show the occurrences of each day.",
    discussion: """
      Shows the days with occurrences, each with its all-day occurrences first. Dates and times \
      are in the language of LC_ALL, LC_TIME or LANG and in the time zone of the machine.

        •    lasts the whole day; 2/3 is the second of three days
        …    began on an earlier day, or ends on a later one
        !    overlaps with another event
        ☐ ☑  a reminder at its due time; ✎ a journal entry

      Without a calendar, all calendars of the configuration are shown. With --json, prints one \
      object, whose "occurrences" have the members of epact occurrences, and "location", "status" \
      and "calendar".
      """)

  @OptionGroup var arguments: ViewArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Include cancelled occurrences.")
  var cancelled = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    var request = try arguments.request(in: context)
    request.includesCancelled = cancelled
    request.reminders = .due
    var view = try OccurrenceView(request, machine: context.machine) {
      context.console.report($0)
    }
    guard view.outcome != .nothing else { return .nothingDone }
    let findings =
      json
      ? try view.writeJSON { try context.console.stream($0) }
      : try show(view, request, context)
    for event in view.events(for: findings) { context.console.report(event) }
    return view.outcome.status
  }

  private func show(
    _ view: OccurrenceView, _ request: ViewRequest, _ context: Context
  ) throws -> [OccurrenceFinding] {
    var page = try AgendaPage(
      locale: context.machine.dateLocale, columns: context.console.columns,
      today: request.viewer.civil(at: context.machine.now())?.date,
      showsCalendars: request.inputs.count > 1)
    var days = view.days()
    var isFirst = true
    while let day = days.next() {
      if !isFirst { context.console.show("") }
      isFirst = false
      let lines = try page.lines(of: day) { view.calendar(ofSource: $0) }
      for line in lines { context.console.show(line) }
      guard !context.console.isBroken else { throw CancellationError() }
      try Task.checkCancellation()
    }
    if isFirst {
      context.console.say(try page.nothing(in: request.range, zone: request.viewer))
    }
    return days.findings
  }
}
