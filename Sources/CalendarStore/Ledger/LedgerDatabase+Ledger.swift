// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

// The asynchronous access of a sync: each call is one transaction of the same name in
// `LedgerTransaction`, and runs on the thread of the database.

extension LedgerDatabase: Ledger {
  /// Returns the entries of a sync, in order of UID; empty for another binding.
  public func entries(of binding: SyncBinding) async throws -> [LedgerEntry] {
    try await read { try $0.entries(of: binding) }
  }

  /// Returns the entries of a sync without their contents, unsorted; empty for another binding.
  public func places(of binding: SyncBinding) async throws -> [LedgerSummary] {
    try await read { try $0.places(of: binding) }
  }

  /// Returns the entries of some items without their contents, and the total number of entries.
  public func places(
    of binding: SyncBinding, for uids: Set<UID>, at hrefs: [Href]
  ) async throws -> (places: [LedgerSummary], count: Int) {
    try await read { try $0.places(of: binding, for: uids, at: hrefs) }
  }

  /// Returns the entries of some items with all contents, in order of UID.
  public func entries(of binding: SyncBinding, for uids: [UID]) async throws -> [LedgerEntry] {
    try await read { try $0.entries(of: binding, for: uids) }
  }

  /// Returns the last completed changes of a sync, newest first.
  public func recentChanges(of binding: SyncBinding, limit: Int) async throws -> [PastChange] {
    try await read { try $0.recentChanges(of: binding, limit: limit) }
  }

  /// Returns the items whose last recorded change in a local calendar is a deletion by an edit or an
  /// import.
  public func deliberateDeletions(
    among uids: Set<UID>, in location: String
  ) async throws -> Set<UID> {
    try await read { try $0.deliberateDeletions(among: uids, in: location) }
  }

  /// Returns the items whose last completed change by a sync was their deletion on the remote.
  public func sentDeletions(of binding: SyncBinding) async throws -> Set<UID> {
    try await read { try $0.sentDeletions(of: binding) }
  }

  /// Returns the last recorded changes of items in a local calendar.
  public func lastEdits(
    among uids: Set<UID>, in location: String
  ) async throws -> [UID: LocalEdit] {
    try await read { try $0.lastEdits(among: uids, in: location) }
  }

  /// Returns the conflicts that need a decision, in order of UID.
  public func conflicts(of binding: SyncBinding) async throws -> [StoredConflict] {
    try await read { try $0.conflicts(of: binding) }
  }

  /// Returns all events that were added to a remote under write-only access, in order of UID.
  public func appended(to remote: RemoteIdentity) async throws -> [AppendRecord] {
    try await read { try $0.appended(to: remote) }
  }

  /// Returns the quarantined items of a sync, in order of UID.
  public func quarantine(of binding: SyncBinding) async throws -> [QuarantinedItem] {
    try await read { try $0.quarantine(of: binding) }
  }

  /// Stores the quarantined items of a sync, replacing the previous ones.
  public func store(_ items: [QuarantinedItem], in run: RunID) async throws {
    try await write { try $0.store(items, in: run) }
  }

  /// Returns the items that the filter of a sync leaves on their side, unsorted.
  public func outside(of binding: SyncBinding) async throws -> [OutsideItem] {
    try await read { try $0.outside(of: binding) }
  }

  /// Stores the items that the filter leaves on their side, replacing the previous ones.
  public func store(outside items: [OutsideItem], in run: RunID) async throws {
    try await write { try $0.store(outside: items, in: run) }
  }

  /// Returns the resume state for the next run; empty for another binding.
  public func checkpoint(of binding: SyncBinding) async throws -> SyncCheckpoint {
    try await read { try $0.checkpoint(of: binding) }
  }

  /// Stores the resume state for the next run, replacing the previous one.
  public func store(_ checkpoint: SyncCheckpoint, in run: RunID) async throws {
    try await write { try $0.store(checkpoint, in: run) }
  }

  /// Returns the properties when the sides last agreed, or nil if they never did.
  public func agreement(of binding: SyncBinding) async throws -> CollectionAgreement? {
    try await read { try $0.agreement(of: binding) }
  }

  /// Stores the properties, replacing the previous ones, if a run has this binding.
  public func store(_ agreement: CollectionAgreement, of binding: SyncBinding) async throws {
    try await write { try $0.store(agreement, of: binding) }
  }

  /// Returns the property changes that an interrupted run left pending, in order.
  public func pendingProperties(of binding: SyncBinding) async throws -> [PropertyLine] {
    try await read { try $0.pendingProperties(of: binding) }
  }

