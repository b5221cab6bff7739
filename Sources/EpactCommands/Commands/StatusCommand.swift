// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact

/// `epact status`: shows the state of each sync.
struct StatusCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how each sync stands.",
    discussion: """
      For each sync of the configuration: when it last ran and how that ended, what was granted, how many \
      items both sides hold, what waits for a person, which items could not be dealt with and when \
      they are tried again. Nothing is contacted. The exit status is what the last run would give \
      now: 1 while items fail, 3 while conflicts wait.
      """)

  @Argument(
    help: ArgumentHelp("The syncs to show, instead of all of them.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let syncs = try configuration.syncs(named: names)
    let ledger = try State(machine: context.machine, isReadOnly: true).openLedger()
    let attempts = try await ledger.attempts()
    var found: [SyncStatus] = []
    for sync in syncs {
      let status = try await SyncStatus(
        of: sync, configuration: configuration, ledger: ledger,
        attempt: attempts.first { $0.sync == sync.name }, in: context)
      found.append(status)
    }
    let exit = ExitStatus.worst(of: found.map(\.exit))
    if json {
      context.console.write([
        "syncs": .array(found.map(\.json)), "exit": .integer(Int(exit.rawValue)),
      ])
    } else {
      for line in found.flatMap(\.lines) { context.console.show(line) }
      if found.isEmpty {
        context.console.note(
          "There is no [[sync]] in the configuration. To make one: \(SuggestedCommand.initialize)")
      }
    }
    return exit
  }
}
