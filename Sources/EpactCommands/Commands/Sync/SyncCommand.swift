// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarSync
import Epact
import EpactConsole

/// `epact sync`: synchronizes local calendars with remotes.
struct SyncCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronize calendars with remotes, as configured.",
    discussion: """
      Runs the syncs of the configuration, concurrently unless two share a calendar or a remote. \
      Nothing is sent to a remote without a grant. On a terminal, a bar shows the progress, and \
      the user is asked about remotes without a decision. If several syncs end differently, the \
      exit status is the first of these that occurs: \
      \(ExitStatus.gravest.map { String($0.rawValue) }.joined(separator: ", ")).
      """)

  @Argument(
    help: ArgumentHelp("Run only these syncs.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(
    name: .customLong("dry-run"),
    help: "Print the planned changes; write nothing, and send only requests that read.")
  var isDryRun = false

  @Flag(
    name: .customLong("verify"),
    help: "Compare full contents, titles and colours instead of ETags and timestamps.")
  var isVerifying = false

  @Option(
    help: ArgumentHelp(
      "Allow up to this many deletions in this run.", valueName: "number"))
  var allowDelete: Int?

  @Flag(
    name: .customLong("accept-restored"),
    help: """
      Take the versions of a remote or a local calendar that was restored from a backup; without \
      it, the guard stops the sync.
      """)
  var acceptsRestored = false

  @Option(
    help: ArgumentHelp(
      "Run up to this many syncs at a time; with --accounts, this many accounts.",
      valueName: "number"))
  var jobs = 4

  @Option(
    help: ArgumentHelp(
      "Sync the accounts with the names in this file, one a line; - is standard input. Print one "
        + "line of JSON for each name when its account is synced.", valueName: "file"),
    completion: .file())
  var accounts: String?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs is a number from 1") }
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
    guard accounts != nil else { return }
    if !names.isEmpty { throw ValidationError("--accounts and names of syncs exclude each other") }
    if allowDelete != nil || acceptsRestored {
      throw ValidationError(
        "--allow-delete and --accept-restored are for one account; use --hosted NAME")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    var options = SyncSet.Options()
    options.isDryRun = isDryRun
    options.isVerifying = isVerifying
    options.allowedDeletions = allowDelete ?? 0
    options.jobs = jobs
    if acceptsRestored { options.rollback = .accept }
    if let accounts { return try await sync(accounts, options, context) }
    let set = try context.syncs(names, options)
    try expectOneSync(in: set)
    if !isDryRun, !json, context.console.canAsk {
      try await set.askForAccess(context.console)
    }
    return try await context.run(set, json ? .json : .text)
  }

  /// Syncs hosted accounts; the exit status is 0 if each name was answered, whatever the answers are.
  private func sync(
    _ list: String, _ options: SyncSet.Options, _ context: Context
  ) async throws -> ExitStatus {
    let names = try NameLines(FileSource(path: list))
    var options = options
    options.jobs = 1
    let host = try context.host()
    try await HostedSync(of: host, jobs: jobs, options, log: context.log).run {
      try await names.next()
    } _: { answer in
      context.console.writeLine(answer.json)
    }
    return .done
  }

  /// Checks that options for one sync are not used for several.
  private func expectOneSync(in set: SyncSet) throws(Failure) {
    guard set.syncs.count > 1 || !set.accounts.isEmpty else { return }
    let first = set.syncs.first?.name
    let options: [(String, SuggestedCommand?)?] = [
      allowDelete.map { count in
        ("--allow-delete", first.map { .sync($0, allowDelete: count) })
      },
      acceptsRestored ? ("--accept-restored", first.map { .syncAcceptingRestored($0) }) : nil,
    ]
    guard let (option, command) = options.compactMap(\.self).first else { return }
    throw Failure(
      .usage, "\(option) is for one sync at a time", hint: command.map { "Name it: \($0)" })
  }
}
