// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// A run in the history that changes local calendars, in one part or in several.
///
/// It begins with the first part.
struct ChangeRun {
  let binding: SyncBinding
  /// The run that this one undoes; nil for none.
  let undone: RunID?
  /// The number; nil before the first part.
  fileprivate(set) var id: RunID?
  /// The numbers of items, which the end of the run stores.
  var summary = RunSummary()

  init(of binding: SyncBinding, undoing undone: RunID? = nil) {
    (self.binding, self.undone) = (binding, undone)
  }
}

/// Makes the changes of local calendars without a remote, as runs in the history.
///
/// Each part of a run is recorded before the first file is changed, with what the undo needs to
/// restore the bytes of all files. A process that dies leaves a pending part, which the next change
/// or undo of any process closes: the items show whether it took effect.
///
/// ```
/// lock ──► close pending parts ──► record part ──► FileBatch ──► record outcome
/// ```
struct ChangeRecorder {
  /// A set of a part, and the reason why it was not made; nil if it was.
  typealias Outcome = (changes: ChangeSet, error: BatchError?)

  let machine: Machine
  /// The number of days for which the history keeps runs.
  let historyDays: Int

  /// Makes the changes of an edit, all or none, as a run.
  ///
  /// - Returns: The number of the run.
  /// - Throws: `BatchError`, `StoreError` or an error of the ledger. No file was changed, unless it
  ///   is a `BatchError` with the code `.unfinished`.
  func make(_ changes: ChangeSet) throws -> RunID {
    var run = ChangeRun(of: .edits)
    try commitAsOne(in: &run) { changes }
    guard let id = run.id else { preconditionFailure("a run without a number made changes") }
    return id
  }

  /// Makes the changes of a run that has only this part, all or none, and ends the run.
  ///
  /// - Throws: As `make(_:)`.
  func commitAsOne(in run: inout ChangeRun, _ changes: () throws -> ChangeSet) throws {
    let outcomes = try commit(in: &run, isLast: true) { [try changes()] }
    if let error = outcomes.first?.error { throw error }
  }

  /// Makes a part of a run, each set of changes completely or not at all.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - isLast: Whether the run ends with this part.
  ///   - make: Returns the sets, while no other process uses a recorder.
  /// - Returns: The sets with their outcomes, in order.
  /// - Throws: `StoreError`; errors of the ledger; errors of `make`. No file was changed.
  func commit(
    in run: inout ChangeRun, isLast: Bool = false, _ make: () throws -> [ChangeSet]
  ) throws -> [Outcome] {
    try whileLocked { ledger in
      var outcomes: [Outcome] = []
      var files: [FileChange] = []
      for changes in try make() {
        do throws(BatchError) {
          files += try changes.fileChanges(in: run.binding.local)
          outcomes.append((changes, nil))
        } catch {
          outcomes.append((changes, error))
        }
      }
      let ready = outcomes.indices.filter { outcomes[$0].error == nil }
      if !ready.isEmpty {
        try ledger.write { ledger in
          let id = try begin(&run, in: ledger)
          try ledger.record(ready.flatMap { outcomes[$0].changes.intents }, in: id)
          try ledger.record(files, in: id)
        }
        let groups = ready.map { outcomes[$0].changes.replacements }
        for (index, error) in zip(ready, FileBatch(of: machine).commit(each: groups[...])) {
          outcomes[index].error = error
        }
      }
      for outcome in outcomes { run.summary.count(outcome, isLast: isLast) }
      // After an unfinished batch, the items show the outcome when they can be read again.
      let known = ready.filter { outcomes[$0].error?.code != .unfinished }
      let settlements = known.flatMap { index in
        Set(outcomes[index].changes.intents.map(\.uid)).sorted().map { uid in
          Settlement(uid: uid, change: outcomes[index].error == nil ? .forget : .keep)
        }
      }
      if let id = run.id, !known.isEmpty {
        // The files decide. A part that cannot be closed now stays pending.
        try? close(id, settlements, ending: isLast ? run.summary : nil, in: ledger)
      }
      return outcomes
    }
  }

