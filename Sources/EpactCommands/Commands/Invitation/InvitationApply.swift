// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import EpactConsole

/// `epact invitation apply`: applies the messages of mails to the user's calendars.
struct InvitationApply: Command {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply the messages of mails to calendars.",
    discussion: """
      Applies each message to the event that it concerns, by SEQUENCE and DTSTAMP, as `epact \
      import` does: REQUEST and PUBLISH store a newer version, REPLY changes the answer of one \
      attendee, ADD adds an occurrence, CANCEL cancels. REFRESH, COUNTER and DECLINECOUNTER need a \
      decision of the user; they are reported and change nothing. An older message changes \
      nothing. A message that cannot be applied is rejected, and the status is 1.
      """)

  @Argument(
    help: ArgumentHelp("Mails, iCalendar files, or - for standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Use this calendar: a name of the configuration, a folder, or a file that ends in .ics. By "
        + "default it is the one that has the event, or the one for new events.",
      valueName: "calendar"), completion: .calendars)
  var calendar: String?

  @Flag(name: .customLong("dry-run"), help: "Print the changes, and write nothing.")
  var isDryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let calendars = try context.invitationCalendars(chosen: calendar)
    let historyDays = try context.configuration().historyDays
    context.warnAboutFallback()
    let mails = try files.map { file in
      // The import reports the problems of the calendars.
      try ReceivedMail(reading: FileSource(path: file)) { _ in }
    }
    let destinations = try await calendars.destinations(of: mails)
    let label = destinations.count == 1 ? destinations.first?.calendar.name : nil
    var report = ImportReport(
      console: context.console, label: label, isDryRun: isDryRun, asJSON: json)
    var total = ImportSummary()
    for (calendar, sources) in destinations {
      var request = ImportRequest(sources: sources, into: calendar, isDryRun: isDryRun)
      request.historyDays = historyDays
      total += try await CalendarImport.run(request, machine: context.machine) { report.take($0) }
    }
    return report.end(total)
  }
}
