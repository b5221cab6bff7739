// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact

/// `epact undo`: undoes a run.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back what a run did.",
    discussion: """
      What the run wrote goes back to what was there before, on the side where it was written; the edit \
      that it brought over stays on the other side. The sides differ then, and wait for a choice, which is \
      made by `epact conflicts`. What the run deleted goes back on both sides. What it added is taken away \
      where it added it; the other side keeps it, and so the next sync adds it again unless it is deleted \
      there. The name, colour, description and order of the calendar go back likewise. What changed since \
      is left alone and reported. An import is taken back in the calendar. Taking a run back is a run \
      itself, and can be taken back. Without a number it is the last run that changed something.
      """)

  @Argument(
    help: ArgumentHelp("The number of a run, as `epact history` shows it.", valueName: "run"))
  var number: Int64?

  @Flag(
    name: .customLong("dry-run"),
    help: "Print what would be done; write nothing, and send only requests that read.")
  var isDryRun = false

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let configuration = try context.configuration()
    let state = State(machine: context.machine, isReadOnly: isDryRun)
    let report = try await state.whileLocked(for: "undo") {
      let ledger = try state.openLedger(historyDays: configuration.historyDays)
      let run = try await chosen(in: ledger)
      if let binding = run.binding, binding.isImport {
        return try await ImportUndo(run: run, binding: binding, ledger: ledger, context: context)
          .report(isDryRun: isDryRun, isSilent: json)
      }
      guard let sync = configuration.syncs.first(where: { $0.name == run.sync }) else {
        throw Failure(.configuration, "there is no sync \"\(run.sync)\" in the configuration")
      }
      var session = SyncSession(
        sync: sync, configuration: configuration, ledger: ledger, allowDelete: nil,
        isDryRun: isDryRun, isSilent: json, context: context)
      session.undoing = run
      return try await session.run()
    }
    if !json, let undo = report.undo { undo.tell(context.console) }
    if json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array([report.json]),
        "exit": .integer(Int(report.status.rawValue)),
      ])
    }
    return report.status
  }

  /// The specified run, or the last one that changed something.
  private func chosen(in ledger: any LedgerStore) async throws -> PastRun {
    if let number { return try await ledger.pastRun(RunID(number)) }
    for run in try await ledger.runs(of: nil) {
      if try await ledger.journal(of: run.id).contains(where: \.isDone) { return run }
      if try await ledger.propertyJournal(of: run.id).contains(where: \.isDone) { return run }
    }
    throw Failure(.nothingDone, "no run that changed something is remembered")
  }
}
