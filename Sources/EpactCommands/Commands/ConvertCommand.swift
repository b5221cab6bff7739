// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import Epact
import EpactConsole

/// `epact convert`: writes calendars in another format.
struct ConvertCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert calendars to another format.",
    discussion: """
      Reads iCalendar, jCal and vCalendar 1.0, whatever the files are called. The output formats \
      are:

        ics     iCalendar, with CRLF line ends and lines folded at 75 octets
        jcal    jCal, iCalendar as JSON (RFC 7265)
        ndjson  one JSON object a line for each event, reminder or other component
        csv     one row for each of them (RFC 4180)

      Problems are reported on standard error with their positions; the rest is converted. An \
      output file is written completely or not at all.
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

  @Option(help: ArgumentHelp("Write this format.", valueName: "form"))
  var to: Form

  @OptionGroup var output: OutputOption

  @OptionGroup var charset: CharsetOption

  @Flag(
    name: .customLong("safe-csv"),
    help: "Put an apostrophe before text that a spreadsheet would take for a formula.")
  var isSafeCSV = false

  @Flag(
    name: .customLong("canonical"), help: "Write iCalendar in canonical form, for comparison.")
  var isCanonical = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !isSafeCSV || to == .csv else {
      throw ValidationError("--safe-csv requires --to csv")
    }
    guard !isCanonical || to == .ics else {
      throw ValidationError("--canonical requires --to ics")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
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

  private var form: CalendarForm {
    switch to {
    case .ics: isCanonical ? .canonical : .iCalendar
    case .jcal: .jCal
    case .ndjson: .ndjson
    case .csv: .csv(isSafe: isSafeCSV)
    }
  }

  private func convert(
    _ conversion: inout FileConversion, in context: Context, to sink: FileConversion.Sink
  ) async throws {
    let sources = FileSource.find(files.isEmpty ? ["-"] : context.paths(files)) {
      conversion.take($0)
    }
    try await conversion.convert(sources, cores: context.process.coreCount, to: sink)
  }
}
