// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// Makes the changes of an edit as a run in the history.
///
/// The run is recorded before the first file is changed, with the bytes of all files before and
/// after. A process that dies, or that cannot write the outcome, leaves a pending run, which the
/// next edit or undo closes: the files show whether its batch took effect.
///
/// ```
/// lock ──► close pending runs ──► record run ──► FileBatch ──► record outcome
/// ```
struct EditRecorder {
  let machine: Machine
  /// The number of days for which the history keeps runs.
  let historyDays: Int
  /// The folder of the ledger; nil for the user's.
  var ledgerPath: String?

  /// Makes the replacements, all or none, and records them.
  ///
  /// - Parameters:
  ///   - intents: The changes of items, with the paths of their calendars.
  ///   - replacements: The files.
  ///   - undone: The run that this one undoes; nil for none.
  /// - Returns: The number of the run.
  /// - Throws: `BatchError`, `StoreError` or an error of the ledger. No file was changed, unless it
  ///   is a `BatchError` with the code `.unfinished`.
  func make(
    _ intents: [Intent], _ replacements: [FileReplacement], undoing undone: RunID? = nil
  ) throws -> RunID {
    try whileLocked { ledger in
      let files = try replacements.map { try FileChange($0) }
      let now = machine.now()
      let run = try ledger.write { ledger in
        let run = try ledger.beginRun(of: .edits, at: now)
        if let undone { try ledger.note(run, undoes: undone) }
        try ledger.record(intents, in: run)
        try ledger.record(files, in: run)
        return run
      }
      do {
        try FileBatch(of: machine).commit(replacements)
      } catch let error as BatchError {
        // After an unfinished batch, the files show the outcome when they can be read again.
        if error.code != .unfinished { try? close(run, intents, areDone: false, in: ledger) }
        throw error
      }
      // The batch decides. A run that cannot be closed now stays pending.
      try? close(run, intents, areDone: true, in: ledger)
      return run
    }
  }

  /// Records a change of a calendar as a whole, after it was made, and forgets the agreements of the
  /// syncs that ended by it.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func note(_ change: CalendarChange, ending syncs: [String] = []) throws {
    try whileLocked { ledger in
      try note(.change(change), in: ledger)
      guard !syncs.isEmpty else { return }
      try ledger.write { ledger in for sync in syncs { try ledger.forgetAgreement(of: sync) } }
    }
  }

  /// Records that an own change could not be taken back, so that the next undo goes further back.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func pass(over run: RunID) throws {
    try whileLocked { ledger in try note(.edits, refusing: run, in: ledger) }
  }

  private func note(
    _ binding: SyncBinding, refusing undone: RunID? = nil, in ledger: LedgerDatabase
  ) throws {
    let now = machine.now()
    try ledger.write { ledger in
      var summary = RunSummary()
      let run = try ledger.beginRun(of: binding, at: now)
      if let undone {
        summary.failed = 1
        try ledger.note(run, undoes: undone)
      }
      try ledger.endRun(run, summary: summary, at: now)
    }
  }

  /// Closes the runs of processes that died.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func recover() throws {
    try whileLocked { _ in }
  }

  /// Calls `body` while no other process edits, after pending runs are closed.
  private func whileLocked<Result>(_ body: (LedgerDatabase) throws -> Result) throws -> Result {
    let folder = LedgerFolder(path: ledgerPath, machine: machine, isReadOnly: false)
    let lock = try StoreLock.wait(
      folder.path + "/edit-lock", for: "edit", since: machine.timeOfDay())
    let ledger = try folder.openDatabase(historyDays: historyDays)
    if try !ledger.read({ try $0.pendingIntents(of: .edits) }).isEmpty {
      try FileBatch(of: machine).recover()
      try closePending(in: ledger)
    }
    let result = try body(ledger)
    extendLifetime(lock)
    return result
  }

  private func closePending(in ledger: LedgerDatabase) throws {
    let runs = try ledger.read { try $0.runs(of: SyncBinding.edits.name) }
    for run in runs where run.endedAt == nil {
      let (lines, files) = try ledger.read { ledger in
        (try ledger.journal(of: run.id), try ledger.fileChanges(of: run.id))
      }
      let states = try files.map { try $0.state() }
      // The batch took effect as a whole. A file with other contents was changed since.
      let areDone = states.contains(.after) && !states.contains(.before)
      let intents = lines.filter { $0.state == .pending }.map(Intent.init)
      try close(run.id, intents, areDone: areDone, in: ledger)
    }
  }

  private func close(
    _ run: RunID, _ intents: [Intent], areDone: Bool, in ledger: LedgerDatabase
  ) throws {
    let settlements = Set(intents.map(\.uid)).sorted().map { uid in
      Settlement(uid: uid, change: areDone ? .forget : .keep)
    }
    var summary = RunSummary()
    if areDone {
      summary.deletedLocally = intents.count { $0.action == .deleteLocal }
      summary.downloaded = intents.count - summary.deletedLocally
    } else {
      summary.failed = intents.count
    }
    let (now, end) = (machine.now(), summary)
    try ledger.write { ledger in
      try ledger.settle([run: settlements])
      try ledger.endRun(run, summary: end, at: now)
    }
  }
}

extension Intent {
  /// The intent of a pending line of a journal.
  fileprivate init(_ line: JournalLine) {
    self.init(
      uid: line.uid, action: line.action, content: line.after, fingerprint: nil,
      before: line.before, href: line.href, etag: nil)
  }
}
