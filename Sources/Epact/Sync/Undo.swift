// SPDX-License-Identifier: Apache-2.0

import CalendarStore
public import CalendarSync

/// Undoing runs, imports and edits.
extension SyncSet {
  /// Undoes the user's own last change, or the run with a number.
  ///
  /// Own changes are edits, imports and choices between the versions of a conflict (`OwnChanges`).
  /// Each further undo goes further back, and a ``redo(report:)`` reverts an undo. A change that is
  /// not in effect any more is passed over, and named (``UndoOutcome/passed``). A change of which
  /// nothing can be taken back is reported once, and the next undo goes further back
  /// (``UndoOutcome/isRefused``); so is a change of a calendar as a whole. What a
  /// sync has sent since is sent back by the next sync. If an item was edited since, the undo is
  /// merged with that edit; if both concern the same, the item is skipped and reported.
  ///
  /// The run of a sync is undone by its number: each item that the run wrote gets its earlier
  /// version, on the side where it was written. The safeguards count the deletions, and an item is
  /// not deleted if the other side does not hold it any more.
  ///
  /// An undo is a run itself.
  ///
  /// - Parameters:
  ///   - number: The number of the run; nil for the last own change. The result names the run.
  ///   - report: Called with every event.
  /// - Returns: The result; an error is in it.
  /// - Throws: `CancellationError`; `EpactError` if there is no such run, if its sync is not
  ///   configured, or if it is a change of a calendar; errors of the ledger.
  public func undo(
    _ number: RunID? = nil, report: @escaping @Sendable (SyncSetEvent) -> Void = { _ in }
  ) async throws -> SyncResult {
    try await ledgerFolder.whileRunning("undo", keeping: configuration.historyDays) { ledger in
      try recover()
      if let number { return try await undo(ledger.pastRun(number), ledger, report: report) }
      guard let (run, undo, passed) = try await last(\.done, in: ledger) else {
        throw EpactError(
          .failed, "no edit or import is left to undo; a run of a sync is undone by its number",
          remedy: .chooseRun)
      }
      if let change = run.binding?.calendarChange {
        try pass(over: run)
        throw objection(to: change, passing: passed)
      }
      var result = try await self.undo(run, by: undo, ledger, report: report)
      result.undo?.passed = passed
      try passIfRefused(run, &result)
      return result
    }
  }

  /// Makes the change again that the last undo took back, unless a new change was made since.
  ///
  /// Each file gets the bytes that it had before the undo. The same rules as for an undo hold for
  /// items that were edited since.
  ///
  /// - Parameter report: Called with every event.
  /// - Returns: The result; an error is in it.
  /// - Throws: `CancellationError`; `EpactError` if there is no undo to revert; errors of the
  ///   ledger.
  public func redo(
    report: @escaping @Sendable (SyncSetEvent) -> Void = { _ in }
  ) async throws -> SyncResult {
    try await ledgerFolder.whileRunning("redo", keeping: configuration.historyDays) { ledger in
      try recover()
      guard let (run, undo, _) = try await last(\.undone, in: ledger) else {
        throw EpactError(.failed, "no undo is left to redo", remedy: .chooseRun)
      }
      var result = try await self.undo(run, by: undo, ledger, report: report)
      try passIfRefused(run, &result)
      return result
    }
  }

  /// Lets the next undo or redo pass over a change of which nothing could be taken back.
  private func passIfRefused(_ run: PastRun, _ result: inout SyncResult) throws {
    guard result.undo?.items.isEmpty == true, result.summary.failed > 0 else { return }
    result.undo?.isRefused = true
    try pass(over: run)
  }

  private func pass(over run: PastRun) throws {
    guard !options.isDryRun else { return }
    try recorder.pass(over: run.id)
  }

  /// Closes the edits of processes that died.
  private func recover() throws {
    if !options.isDryRun { try recorder.recover() }
  }

