// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact import`: adds the items of files to a calendar, and updates existing ones.
struct ImportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the items of iCalendar files into a calendar.",
    discussion: """
      Items are matched by UID: new items are added, changed ones updated, older ones skipped. \
      Importing a file again changes nothing. Problems are reported with their positions; the rest \
      is imported. Reminders are not added to a calendar for events only, nor events to a list of \
      reminders. The reply names an item without a readable time, which no view by days shows. An \
      import is a run in `epact history`, and `epact undo` undoes it.

      A ZIP archive, such as an export of Google Takeout, is imported as the files in it. One of them \
      is named by a path such as Takeout.zip/Takeout/Calendar/Family.ics, so that each can be \
      imported into a calendar of its own. A folder is imported with all calendar files in it, also \
      an archive of Calendar on a Mac (.icbu), if it has files.

      A calendar with a METHOD is a scheduling message (iTIP, RFC 5546) and is applied to the item \
      that it concerns: PUBLISH and REQUEST store a newer version, REPLY changes the answer of one \
      attendee, ADD adds an occurrence, CANCEL cancels. REFRESH, COUNTER and DECLINECOUNTER change \
      nothing and are reported. A message that cannot be applied is rejected, and the status is 1.

      A mail is read with its calendars. A message is rejected if the mail is not from the person \
      who may send it, or if the calendar has another organizer; see --trust-sender.
      """)

  @OptionGroup var input: InputFiles

  @Option(
    help: ArgumentHelp(
      "Import into this calendar: a name of the configuration, a folder, "
        + "or a file that ends in .ics.",
      valueName: "calendar"), completion: .calendars)
  var into: String?

  @Flag(name: .customLong("dry-run"), help: "Print the changes, and write nothing.")
  var isDryRun = false

  @OptionGroup var trust: TrustOption

  @OptionGroup var charset: CharsetOption

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var calendarZone: CalendarZoneOption

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    guard into != nil || isDryRun else {
      throw Failure(.usage, "expected --into CALENDAR, which only --dry-run can omit")
    }
    let calendar = try into.map { try context.arguments.location($0, isWritten: true) }
    let kinds = try calendar.flatMap { try context.library.addableKinds(at: $0) }
    context.warnAboutFallback()
    var request = ImportRequest(
      context.paths(input.files), into: calendar, isDryRun: isDryRun,
      options: calendarZone.options(charset.choice, in: context))
    request.kinds = kinds
    request.isConfirmed = trust.trustsSender
    request.userAddresses = (try? context.library.userAddresses()) ?? []
    if !isDryRun { request.historyDays = try context.configuration().historyDays }
    let report = try context.importReport(
      into: calendar?.name, isDryRun: isDryRun, asJSON: json)
    return context.end(try await context.run(request, for: report))
  }
}

/// The option `--trust-sender`.
struct TrustOption: ParsableArguments {
  @Flag(
    name: .customLong("trust-sender"),
    help: ArgumentHelp(
      "Trust messages whose sender or organizer is not the expected one. On a terminal, the command "
        + "asks without this option."))
  var trustsSender = false
}

extension Context {
  /// An empty report of an import.
  func importReport(into label: String?, isDryRun: Bool, asJSON: Bool) throws -> ImportReport {
    ImportReport(
      into: label, isDryRun: isDryRun, asJSON: asJSON,
      LibraryEditor(library, viewer: try viewerZone(nil)))
  }

  /// Runs an import, and prints its events.
  ///
  /// - Returns: The report with the items of the import.
  func run(_ request: ImportRequest, for report: ImportReport) async throws -> ImportReport {
    var report = report
    report.summary += try await CalendarImport.run(
      request, machine: machine, prompt: console
    ) {
      console.write(report.take($0, ProgramRemedies()))
    }
    return report
  }

  /// Prints the totals of imports.
  func end(_ report: ImportReport) -> ExitStatus {
    let status = console.write(report, asJSON: report.asJSON)
    if report.hasUnconfirmed { console.report("  \(Failure.hint(.confirmSender))") }
    return status
  }
}
