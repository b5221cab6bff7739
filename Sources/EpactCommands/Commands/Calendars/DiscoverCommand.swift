// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact discover`: shows which calendars of accounts are where.
struct DiscoverCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "discover",
    abstract: "Show the calendars of accounts, here and there.",
    discussion: """
      Lists the calendars of each [[sync]] with an account, in its folder and on the server, and \
      what the next sync does with each. Nothing is changed. Access has to be granted first.
      """)

  @Argument(
    help: ArgumentHelp("List only the accounts of these syncs.", valueName: "sync"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let listings = try await AccountCalendars(
      try context.configuration(), machine: context.machine, log: context.log
    ).list(names)
    let report = AccountReport(listings, ProgramRemedies())
    let status = context.console.write(report, asJSON: json)
    if json { context.console.write(report.failures) }
    if listings.isEmpty, !json {
      context.console.note(
        "There is no [[sync]] with an account in the configuration. To add one: "
          + "\(SuggestedCommand.initialize)")
    }
    return status
  }
}
