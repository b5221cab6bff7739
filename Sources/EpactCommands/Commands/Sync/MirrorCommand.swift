// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact mirror`: updates the calendars that show what others may see of other calendars.
struct MirrorCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "mirror",
    abstract: "Update the calendars that mirror others.",
    discussion: """
      Runs the [[mirror]]s of the configuration. Each shows what others may see of some calendars in \
      a calendar of its own: everything, titles, or busy time. No server is contacted; a sync of \
      that calendar sends it, and runs the mirror first. Items that a mirror did not make are never \
      changed. A run is in the history, and "epact undo" takes it back.
      """)

  @Argument(
    help: ArgumentHelp("Run only these mirrors.", valueName: "name"), completion: .syncNames)
  var names: [String] = []

  @Flag(name: .customLong("dry-run"), help: "Print the planned changes; write nothing.")
  var isDryRun = false

  @Option(
    help: ArgumentHelp("Allow up to this many deletions in this run.", valueName: "number"))
  var allowDelete: Int?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    var options = SyncSet.Options()
    options.isDryRun = isDryRun
    options.allowedDeletions = allowDelete ?? 0
    let set = try context.mirrors(names, options)
    if allowDelete != nil, set.syncs.count > 1 {
      throw Failure(.usage, "--allow-delete is for one mirror at a time")
    }
    return try await context.run(set, json ? .json : .text)
  }
}
