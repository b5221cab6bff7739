// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact occurrences`: writes the occurrences in a range of time as JSON.
struct OccurrencesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "occurrences",
    abstract: "List the occurrences in a range of time, as JSON or as a table.",
    discussion: """
      Recurring items are expanded, with their overrides. By default, each occurrence is one JSON \
      object a line, with these members:

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

      With --csv, each occurrence is a row for a spreadsheet (RFC 4180): start, end, all_day, \
      summary, location, calendar, status, categories, description, url, kind, uid and \
      recurrence_id. All times are in the zone of --zone, as 2026-11-24 09:00:00.

      An occurrence is listed if it takes place at any time in the range, even if it began before \
      it. The order is by start, then whole days first, then by end, by UID and further \
      criteria; the order of the files has no effect. Cancelled occurrences are omitted without \
      --cancelled.

      Problems are reported on standard error with their positions; the rest is listed. Without a \
      calendar, all calendars of the configuration are read.

      Examples:

        epact occurrences work.ics --from 2026-11-01 --to 2026-12-01
        epact occurrences tomorrow
        epact occurrences --from 2026-01-01 --to 2027-01-01 --csv > 2026.csv
        epact occurrences --from today --to +1w --where "has:attendee"
      """)

  @OptionGroup var arguments: ViewArguments

  @Option(help: ArgumentHelp("Stop after this many occurrences.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Include cancelled occurrences.")
  var cancelled = false

  @Flag(name: .customLong("csv"), help: "Write a table (RFC 4180) instead of JSON.")
  var isTable = false

  @OptionGroup var safety: SafeCSVOption

  @OptionGroup var condition: WhereOption

  @OptionGroup var charset: CharsetOption

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if safety.safeCSV != nil, !isTable { throw ValidationError("--safe-csv requires --csv") }
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    var request = try arguments.request(in: context, limit: nil)
    request.filter = try condition.matcher(in: context, viewer: request.viewer)
    request.options = arguments.calendarZone.options(charset.choice, in: context)
    request.includesCancelled = cancelled
    return try context.view(request) { view in
      guard !isTable else {
        return try view.writeTable(isSafe: safety.isSafe, limit: limit ?? .max) {
          try console.stream($0)
        }.findings
      }
      var iterator = view.occurrences().makeIterator()
      var count = 0
      while count < limit ?? .max, let occurrence = iterator.next() {
        count += 1
        try console.stream(occurrence.jsonLine)
        if count % 1024 == 0 { try Task.checkCancellation() }
      }
      return iterator.findings
    }
  }
}
