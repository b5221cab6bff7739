// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CalendarStore
import CivilTime
import Epact
import EpactConsole

/// `epact convert`: writes calendars in another format.
struct ConvertCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert calendars to another format.",
    usage: "epact convert [<options>] [<file> ...] --to <form>",
    discussion: """
      Reads iCalendar, jCal and vCalendar 1.0, whatever the files are called. The output formats \
      are:

        ics     iCalendar, with CRLF line ends and lines folded at 75 octets
        jcal    jCal, iCalendar as JSON (RFC 7265)
        ndjson  one JSON object a line for each event, reminder or other component
        csv     one row for each of them (RFC 4180)

      With --occurrences, csv has one row for each occurrence between --from and --until instead, \
      for a spreadsheet; see epact occurrences --csv.

      With --lean, ndjson has flat objects with members of fixed types, for DuckDB, Spark, Arrow and \
      other programs. --fields chooses the members, and --schema prints their types in the language \
      of such a program. The article "Bulk files" lists the members.

      With --files-from, the paths come from a list of any length. A file that cannot be read does \
      not end the run.

      Problems are reported on standard error with their positions; the rest is converted. An \
      output file is written completely or not at all.

      Examples:

        epact convert work.ics --to jcal -o work.json
        epact convert work --to csv --occurrences --from today --until +8w
        find mails -name '*.ics' -print0 | epact convert --files-from - --to ndjson --lean
        epact convert --schema duckdb > components.sql
      """)

  /// A name of an output format.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case ics, jcal, ndjson, csv
  }

  @Argument(
    help: ArgumentHelp(
      "Files, folders, names of the configuration, or - for standard input, which is the default.",
      valueName: "file"), completion: .calendars)
  var files: [String] = []

  @OptionGroup var list: FileListOption

  @Option(
    help: ArgumentHelp("Write this format: ics, jcal, ndjson or csv.", valueName: "form"),
    completion: .list(Form.allCases.map(\.rawValue)),
    transform: word("ics, jcal, ndjson or csv; a range of occurrences ends with --until"))
  var to: Form?

  @OptionGroup var rows: RowArguments

  @OptionGroup var output: OutputOption

  @OptionGroup var errors: ErrorsOption

  @OptionGroup var charset: CharsetOption

  @OptionGroup var safety: SafeCSVOption

  @Flag(help: "Write a row for each occurrence in a range of time.")
  var occurrences = false

  @Option(
    help: ArgumentHelp(
      "Start the range of --occurrences at this date or time.", valueName: "date"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "End the range of --occurrences before this date or time.", valueName: "date"))
  var until: String?

  @OptionGroup var zone: ZoneOption

  @Flag(
    name: .customLong("canonical"), help: "Write iCalendar in canonical form, for comparison.")
  var isCanonical = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try list.validate(without: files)
    guard rows.schema == nil || (files.isEmpty && !list.isUsed) else {
      throw ValidationError("--schema reads no file")
    }
    guard to != nil || rows.schema != nil else {
      throw ValidationError("expected --to ics, jcal, ndjson or csv, found none")
    }
    guard !rows.lean || to == .ndjson else {
      throw ValidationError("--lean requires --to ndjson")
    }
    guard !occurrences || !list.isUsed else {
      throw ValidationError("--occurrences and --files-from exclude each other")
    }
    guard !occurrences || to == .csv else {
      throw ValidationError("--occurrences requires --to csv")
    }
    guard !occurrences || (from != nil && until != nil) else {
      throw ValidationError("--occurrences requires --from and --until")
    }
    guard occurrences || (from == nil && until == nil && zone.name == nil) else {
      throw ValidationError("--from, --until and --zone belong to --occurrences")
    }
    guard safety.safeCSV == nil || to == .csv else {
      throw ValidationError("--safe-csv requires --to csv")
    }
    guard !isCanonical || to == .ics else {
      throw ValidationError("--canonical requires --to ics")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    errors.apply(to: context.console)
    if occurrences { return try expand(in: context) }
    let columns = try rows.columns(of: ComponentRow.schema)
    if let language = rows.schema {
      context.console.write(columns.text(in: language).utf8)
      return .done
    }
    let form = form(columns)
    var conversion = FileConversion(
      to: form, options: calendarZone.options(charset.choice, in: context)
    ) { context.console.report($0) }
    guard let path = output.path else {
      try await convert(&conversion, in: context) { try context.console.stream($0) }
      return conversion.outcome.status
    }
    let file = try AtomicFile(replacing: context.paths.absolute(path), permissions: .shared)
    try await convert(&conversion, in: context) { try file.write($0) }
    guard conversion.outcome != .nothing else { return .nothingDone }
    try file.commit()
    context.console.note("\(Count(conversion.componentCount, "component")) written to \(path).")
    return conversion.outcome.status
  }

  private func form(_ columns: RowSchema<ComponentRow>) -> CalendarForm {
    switch to {
    case .ics, nil: isCanonical ? .canonical : .iCalendar
    case .jcal: .jCal
    case .ndjson: rows.lean ? .lean(columns) : .ndjson
    case .csv: .csv(isSafe: safety.isSafe)
    }
  }

  /// Writes the occurrences of the range as a table.
  private func expand(in context: Context) throws -> ExitStatus {
    let viewer = try context.viewerZone(zone.name)
    let bounds = try [("--from", from), ("--until", until)].map { option, text in
      try context.arguments.moment(text ?? "", option: option, in: viewer).instant(in: viewer)
    }
    guard bounds[0] <= bounds[1] else {
      throw Failure(.usage, "expected --from before --until, found it after")
    }
    var request = ViewRequest(
      try context.arguments.locations(files.isEmpty ? ["-"] : files), in: bounds[0]..<bounds[1],
      viewer: viewer)
    request.options = calendarZone.options(charset.choice, in: context)
    request.indexedPaths = context.indexedPaths
    let console = context.console
    return try context.view(request) { view in
      guard let path = output.path else {
        return try view.writeTable(isSafe: safety.isSafe) { try console.stream($0) }.findings
      }
      let file = try AtomicFile(replacing: context.paths.absolute(path), permissions: .shared)
      let table = try view.writeTable(isSafe: safety.isSafe) { try file.write($0) }
      try file.commit()
      console.note("\(Count(table.count, "occurrence")) written to \(path).")
      return table.findings
    }
  }

  private func convert(
    _ conversion: inout FileConversion, in context: Context, to sink: FileConversion.Sink
  ) async throws {
    guard !list.isUsed else {
      var paths = try list.open()
      return try await conversion.convertAll(
        in: &paths, cores: context.process.coreCount, to: sink)
    }
    let sources = FileSource.find(files.isEmpty ? ["-"] : context.paths(files), needsFiles: true) {
      conversion.take($0)
    }
    try await conversion.convert(sources, cores: context.process.coreCount, to: sink)
  }
}
