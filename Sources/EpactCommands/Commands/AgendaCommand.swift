// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CivilTime
import Epact
import EpactConsole

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
        ↻ ♪  an occurrence of a series; it has an alarm
        [ ]  its categories

      Reminders that were due before today and are not completed come first; of a series, the last \
      one is shown. In colour, a dot has the colour of the calendar.

      Without a calendar, all calendars of the configuration are shown. With --json, prints one \
      object, whose "occurrences" have the members of epact occurrences, and "location", "status" \
      and "calendar"; "overdue" has the overdue reminders.

      Examples:

        epact agenda tomorrow
        epact agenda next week work
        epact agenda --days 1
        epact agenda --from monday --to "next monday" work
        epact agenda --where "attendee~ana and not status:tentative"
      """)

  @OptionGroup var arguments: ViewArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Include cancelled occurrences.")
  var cancelled = false

  @OptionGroup var condition: WhereOption

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    var request = try arguments.request(in: context)
    request.includesCancelled = cancelled
    // A damaged file would fill the agenda of every day with the same errors.
    if !json { request.diagnosticLimit = 1 }
    request.reminders = .due
    request.filter = try condition.matcher(in: context, viewer: request.viewer)
    request.collectsOverdue = request.range.contains(context.machine.now())
    return try context.view(request) { view in
      json
        ? try view.writeJSON { try context.console.stream($0) }
        : try show(view, request, context)
    }
  }

  private func show(
    _ view: OccurrenceView, _ request: ViewRequest, _ context: Context
  ) throws -> [OccurrenceFinding] {
    var page = try ViewPage(
      context.viewStyle(
        of: request, today: request.viewer.civil(at: context.machine.now())?.date))
    var days = view.days()
    let overdue = try page.lines(ofOverdue: view.overdue(), in: request.viewer) {
      view.calendar(ofSource: $0)
    }
    context.console.show(overdue)
    var isFirst = overdue.isEmpty
    while let day = days.next() {
      if !isFirst { context.console.show("") }
      isFirst = false
      context.console.show(try page.lines(of: day) { view.calendar(ofSource: $0) })
      guard !context.console.isBroken else { throw CancellationError() }
      try Task.checkCancellation()
    }
    if isFirst, overdue.isEmpty {
      context.console.say(try page.nothing(in: request.range, zone: request.viewer))
    }
    return days.findings
  }
}

extension Context {
  /// Shows a view by a function, and reports its findings.
  func view(
    _ request: ViewRequest, _ show: (inout OccurrenceView) throws -> [OccurrenceFinding]
  ) throws -> ExitStatus {
    var problems = FileProblems(console)
    defer { problems.finish() }
    var view = try OccurrenceView(request, machine: machine) { problems.take($0) }
    guard view.outcome != .nothing else { return .nothingDone }
    let findings = try show(&view)
    for event in view.events(for: findings) { problems.take(event) }
    return view.outcome.status
  }

  /// The style of a view.
  func viewStyle(of request: ViewRequest, today: CivilDate? = nil) -> ViewStyle {
    var style = viewStyle(of: request.inputs, today: today)
    style.user = request.user
    return style
  }

  /// The style of a list of items in some calendars.
  func viewStyle(of calendars: [CalendarLocation] = [], today: CivilDate? = nil) -> ViewStyle {
    var style = ViewStyle(locale: machine.dateLocale, columns: console.columns, today: today)
    if console.usesColor { style.colors = CalendarColors(of: calendars) }
    style.showsCalendars = calendars.count > 1
    return style
  }
}
