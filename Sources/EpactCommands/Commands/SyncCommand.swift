// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarStore
import CalendarSync
import Epact

/// `epact sync`: synchronizes local calendars with remotes.
struct SyncCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Keep calendars and remotes in step, as configured.",
    discussion: """
      Runs the syncs of the configuration, side by side unless two share a side. Nothing is sent to a \
      remote that no access was granted to. On a terminal a bar shows how far it is, and a remote that \
      nobody was asked about is asked about. If several syncs end in different ways, the exit status is \
      the first \
      of these that occurs: \
      \(ExitStatus.gravest.map { String($0.rawValue) }.joined(separator: ", ")).
      """)

  @Argument(
    help: ArgumentHelp("The syncs to run, instead of all of them.", valueName: "name"),
    completion: .syncNames)
  var names: [String] = []

  @Flag(
    name: .customLong("dry-run"),
    help: "Print what would be done; write nothing, and send only requests that read.")
  var isDryRun = false

  @Flag(
    name: .customLong("verify"),
    help: "Compare the contents of both sides, and not only what tells that they changed.")
  var isVerifying = false

  @Option(
    help: ArgumentHelp(
      "Let this many deletions through once, which a guard had stopped.", valueName: "number"))
  var allowDelete: Int?

  @Option(help: ArgumentHelp("How many syncs run at a time.", valueName: "number"))
  var jobs = 4

  @Flag(help: "Print one JSON object instead of lines for people.")
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
    let syncs = try selected(from: configuration, in: context)
    if let allowDelete, syncs.count > 1 {
      throw Failure(
        .usage, "--allow-delete is for one sync at a time",
        hint: "Name it: \(SuggestedCommand.sync(syncs[0].name, allowDelete: allowDelete))")
    }
    if !isDryRun, !json { try await askForAccess(syncs, configuration, context) }
    let (reports, moves): ([SyncReport], [CalendarMove])
    do {
      (reports, moves) = try await run(syncs, configuration, context)
    } catch is CancellationError where !isDryRun {
      throw Failure(
        .interrupted, "interrupted: what was done until then stays, and the next sync goes on")
    } catch {
      tell(error, to: configuration.onFailure, context)
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
    if !isDryRun, !json, reports.contains(where: { $0.conflicts > 0 }) {
      context.console.note("To settle what is in conflict: \(SuggestedCommand.conflicts())")
    }
    return status
  }

  private func run(
    _ syncs: [SyncSettings], _ configuration: Configuration, _ context: Context
  ) async throws -> ([SyncReport], [CalendarMove]) {
    let state = State(machine: context.machine, isReadOnly: isDryRun)
    return try await state.whileLocked(for: "sync") {
      let ledger = try state.openLedger(historyDays: configuration.historyDays)
      let remark: ConsoleText? = try await state.isNew(ledger) ? Self.remark(state) : nil
      let plain = syncs.map { sync in
        SyncSession(
          sync: sync, configuration: configuration, ledger: ledger, allowDelete: allowDelete,
          isDryRun: isDryRun, isVerifying: isVerifying, isSilent: json, context: context)
      }
      let desk = MoveDesk(ledger: ledger, context: context)
      let traffic = try await desk.traffic(of: plain)
      let order = SyncSchedule.order(traffic)
      var sessions: [SyncSession] = []
      for (index, session) in plain.enumerated() {
        sessions.append(try await session.knowing(traffic, plain, at: index))
      }
      let schedule = SyncSchedule(sides: sessions.map(\.sides), order: order, limit: jobs)
      var reports = try await schedule.run { [sessions] in try await sessions[$0].run() }
      // Items that moved in a cycle are deleted from their old calendars after they were added to
      // the new ones.
      for index in SyncSchedule.circling(traffic) where !isDryRun && reports[index].isWhole {
        reports[index] = reports[index].followed(by: try await sessions[index].run())
      }
      if let remark, reports.contains(where: { $0.status == .noAccess }) {
        for index in reports.indices { reports[index].remark = remark }
        context.console.report(remark)
      }
      if !isDryRun {
        try await DuplicateDesk(ledger: ledger, context: context).warn(plain, after: reports)
      }
      return (reports, try await desk.tell(reports, isSilent: json, isDryRun: isDryRun))
    }
  }

  /// The remark about a ledger without grants and runs.
  private static func remark(_ state: State) -> ConsoleText {
    "The ledger in \(state.folder) is new, and grants are kept there alone. On a restored machine, bring that folder back from a backup, or grant access once more; the next sync then pairs what both sides hold by UID, and deletes nothing."
  }

  /// Writes the metrics, and runs the failure hook for failed syncs.
  private func publish(
    _ reports: [SyncReport], _ configuration: Configuration, _ context: Context
  ) {
    if let path = configuration.metrics {
      do throws(StoreError) {
        try MetricsFile(path: path).write(reports, syncs: configuration.syncs.map(\.name))
      } catch {
        context.console.warn("the metrics are not written: \(error)")
      }
    }
    guard let words = configuration.onFailure else { return }
    let hook = FailureHook(words: words, context: context)
    for report in reports where report.status != .done {
      hook.run(sync: report.name, status: report.status, message: report.message)
    }
  }

  /// Runs the failure hook for an error that prevented all syncs from running.
  private func tell(_ error: any Error, to words: [String]?, _ context: Context) {
    let failure = Failure(describing: error)
    guard let words, !isDryRun, failure.status != .interrupted, !Task.isCancelled else { return }
    FailureHook(words: words, context: context)
      .run(sync: "", status: failure.status, message: failure.line)
  }

  /// Asks for access to remotes without a decision, if the user can be asked.
  ///
  /// If the user gives no answer, the sync that needs the access reports it.
  private func askForAccess(
    _ syncs: [SyncSettings], _ configuration: Configuration, _ context: Context
  ) async throws {
    guard context.console.canAsk else { return }
    var asked: Set<String> = []
    for sync in syncs where asked.insert(sync.remote).inserted {
      do {
        var desk = try await AccessDesk(
          remote: sync.remote, configuration: configuration, isDryRun: false, context)
        if desk.status == .notDetermined { try await desk.ask() }
      } catch is EpactError {
        continue
      } catch is Failure {
        continue
      } catch is StoreError {
        continue
      }
    }
  }

  private func selected(
    from configuration: Configuration, in context: Context
  ) throws -> [SyncSettings] {
    guard !configuration.syncs.isEmpty else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration",
        hint:
          "The configuration is \(context.configurationPath). To make one, or to add to it: \(SuggestedCommand.initialize)"
      )
    }
    return try configuration.syncs(named: names)
  }
}
