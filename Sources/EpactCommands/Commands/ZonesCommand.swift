// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CivilTime
import Epact
import EpactConsole

/// `epact zones`: shows time zones, and resolves time zone names.
struct ZonesCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "zones",
    abstract: "Show time zones, and resolve time zone names.",
    discussion: """
      Without a name, prints the source of the time zones, and the name and the current time of \
      each zone. With names, prints how each is resolved, as in files, and the next changes of its \
      clocks; a name that cannot be resolved is an error with a reason.

      With --file, prints how each TZID of a file is resolved, and where the file's own definition \
      (VTIMEZONE) differs for the times in use. Exits with status 4 if a definition differs or a \
      TZID cannot be resolved.

      A change is printed as the UTC time, and the offsets before and after it.

      Time zones are read from the folder of --zoneinfo, an option of every command, otherwise \
      from $TZDIR or from the system. If there are none, and with --zoneinfo ICU, those of ICU are \
      used, which are often out of date.
      """)

  @Argument(help: ArgumentHelp("Names of time zones.", valueName: "tzid"), completion: .zoneNames)
  var names: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report on the time zones of this file, folder, or - for standard input (repeatable).",
      valueName: "file"), completion: .file())
  var file: [String] = []

  @OptionGroup var charset: CharsetOption

  @Option(
    help: ArgumentHelp(
      "Use this time instead of the current one, in UTC or with an offset.", valueName: "time"))
  var at: String?

  @Option(help: "Print this many changes of the clocks.")
  var next = 4

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if !file.isEmpty, !names.isEmpty {
      throw ValidationError("names and --file exclude each other")
    }
    guard 0...1000 ~= next else { throw ValidationError("--next is a number from 0 through 1000") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let now =
      try at.map { try context.arguments.moment($0, option: "--at", in: .utc).instant(in: .utc) }
      ?? context.machine.now()
    context.warnAboutFallback()
    let run = ZoneRun(context.machine, at: now, context.console, asJSON: json, ProgramRemedies())
    guard file.isEmpty else { return try run.report(on: file, charset: charset.choice) }
    return names.isEmpty ? run.list() : run.explain(names, changes: next)
  }
}
