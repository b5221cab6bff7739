// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole
import ICalSyntax

/// `epact occurrences`: writes the occurrences in a range of time as JSON.
struct OccurrencesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "occurrences",
    abstract: "List the occurrences in a range of time, as one JSON object a line.",
    discussion: """
      Recurring items are expanded, with their overrides. Each object has these members:

        uid           the UID, or null
        recurrenceId  the original start in the series, or null if the item does not recur
        start, end    the start and the exclusive end
        zone          the TZID of the start, "UTC", or null for floating times and days
        allDay        whether the occurrence lasts whole days
        summary       the title, or null
        component     VEVENT, VTODO or VJOURNAL

      Days are dates (2026-11-01). Times are in RFC 3339 format, with the offset of the item's own \
      zone; floating times have the offset of --zone. The end of a reminder is its due time; a \
      reminder that is due on a day ends with that day.

      An occurrence is listed if it takes place at any time between A and B, even if it began \
      before A. The order is by start, then whole days first, then by end, by UID and further \
      criteria; the order of the files has no effect. Cancelled occurrences are omitted without \
      --cancelled.

      Problems are reported on standard error with their positions; the rest is listed. Without a \
      calendar, all calendars of the configuration are read.

      Examples:

        epact occurrences work.ics --from 2026-11-01 --to 2026-12-01
        epact occurrences --from today --to +1w --where "has:attendee"
      """)

  @Argument(
    help: ArgumentHelp(
      "Names of the configuration, files, folders, or - for standard input.",
      valueName: "calendar"), completion: .calendars)
  var calendars: [String] = []

  @Option(
    help: ArgumentHelp(
      "Start at this date or time, such as 2026-11-01, 20261101T080000Z or tomorrow.",
      valueName: "A"))
  var from: String

  @Option(
    help: ArgumentHelp("End before this date or time.", valueName: "B"))
  var to: String

  @OptionGroup var zone: ZoneOption

  @Option(help: ArgumentHelp("Stop after this many occurrences.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Include cancelled occurrences.")
  var cancelled = false

  @OptionGroup var condition: WhereOption

  @OptionGroup var charset: CharsetOption

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let viewer = try context.viewerZone(zone.name)
    let start = try context.moment(from, option: "--from", in: viewer).instant(in: viewer)
    let end = try context.moment(to, option: "--to", in: viewer).instant(in: viewer)
    guard start <= end else { throw Failure(.usage, "expected --from before --to, found it after") }
    var request = ViewRequest(
      try context.inputs(calendars), in: start..<end, viewer: viewer)
    request.filter = try condition.matcher(in: context, viewer: viewer)
    request.options = calendarZone.options(charset.choice, in: context)
    request.includesCancelled = cancelled
    var view = try OccurrenceView(request, machine: context.machine) { console.report($0) }
    guard view.outcome != .nothing else { return .nothingDone }
    var iterator = view.occurrences().makeIterator()
    var count = 0
    while count < limit ?? .max, let occurrence = iterator.next() {
      count += 1
      try console.stream(occurrence.jsonLine)
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    for event in view.events(for: iterator.findings) { console.report(event) }
    return view.outcome.status
  }
}
