// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import Epact
import EpactConsole

/// `epact accounts`: the accounts of others for which a host runs syncs.
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "Host the syncs of many accounts.",
    discussion: """
      A host has "accounts-folder" in its configuration. Each account has a configuration, a due \
      time and the outcome of its last run in the ledger of the host, and a ledger of its own. Any \
      engine can run what is due:

        epact accounts list --due --names | epact sync --accounts -

      Every other command acts for one account with --hosted NAME.
      """,
    subcommands: [
      AccountsList.self, AccountsStatus.self, AccountsImport.self, AccountsExport.self,
      AccountsPause.self, AccountsResume.self, AccountsRemove.self,
    ],
    defaultSubcommand: AccountsList.self)
}

extension Context {
  /// The host of the configuration.
  ///
  /// - Throws: `EpactError` if the configuration is not that of a host; `ConfigurationError`.
  func host() throws -> AccountHost { try AccountHost(try configuration(), machine: machine) }
}

/// `epact accounts list`.
struct AccountsList: Command {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List accounts with their due times and last outcomes.")

  @Argument(help: ArgumentHelp("List only these accounts.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "List only accounts whose runs are due, the longest due first.")
  var due = false

  @Flag(help: "List only accounts whose last run failed.")
  var failing = false

  @Flag(help: "List only paused accounts.")
  var paused = false

  @Option(help: ArgumentHelp("List up to this many accounts.", valueName: "number"))
  var limit: Int?

  @Flag(name: .customLong("names"), help: "Print the names alone, one a line.")
  var isNames = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard [due, failing, paused, !names.isEmpty].count(where: \.self) <= 1 else {
      throw ValidationError("names, --due, --failing and --paused exclude each other")
    }
    guard limit ?? 1 > 0 else { throw ValidationError("--limit is a number from 1") }
    if isNames, json { throw ValidationError("--names and --json exclude each other") }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let choice: HostedAccountChoice =
      if due { .due(context.machine.now()) } else if failing { .failing } else if paused {
        .paused
      } else if names.isEmpty { .all } else { .named(Set(names)) }
    var table: [HostedAccount] = []
    try context.host().each(choice, limit: limit) { account in
      if isNames {
        context.console.write(Array("\(account.name)\n".utf8))
      } else if json {
        context.console.write(Array("\(account.json.line)\n".utf8))
      } else {
        table.append(account)
        table[table.count - 1].configuration = ""
      }
    }
    context.console.say(ColumnTable(table, on: context.machine).lines)
    if choice == .all, table.isEmpty, !isNames, !json {
      context.console.note(
        "There is no account. To add some: "
          + "\(SuggestedCommand("epact", "accounts", "import", operands: ["FOLDER"]))")
    }
    return .done
  }
}

/// `epact accounts status`.
struct AccountsStatus: Command {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print how many accounts are due, in order or failing.",
    discussion: """
      To see what one account waits for: epact status --hosted NAME. A database has the same \
      numbers in the view epact.fleet, and the due names in the view epact.due.
      """)

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let report = FleetReport(try context.host().counts(), on: context.machine)
    return context.console.write(report, asJSON: json)
  }
}
