// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import Epact

/// `epact convert`: writes calendars in another format.
struct ConvertCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write calendars in another form.",
    discussion: """
      Reads iCalendar, jCal and vCalendar 1.0, whatever the files are called. The forms to \
      write are:

        ics     iCalendar, with CRLF line ends and lines folded at 75 octets
        jcal    jCal, iCalendar as JSON (RFC 7265)
        ndjson  one JSON object a line for each event, reminder or other component
        csv     one row for each of them (RFC 4180)

      Faults are named with their place on standard error, and do not keep the rest from being \
      converted. A file is written at once or not at all.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files, folders, or - for standard input, which is read if there are none.",
      valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("The form to write.", valueName: "form"))
  var to: CalendarForm

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write to, instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @Flag(
    name: .customLong("safe-csv"),
    help: "Put an apostrophe before what a spreadsheet would take for a formula.")
  var isSafeCSV = false

  @Flag(
    name: .customLong("canonical"),
    help:
      "Write iCalendar in one spelling for all that say the same, sorted, as comparing wants it.")
  var isCanonical = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !isSafeCSV || to == .csv else {
      throw ValidationError("--safe-csv goes with --to csv")
    }
    guard !isCanonical || to == .ics else {
      throw ValidationError("--canonical goes with --to ics")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    guard let output, output != "-" else {
      return try convert(in: context) { bytes in
        context.console.write(bytes)
        guard !context.console.isBroken else { throw CancellationError() }
      }.status
    }
    let file = try AtomicFile(
      replacing: context.paths.absolute(output), permissions: .shared)
    let outcome = try convert(in: context) { try file.write($0) }
    guard outcome.status != .nothingDone else { return outcome.status }
    try file.commit()
    context.console.note("\(Count(outcome.components, "component")) written to \(output).")
    return outcome.status
  }

  private func convert(
    in context: Context, to sink: ([UInt8]) throws -> Void
  ) throws -> Converter.Outcome {
    var converter = Converter(
      to: to.makeWriter(isSafeCSV: isSafeCSV, isCanonical: isCanonical), charset: charset,
      zones: calendarZone.zones(in: context), console: context.console)
    let sources = InputFiles.find(files.isEmpty ? ["-"] : files) { path, error in
      converter.cannotRead(path, "\(error)")
    }
    for source in sources { try converter.take(source, to: sink) }
    return try converter.finish(to: sink)
  }
}