  private func undo(
    _ run: PastRun, by undo: ChangeUndo? = nil, _ ledger: LedgerDatabase,
    report: @escaping @Sendable (SyncSetEvent) -> Void
  ) async throws -> SyncResult {
    if let change = run.binding?.calendarChange { throw objection(to: change) }
    if run.binding?.isLocal == true {
      return try undoChanges(of: run, by: undo ?? changeUndo(of: run, ledger), report: report)
    }
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

  /// The error of an undo that stops at a change of a calendar, with the changes that it passed over.
  private func objection(to change: CalendarChange, passing passed: [PastRun] = []) -> EpactError {
    let named = passed.prefix(10).map { "nothing is left here of run \($0.id.rawValue)" }
    let rest = passed.count - named.count
    return EpactError(
      .failed, "\(change.words), and no undo takes that back",
      details: named + (rest > 0 ? ["and of \(rest) more"] : []), subject: change.calendar,
      remedy: .undoEarlier(
        change, isThere: configuration.calendars[change.calendar] != nil))
  }

  // MARK: The last change

  /// The maximum number of changes that are passed over because they are not in effect any more.
  private static let passedLimit = 100

  /// The last own change of a list that is in effect, with the undo of one without a remote, and the
  /// later ones that are not; nil if there is none.
  private func last(
    _ list: KeyPath<OwnChanges, [RunID]>, in ledger: LedgerDatabase
  ) async throws -> (run: PastRun, undo: ChangeUndo?, passed: [PastRun])? {
    var own: [RunID: PastRun] = [:]
    for run in try await ledger.runs(of: nil) where run.isOwn || run.undoes != nil {
      if try await hasChanges(run, ledger) { own[run.id] = run }
    }
    var passed: [PastRun] = []
    for id in OwnChanges(own.values)[keyPath: list].prefix(Self.passedLimit) {
      guard let run = own[id] else { continue }
      if run.isChoice || run.binding?.calendarChange != nil {
        if try await isInEffect(run, ledger) { return (run, nil, passed) }
      } else {
        var undo = try changeUndo(of: run, ledger)
        if !undo.locations.allSatisfy(isRemoved), try !undo.plan().isEmpty {
          return (run, undo, passed)
        }
      }
      passed.append(run)
    }
    return nil
  }

  /// Whether a run changed an item or settled a conflict; an interrupted import has no summary.
  private func hasChanges(_ run: PastRun, _ ledger: LedgerDatabase) async throws -> Bool {
    if run.isChoice || run.binding?.calendarChange != nil { return true }
    if run.undoes != nil, run.summary.failed > 0 { return true }
    if run.summary.downloaded + run.summary.deletedLocally > 0 { return true }
    guard run.endedAt == nil else { return false }
    return try await ledger.journal(of: run.id).contains(where: \.isDone)
  }

  /// Whether an undo of a choice, or of a change of a calendar, would change or report something.
  private func isInEffect(_ run: PastRun, _ ledger: LedgerDatabase) async throws -> Bool {
    if run.binding?.calendarChange != nil { return true }
    // A choice settled a conflict, also where the calendar holds the version from before it.
    return try await ledger.journal(of: run.id).contains(where: \.isDone)
  }

  /// Whether a calendar is neither in the configuration nor there.
  private func isRemoved(_ location: String) -> Bool {
    let isConfigured = configuration.calendars.values.contains { calendar in
      machine.paths.absolute(calendar.path) == location
    }
    return !isConfigured && FileMode(location) == nil
  }
}

extension CalendarChange {
  /// The change in words, such as `the calendar "work" was removed`.
  package var words: String {
    switch kind {
    case .created: "the calendar \"\(calendar)\" was created"
    case .renamed: "the title of the calendar \"\(calendar)\" was changed"
    case .colored: "the color of the calendar \"\(calendar)\" was changed"
    case .removed: "the calendar \"\(calendar)\" was removed"
    case .recreated: "the calendar \"\(calendar)\" was set to be created again"
    }
  }
}

extension CalendarLibrary {
  /// Notes a change of a calendar as a whole in the history.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - syncs: The syncs that ended by it, and start anew under the same name.
  /// - Throws: Errors of the configuration and of the ledger.
  func note(_ change: CalendarChange, ending syncs: [String] = []) throws {
    try ChangeRecorder(machine: machine, historyDays: try configuration().historyDays)
      .note(change, ending: syncs)
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