  /// Ends a run, if it made or refused changes.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func end(_ run: inout ChangeRun) throws {
    guard run.id != nil || run.summary.failed > 0 else { return }
    try whileLocked { ledger in
      try ledger.write { ledger in
        let id = try begin(&run, in: ledger)
        try ledger.endRun(id, summary: run.summary, at: machine.now())
      }
    }
  }

  private func begin(
    _ run: inout ChangeRun, in ledger: borrowing LedgerTransaction
  ) throws -> RunID {
    if let id = run.id { return id }
    let id = try ledger.beginRun(of: run.binding, at: machine.now())
    if let undone = run.undone { try ledger.note(id, undoes: undone) }
    run.id = id
    return id
  }

  /// Stores the outcomes of a part; with a summary, the run ends.
  private func close(
    _ run: RunID, _ settlements: [Settlement], ending summary: RunSummary?,
    in ledger: LedgerDatabase
  ) throws {
    let now = machine.now()
    try ledger.write { ledger in
      try ledger.settle([run: settlements])
      if let summary { try ledger.endRun(run, summary: summary, at: now) }
    }
  }

  // MARK: Notes

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

  // MARK: Interrupted parts

  /// Closes the parts of processes that died.
  ///
  /// - Throws: `StoreError`; errors of the ledger.
  func recover() throws {
    try whileLocked { _ in }
  }

  /// Calls `body` while no other process uses a recorder, after pending parts are closed.
  private func whileLocked<Result>(_ body: (LedgerDatabase) throws -> Result) throws -> Result {
    let folder = LedgerFolder(machine: machine, isReadOnly: false)
    let lock = try StoreLock.wait(
      folder.path + "/edit-lock", for: "edit", since: machine.timeOfDay())
    let ledger = try folder.openDatabase(historyDays: historyDays)
    let runs = try ledger.read { try $0.interruptedRuns() }.filter { run in
      run.binding?.isLocal == true && (!folder.isShared || isOld(run))
    }
    if !runs.isEmpty {
      try FileBatch(of: machine).recover()
      for run in runs { try close(run, in: ledger) }
    }
    let result = try body(ledger)
    extendLifetime(lock)
    return result
  }

  /// Whether a run is not one that another machine is making now.
  private func isOld(_ run: PastRun) -> Bool {
    machine.now().secondsSinceEpoch - run.startedAt.secondsSinceEpoch > Self.sharedTime
  }

  /// The time after which a part of another machine's run counts as interrupted, in seconds.
  private static let sharedTime: Int64 = 300

  /// Closes the pending part of a run, unless a calendar cannot be read now.
  private func close(_ run: PastRun, in ledger: LedgerDatabase) throws {
    let lines = try ledger.read { try $0.journal(of: run.id) }.filter { $0.state == .pending }
    var states: [UID: Set<LineState>] = [:]
    do {
      for (path, lines) in Dictionary(grouping: lines, by: { $0.location(in: run) }) {
        let entries = try LocalCalendars.openEditable(
          path: path, for: .reading, knowing: ledger.knownNames
        ).scan().entries
        let items = Dictionary(entries.map { ($0.item.uid, $0.item) }) { first, _ in first }
        for line in lines {
          states[line.uid, default: []].insert(LineState(line, now: items[line.uid]))
        }
      }
    } catch is StoreError {
      return
    }
    if run.isEdit {
      // The changes of an edit took effect together. An item in another state was changed since.
      let all = states.values.reduce(into: Set()) { $0.formUnion($1) }
      states = states.mapValues { _ in all }
    }
    let done = states.filter { $0.value.contains(.after) && !$0.value.contains(.before) }
    let settlements = states.keys.sorted().map { uid in
      Settlement(uid: uid, change: done[uid] == nil ? .keep : .forget)
    }
    // An edit has one part. The end of an import stays unset, because parts are missing.
    var summary = RunSummary()
    summary.count(lines.map(\.action), areDone: !done.isEmpty)
    try close(run.id, settlements, ending: run.isEdit ? summary : nil, in: ledger)
  }
}

/// The state of an item in its calendar, compared with the pending change of it.
private enum LineState {
  case before, after, other

  init(_ line: JournalLine, now item: CalendarItem?) {
    let bytes = item?.serialized()
    // Two versions may differ in bytes, and not in meaning.
    let isExact = line.before != line.after && [line.before, line.after].contains(bytes)
    let isBefore = isExact ? bytes == line.before : item.isVersion(line.before)
    let isAfter = isExact ? bytes == line.after : item.isVersion(line.after)
    self = isBefore == isAfter ? .other : isBefore ? .before : .after
  }
}

extension CalendarItem? {
  /// Whether the item has the meaning of a stored version; nil stands for a missing item.
  fileprivate func isVersion(_ bytes: [UInt8]?) -> Bool {
    guard let self, let bytes else { return self == nil && bytes == nil }
    return (try? CalendarItem(parsing: bytes, normalForm: self.normalForm))?.fingerprint
      == self.fingerprint
  }
}

extension RunSummary {
  fileprivate mutating func count(_ outcome: ChangeRecorder.Outcome, isLast: Bool) {
    // A part that is not the last one may be tried again.
    guard isLast || outcome.error?.code != .conditionFailed else { return }
    count(outcome.changes.intents.map(\.action), areDone: outcome.error == nil)
  }

  fileprivate mutating func count(_ actions: [Intent.Action], areDone: Bool) {
    guard areDone else { return failed += actions.count }
    let deletions = actions.count { $0 == .deleteLocal }
    deletedLocally += deletions
    downloaded += actions.count - deletions
  }
}