  /// Makes a property change durable before it is sent.
  public func record(_ line: PropertyLine, in run: RunID) async throws {
    try await write { try $0.record(line, in: run) }
  }

  /// Records the outcome of a pending property change.
  public func settle(_ line: PropertyLine, in run: RunID) async throws {
    try await write { try $0.settle(line, in: run) }
  }

  /// Returns the intents that an interrupted run left pending, in order.
  public func pendingIntents(of binding: SyncBinding) async throws -> [Intent] {
    try await read { try $0.pendingIntents(of: binding) }
  }

  /// Makes intents durable before any of them is sent.
  public func record(_ intents: [Intent], in run: RunID) async throws {
    try await write { try $0.record(intents, in: run) }
  }

  /// Records outcomes, and moves the intents of their items to the history of their run.
  public func settle(_ outcomes: [RunID: [Settlement]]) async throws {
    try await write { try $0.settle(outcomes) }
  }

  /// Starts a run, binds the sync to `binding`, and deletes the entries of another binding.
  public func beginRun(of binding: SyncBinding, at now: Instant) async throws -> RunID {
    try await write { try $0.beginRun(of: binding, at: now) }
  }

  /// Ends a run with its summary, and removes the oldest runs; without a time, the end stays unset.
  public func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) async throws {
    try await write { try $0.endRun(run, summary: summary, at: now) }
  }
}

extension LedgerDatabase: GrantStore {
  /// Returns the grant for a remote, or nil if the user has not decided.
  public func grant(for remote: RemoteIdentity) async throws -> AccessGrant? {
    try await read { try $0.grant(for: remote) }
  }

  /// Returns all grants, in order of remote.
  public func grants() async throws -> [AccessGrant] {
    try await read { try $0.grants() }
  }

  /// Stores a grant, replacing an earlier one for the same remote.
  public func store(_ grant: AccessGrant) async throws {
    try await write { try $0.store(grant) }
  }

  /// Revokes a grant, so that the user has to decide again.
  public func revoke(_ remote: RemoteIdentity, at time: Instant, by user: String) async throws {
    try await write { try $0.revoke(remote, at: time, by: user) }
  }
}

extension LedgerDatabase: RunHistory {
  /// Returns the property changes of a run, in order.
  public func propertyJournal(of run: RunID) async throws -> [PropertyLine] {
    try await read { try $0.propertyJournal(of: run) }
  }

  /// Returns the changes of a run, in order.
  public func journal(of run: RunID) async throws -> [JournalLine] {
    try await read { try $0.journal(of: run) }
  }

  /// Returns the runs of one sync or of all syncs, newest first.
  public func runs(of sync: String?) async throws -> [PastRun] {
    try await read { try $0.runs(of: sync) }
  }

  /// Records that a run undoes an earlier one.
  public func note(_ run: RunID, undoes earlier: RunID) async throws {
    try await write { try $0.note(run, undoes: earlier) }
  }

  /// Records that a run is the user's choice between the versions of a conflict.
  public func noteChoice(_ run: RunID) async throws {
    try await write { try $0.noteChoice(run) }
  }

  /// Records that an item was moved between the calendars of two syncs.
  public func note(_ uid: UID, movedFrom departure: String, to arrival: String) async throws {
    try await write { try $0.note(uid, movedFrom: departure, to: arrival) }
  }

  /// Returns the result of the last attempt at each sync, in order of name.
  public func attempts() async throws -> [SyncAttempt] {
    try await read { try $0.attempts() }
  }

  /// Records the result of an attempt at a sync, replacing the previous one.
  public func note(_ attempt: SyncAttempt) async throws {
    try await write { try $0.note(attempt) }
  }
}

extension LedgerDatabase: AccessLog {
  /// Adds requests to the counts of their class and grant.
  public func log(_ entries: [AccessLogEntry]) async throws {
    try await write { try $0.log(entries) }
  }

  /// Returns all log entries, in order of remote, grant and class.
  public func logEntries() async throws -> [AccessLogEntry] {
    try await read { try $0.logEntries() }
  }

  /// Returns all decisions about remotes and programs, in order.
  public func decisions() async throws -> [AccessDecision] {
    try await read { try $0.decisions() }
  }
}

extension LedgerDatabase {
  /// Returns the faults of the database: damaged pages and indexes, and orphaned rows.
  public func faults() async throws -> [String] {
    try await read { try $0.faults() }
  }
}
