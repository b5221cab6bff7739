// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact accounts import`.
struct AccountsImport: Command {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add accounts, or change their configurations.",
    discussion: """
      Each file is the configuration of one account, which has the name of the file: ana.toml. All \
      files are checked before any is stored. In it, ~ is the account's own folder in \
      "accounts-folder"; paths outside of it, passwords and commands are refused. The folders of \
      the calendars of a new account are made.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files, or folders with files whose names end in .toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Run the syncs at this interval, such as 6h. The default is 1d for new accounts.",
      valueName: "span"))
  var every: TimeSpan?

  @Option(
    name: .customLong("grant-for"),
    help: ArgumentHelp(
      "Grant each remote without a decision the access that its syncs need, for this purpose.",
      valueName: "purpose"))
  var purpose: String?

  @Flag(name: .customLong("dry-run"), help: "Check the files; store nothing.")
  var isDryRun = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let summary = try await AccountImport(
      into: try context.host(), interval: every?.seconds, purpose: purpose, isDryRun: isDryRun
    ).run(files.map(context.paths.absolute))
    var parts = [
      "\(Count.grouped(summary.added)) added", "\(Count.grouped(summary.changed)) changed",
      "\(Count.grouped(summary.unchanged)) unchanged",
    ]
    if summary.granted > 0 { parts.append("\(Count(summary.granted, "grant"))") }
    let suffix = isDryRun ? " (dry run, nothing was stored)" : ""
    context.console.say("\(parts.joined(separator: ", "))\(suffix).")
    return .done
  }
}

/// `epact accounts export`.
struct AccountsExport: Command {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the configurations of accounts to files.",
    discussion: "Each file has the name of its account, and can be imported again.")

  @Argument(
    help: ArgumentHelp("The folder for the files.", valueName: "folder"), completion: .directory)
  var folder: String

  @Argument(help: ArgumentHelp("Write only these accounts.", valueName: "name"))
  var names: [String] = []

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let path = context.paths.absolute(folder)
    let count = try context.host().export(names.isEmpty ? .all : .named(Set(names)), to: path)
    context.console.say("\(Count(count, "file")) written to \(path).")
    return .done
  }
}

/// `epact accounts pause`.
struct AccountsPause: Command {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Keep accounts from being due and from being synced.")

  @Argument(help: ArgumentHelp("The accounts.", valueName: "name"))
  var names: [String]

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try context.host().setPaused(true, names)
    context.console.say("Paused: \(names.joined(separator: ", ")).")
    return .done
  }
}

/// `epact accounts resume`.
struct AccountsResume: Command {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let paused accounts be due again.")

  @Argument(help: ArgumentHelp("The accounts.", valueName: "name"))
  var names: [String]

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try context.host().setPaused(false, names)
    context.console.say("Resumed: \(names.joined(separator: ", ")).")
    return .done
  }
}

/// `epact accounts remove`.
struct AccountsRemove: Command {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove accounts from the host.",
    discussion: """
      The ledgers and the folders of the accounts stay, so that an account that is imported again \
      goes on where it was.
      """)

  @Argument(help: ArgumentHelp("The accounts.", valueName: "name"))
  var names: [String]

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    try context.host().remove(names)
    context.console.say("Removed: \(names.joined(separator: ", ")).")
    return .done
  }
}
