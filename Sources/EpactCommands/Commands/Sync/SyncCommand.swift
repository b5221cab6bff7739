// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CalendarModel
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
    help: "Compare full contents instead of ETags and timestamps.")
  var isVerifying = false

  @Option(
    help: ArgumentHelp(
      "Allow up to this many deletions in this run.", valueName: "number"))
  var allowDelete: Int?

  @Option(help: ArgumentHelp("Run up to this many syncs at a time.", valueName: "number"))
  var jobs = 4

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs is a number from 1") }
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    try expectSyncs(in: configuration, context)
    var set = try SyncSet(configuration, names: names, machine: context.machine)
    if let allowDelete, set.syncs.count > 1 {
      throw Failure(
        .usage, "--allow-delete is for one sync at a time",
        hint: "Name it: \(SuggestedCommand.sync(set.syncs[0].name, allowDelete: allowDelete))")
    }
    set.options.isDryRun = isDryRun
    set.options.isVerifying = isVerifying
    set.options.allowedDeletions = allowDelete ?? 0
    set.options.jobs = jobs
    set.log = context.log
    if !isDryRun, !json, context.console.canAsk {
      try await set.askForAccess(ConsoleAccessPrompt(context.console))
    }
    let reports: [SyncReport]
    let moves: [CalendarMove]
    do {
      (reports, moves) = try await run(set, context)
    } catch is CancellationError where !isDryRun {
      throw Failure(
        .interrupted, "interrupted: what was done until then stays, and the next sync goes on")
    } catch {
      runHook(for: error, configuration.onFailure, context)
      throw error
    }
    let status = ExitStatus.worst(of: reports.map(\.status))
    if json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array(reports.map(\.json)),
        "moves": .array(moves.map(\.json)),
        "exit": .integer(Int(status.rawValue)),
      ])
    }
    if !isDryRun { publish(reports, configuration, context) }
    if !isDryRun, !json, reports.contains(where: { $0.result.summary.conflicts > 0 }) {
      context.console.note("To settle what is in conflict: \(SuggestedCommand.conflicts())")
    }
    return status
  }

  private func run(
    _ set: SyncSet, _ context: Context
  ) async throws -> ([SyncReport], [CalendarMove]) {
    let recorder = SyncRecorder(isDryRun: isDryRun, isSilent: json, context)
    let result = try await set.run { recorder.record($0) }
    var reports = result.syncs.map(recorder.report)
    if result.isLedgerNew, reports.contains(where: { $0.status == .noAccess }) {
      let remark = Self.remark(set.ledgerFolder.path)
      for index in reports.indices { reports[index].remark = remark }
      context.console.report(remark)
    }
    for duplicates in result.duplicates { warn(duplicates, context) }
    if !json { result.moves.forEach { show($0, context) } }
    return (reports, result.moves)
  }

  /// The remark about a ledger without grants and runs.
  private static func remark(_ folder: String) -> ConsoleText {
    "The ledger in \(folder) is new, and grants are kept there alone. On a restored machine, bring "
      + "that folder back from a backup, or grant access once more; the next sync then pairs what "
      + "both sides hold by UID, and deletes nothing."
  }

  private func show(_ move: CalendarMove, _ context: Context) {
    let verb = isDryRun ? "would move" : "moved"
    let name: ConsoleText = "\"\(move.title)\" \("(\(move.uid))", .dim)"
    context.console.say("\(verb) \(name) from \(move.departure) to \(move.arrival).")
  }

  /// The maximum number of duplicates of an account that are reported.
  private static let duplicateLimit = 10

  /// Warns about items in two calendars of one account.
  private func warn(_ duplicates: [DuplicateItem], _ context: Context) {
    for item in duplicates.prefix(Self.duplicateLimit) {
      let places = item.locations.map { "\($0.href) (\($0.sync))" }.joined(separator: " and ")
      context.console.warn(
        "the UID \("\(item.uid)") is in two calendars of one account, \(places): some servers "
          + "refuse that"
      )
    }
    if duplicates.count > Self.duplicateLimit {
      context.console.warn(
        "so are \(Count.grouped(duplicates.count - Self.duplicateLimit)) more items")
    }
  }

  /// Writes the metrics, and runs the failure hook for failed syncs.
  private func publish(
    _ reports: [SyncReport], _ configuration: Configuration, _ context: Context
  ) {
    if let path = configuration.metrics {
      do throws(StoreError) {
        try MetricsFile(path: path).write(
          reports.map(\.result), syncs: configuration.syncs.map(\.name))
      } catch {
        context.console.warn("the metrics are not written: \(error)")
      }
    }
    for report in reports where report.status != .done {
      runHook(configuration.onFailure, report.result.name, report.status, report.message, context)
    }
  }

  /// Runs the failure hook for an error that prevented all syncs from running.
  private func runHook(for error: any Error, _ words: [String]?, _ context: Context) {
    let failure = Failure(describing: error)
    guard !isDryRun, failure.status != .interrupted, !Task.isCancelled else { return }
    runHook(words, "", failure.status, failure.line, context)
  }

  private func runHook(
    _ words: [String]?, _ sync: String, _ status: ExitStatus, _ message: ConsoleText,
    _ context: Context
  ) {
    guard let words else { return }
    do throws(EpactError) {
      try FailureHook(words: words, machine: context.machine)
        .run(sync: sync, status: status.rawValue, message: context.console.plain(message))
    } catch {
      context.console.warn(Failure(describing: error).line)
    }
  }

  /// Checks that there is a sync to run.
  private func expectSyncs(in configuration: Configuration, _ context: Context) throws(Failure) {
    guard !configuration.syncs.isEmpty else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration",
        hint:
          "The configuration is \(context.configurationPath). To make one, or to add to it: "
          + "\(SuggestedCommand.initialize)"
      )
    }
  }
}
