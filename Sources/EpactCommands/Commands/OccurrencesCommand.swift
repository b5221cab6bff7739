// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
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

      With --lean, the objects are flat, and their members have fixed types, for DuckDB, Spark, Arrow \
      and other programs; start_utc and end_utc are points in time. --fields chooses the members, and \
      --schema prints their types in the language of such a program. The article "Bulk files" lists \
      the members.

      With --files-from, the paths come from a list of any length. Each of them is read separately, and \
      the order is that of the list. A file that cannot be read does not end the run.

      Problems are reported on standard error with their positions; the rest is listed. Without a \
      calendar, all calendars of the configuration are read.

      Examples:

        epact occurrences work.ics --from 2026-11-01 --to 2026-12-01
        epact occurrences tomorrow
        epact occurrences --from 2026-01-01 --to 2027-01-01 --csv > 2026.csv
        epact occurrences --from today --to +1w --where "has:attendee"
        epact occurrences --files-from list.txt --from 2026-01-01 --to 2027-01-01 --lean
      """)

  @OptionGroup var arguments: ViewArguments

  @Option(help: ArgumentHelp("Stop after this many occurrences.", valueName: "N"))
  var limit: Int?

  @Flag(help: "Include cancelled occurrences.")
  var cancelled = false

  @Flag(name: .customLong("csv"), help: "Write a table (RFC 4180) instead of JSON.")
  var isTable = false

  @OptionGroup var safety: SafeCSVOption

  @OptionGroup var rows: RowArguments

  @OptionGroup var list: FileListOption

  @OptionGroup var errors: ErrorsOption

  @OptionGroup var condition: WhereOption

  @OptionGroup var charset: CharsetOption

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if safety.safeCSV != nil, !isTable { throw ValidationError("--safe-csv requires --csv") }
    if rows.lean, isTable { throw ValidationError("--lean and --csv exclude each other") }
    if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let console = context.console
    errors.apply(to: console)
    let columns = try rows.columns(of: OccurrenceRow.schema)
    if let language = rows.schema {
      console.write(columns.text(in: language).utf8)
      return .done
    }
    var request = try arguments.request(in: context, limit: nil, isListed: list.isUsed)
    request.filter = try condition.matcher(in: context, viewer: request.viewer)
    request.options = arguments.calendarZone.options(charset.choice, in: context)
    request.includesCancelled = cancelled
    var output = Output(form: form(columns), rest: limit ?? .max, console: console)
    guard list.isUsed else { return try context.view(request) { try output.write($0) } }
    var paths = try list.open()
    var result = ListStatus()
    while output.rest > 0,
      let path = try paths.next({
        console.report($0)
        result.add(.nothingDone)
      })
    {
      request.inputs = [CalendarLocation(path: path)]
      result.add(try context.view(request) { try output.write($0) })
    }
    return result.status
  }

  private func form(_ columns: RowSchema<OccurrenceRow>) -> Output.Form {
    if isTable { return .table(isSafe: safety.isSafe) }
    return rows.lean ? .rows(columns) : .lines
  }
}

/// The output of occurrences in one form, from any number of views.
private struct Output {
  enum Form {
    case lines
    case table(isSafe: Bool)
    case rows(RowSchema<OccurrenceRow>)
  }

  let form: Form
  /// The number of occurrences that may follow.
  private(set) var rest: Int
  private let console: Console
  private var isFirst = true

  init(form: Form, rest: Int, console: Console) {
    (self.form, self.rest, self.console) = (form, rest, console)
  }

  /// Writes the occurrences of a view; returns the findings of the search.
  mutating func write(_ view: OccurrenceView) throws -> [OccurrenceFinding] {
    let (count, findings) =
      switch form {
      case .lines: try view.writeLines(limit: rest, to: console.stream)
      case .table(let isSafe):
        try view.writeTable(
          isSafe: isSafe, hasHeader: isFirst, limit: rest, to: console.stream)
      case .rows(let schema): try view.writeRows(schema, limit: rest, to: console.stream)
      }
    isFirst = false
    rest -= count
    return findings
  }
}
