// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import ICalSyntax

/// `epact import`: adds the items of files to a calendar, and updates existing ones.
struct ImportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add the items of iCalendar files to a calendar.",
    discussion: """
      Items are matched by UID: new ones are added, changed ones updated, older ones left alone. \
      Importing a file again changes nothing. Faults are named with their place, and do not keep \
      the rest from being imported. What was imported is a run in `epact history`, and `epact undo` \
      takes it back.

      A calendar with a METHOD is a scheduling message (iTIP, RFC 5546) and is applied to the item it \
      is about: PUBLISH and REQUEST store a newer version, REPLY changes the answer of one attendee, \
      ADD adds an occurrence, CANCEL cancels. REFRESH, COUNTER and DECLINECOUNTER change nothing and \
      are reported. A message that cannot be applied is rejected, and the status is 1.
      """)

  @Argument(
    help: ArgumentHelp("Files, folders, or - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The calendar: a name of the configuration, a folder, or a file that ends in .ics.",
      valueName: "calendar"), completion: .calendars)
  var into: String?

  @Flag(name: .customLong("dry-run"), help: "Tell what would be done, and write nothing.")
  var isDryRun = false

  @Option(
    help: ArgumentHelp(
      "The charset of files that are not UTF-8, or auto to find it out.", valueName: "name"))
  var charset: CharsetChoice?

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard into != nil || isDryRun else {
      throw ValidationError("--into CALENDAR tells where to; with --dry-run it can be left out")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let place = try into.map { try context.calendarPlace($0) }
    if let place, place.exists { try Self.expectWritable(place) }
    // The ledger is opened before the first write, so that every import can be undone.
    let ledger =
      isDryRun
      ? nil
      : try State(machine: context.machine, isReadOnly: false)
        .openLedger(historyDays: try context.configuration().historyDays)
    let target = try await ImportTarget(place, ledger: ledger, now: context.machine.now)
    let run = target.run
    var report = ImportReport(console: context.console, isDryRun: isDryRun, asJSON: json)
    for entry in target.unreadable {
      context.console.warn("\(place?.label ?? "")/\(entry.name): \(entry.reason)")
    }
    let sources = InputFiles.find(files) { path, error in
      report.cannotRead(path, "\(error)")
    }
    var importer = Importer(
      into: target, report: report, charset: charset, usesCalendarZone: calendarZone.isUsed,
      in: context)
    for source in sources { try importer.take(source) }
    do {
      try await importer.write()
    } catch {
      // Rethrow the original error, not an error of the end of the run.
      try? await run?.end()
      throw error
    }
    try await run?.end()
    return importer.report.end(into: place?.label)
  }

  private static func expectWritable(_ place: CalendarLocation) throws(Failure) {
    let errors = SavingRules().errors(
      saving: .event, in: SavingPlace(store: place.path, isReadOnly: place.isReadOnly))
    if let error = errors.first { throw Failure(.nothingDone, "\(place.label): \(error)") }
  }
}
