// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact status`: shows the state of each sync.
struct StatusCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of each sync.",
    discussion: """
      Shows for each sync of the configuration: the time and the outcome of its last run, the \
      granted access, the number of items on both sides, pending conflicts, and failed items with \
      the time of the next attempt. Copies of mirrors that the configuration no longer has are \
      reported, too. No server is contacted. The exit status is that of the last \
      run as of now: 1 while items fail, 3 while conflicts are pending.
      """)

  @Argument(
    help: ArgumentHelp("Show only these syncs.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let set = try SyncSet(
      try context.configuration(), names: names, machine: context.machine)
    let leftCopies = names.isEmpty ? try await set.leftCopies() : []
    let report = StatusReport(try await set.status(), leftCopies, ProgramRemedies())
    let status = context.console.write(report, asJSON: json)
    if report.isEmpty, !json { context.noteMissing("[[sync]]", to: "make") }
    return status
  }
}
