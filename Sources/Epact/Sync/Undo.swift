// SPDX-License-Identifier: Apache-2.0

import CalendarStore
public import CalendarSync

/// Undoing runs, imports and edits.
extension SyncSet {
  /// Undoes a run of a sync, an import or an edit.
  ///
  /// Each item that the run wrote gets its earlier version, on the side where it was written. An
  /// undo is a run itself, and can be undone. In a sync, the safeguards count the deletions, and an
  /// item is not deleted if the other side does not hold it any more.
  ///
  /// - Parameters:
  ///   - number: The number of the run; nil for the last one that changed something. A run that a
  ///     safeguard stopped changed nothing, so that an earlier run is undone. The result names it.
  ///   - report: Called with every event.
  /// - Returns: The result; an error is in it.
  /// - Throws: `CancellationError`; `EpactError` if there is no such run or its sync is not
  ///   configured; errors of the ledger.
  public func undo(
    _ number: RunID? = nil, report: @escaping @Sendable (SyncSetEvent) -> Void = { _ in }
  ) async throws -> SyncResult {
    try await ledgerFolder.whileLocked(for: "undo") {
      if !options.isDryRun {
        try editRecorder.recover()
      }
      let ledger = try ledgerFolder.openDatabase(historyDays: configuration.historyDays)
      let run = try await chosen(number, in: ledger)
      if let binding = run.binding, binding.isImport {
        return try await undoImport(run, into: binding, ledger, report: report)
      }
      if run.binding?.isEdit == true { return try undoEdit(run, report: report) }
      guard let sync = configuration.syncs.first(where: { $0.name == run.sync }) else {
        throw EpactError(
          .configuration, "there is no sync \"\(run.sync)\" in the configuration",
          subject: run.sync)
      }
      var options = Options()
      options.isDryRun = self.options.isDryRun
      options.allowedDeletions = self.options.allowedDeletions
      var session = SyncSession(
        sync: sync, configuration: configuration, ledger: ledger, options: options,
        machine: machine, log: log, report: report)
      session.undoing = run
      return try await session.run()
    }
  }

  /// The run with a number, or the last one that changed something.
  private func chosen(_ number: RunID?, in ledger: any LedgerStore) async throws -> PastRun {
    if let number { return try await ledger.pastRun(number) }
    for run in try await ledger.runs(of: nil) {
      if try await ledger.journal(of: run.id).contains(where: \.isDone) { return run }
      if try await ledger.propertyJournal(of: run.id).contains(where: \.isDone) { return run }
    }
    throw EpactError(.failed, "no run that changed something is remembered")
  }

  private func undoImport(
    _ run: PastRun, into binding: SyncBinding, _ ledger: LedgerDatabase,
    report: @escaping @Sendable (SyncSetEvent) -> Void
  ) async throws -> SyncResult {
    let calendar: RecordedCalendar
    do throws(StoreError) {
      calendar = RecordedCalendar(
        try LocalCalendars.openEditable(
          path: binding.local, for: options.isDryRun ? .reading : .writing,
          knowing: ledger.knownNames))
    } catch {
      guard error.code == .notFound else { throw error }
      throw EpactError(
        .failed, "the calendar is not at \(binding.local)", subject: binding.local)
    }
    let begin = machine.stopwatch()
    var result = SyncResult(
      name: SafeText.escaped(binding.local), startedAt: machine.now(), seconds: 0,
      isDryRun: options.isDryRun)
    result.undo = UndoOutcome(of: run, isLocal: true)
    let (tally, name) = (SyncTally(result), result.name)
    let exact = try ExactUndo(of: try await ledger.read { try $0.fileChanges(of: run.id) })
    let undo = CalendarRun(
      of: calendar, ledger: ledger, normalForm: machine.normalForm, now: machine.now)
    let summary = try await undo.undo(run, ledger, isDryRun: options.isDryRun) { event in
      tally.record(event)
      report(.running(sync: name, event))
    }
    if !options.isDryRun, summary.failed == 0, summary.deferred == 0 {
      let whole = calendar.isHandledAsWhole ? calendar.changes.first : nil
      let files = try exact.finish(after: whole, by: FileBatch(of: machine))
      if let id = await undo.id { try await ledger.write { try $0.record(files, in: id) } }
    }
    result = tally.result(summary)
    result.seconds = machine.stopwatch() - begin
    report(.ended(result))
    return result
  }
}

extension RunHistory {
  /// The stored run with a number.
  ///
  /// - Throws: `EpactError` if there is no such run.
  package func pastRun(_ id: RunID) async throws -> PastRun {
    guard let run = try await runs(of: nil).first(where: { $0.id == id }) else {
      throw EpactError(.argument, "no run \(id.rawValue) is remembered", remedy: .listRuns)
    }
    return run
  }
}
