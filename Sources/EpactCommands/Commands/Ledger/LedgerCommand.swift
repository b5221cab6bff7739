// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact ledger`: copies the ledger to another place.
struct LedgerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger",
    abstract: "Copy the ledger to a database, or back to a file.",
    discussion: """
      The ledger has the grants, the history, the conflicts and what the syncs know of both sides. \
      It is a file of the state folder, unless "ledger" in the configuration names a database that \
      several machines share.
      """,
    subcommands: [LedgerCopyCommand.self])
}

/// `epact ledger copy`.
struct LedgerCopyCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy the file into the database, or back.",
    discussion: """
      Everything is copied, or nothing. The place to which it is copied has no rows before. To move \
      to a database, add "ledger" and "ledger-account" to the configuration, and copy the file; \
      the syncs then go on where they were. To move back, copy the database with --to-file, and \
      remove the keys from the configuration. What is copied stays where it was, too, and is not \
      used any more.
      """)

  @Flag(help: "Copy the database of the configuration into the file of the state folder.")
  var toFile = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let place = try LedgerCopying(of: try context.configuration(), machine: context.machine)
    let count = try await place.copy(toFile: toFile)
    context.console.say("\(Count(count, "row")) copied to \(toFile ? place.file : place.database).")
    if toFile {
      context.console.note("It is used when the configuration has no \"ledger\" any more.")
    }
    return .done
  }
}
