// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The persistent state of syncs: identifiers, base versions, the journal, conflicts and history.
///
/// Each call is one transaction that is durable when it returns.
public protocol Ledger: Sendable {
  /// The entries of a sync, in order of UID; empty if the stored binding is not exactly this one.
  func entries(of binding: SyncBinding) async throws -> [LedgerEntry]

  /// The complete entries of the given items, in order of UID.
  func entries(of binding: SyncBinding, for uids: [UID]) async throws -> [LedgerEntry]

  /// The entries of a sync without contents, unordered; empty if the stored binding differs.
  func places(of binding: SyncBinding) async throws -> [LedgerSummary]

  /// The entries of some items without contents, and the total number of entries.
  ///
  /// - Parameters:
  ///   - binding: The sync.
  ///   - uids: The UIDs of the items.
  ///   - hrefs: The places of further items on the remote, in any spelling.
  /// - Returns: Each entry once, unordered.
  /// - Throws: An error of the ledger.
  func places(
    of binding: SyncBinding, for uids: Set<UID>, at hrefs: [Href]
  ) async throws -> (places: [LedgerSummary], count: Int)

  /// The resume state for the next run; the empty checkpoint if the stored binding differs.
  func checkpoint(of binding: SyncBinding) async throws -> SyncCheckpoint

  /// Stores the resume state for the next run and replaces the previous one.
  ///
  /// A later `record` or `settle` from any caller clears `isAtRest`. If it changes the agreement of
  /// the sides, it also clears the cursor. The place of an addition to the remote joins `unlisted`
  /// when it is settled, because the run may end before it stores a checkpoint.
  func store(_ checkpoint: SyncCheckpoint, in run: RunID) async throws

  /// The intents that an interrupted run left behind.
  func pendingIntents(of binding: SyncBinding) async throws -> [Intent]

  /// The last completed changes of a sync, newest first.
  ///
  /// - Parameters:
  ///   - binding: The sync; runs with another binding are left out.
  ///   - limit: The maximum number of changes. There may be fewer if their contents are large.
  /// - Returns: The changes.
  /// - Throws: An error of the ledger.
  func recentChanges(of binding: SyncBinding, limit: Int) async throws -> [PastChange]

  /// The items that commands or programs deleted from a local calendar, as far as the history shows.
  ///
  /// Default implementation: returns none.
  ///
  /// - Parameters:
  ///   - uids: The items to look up.
  ///   - location: The path of the calendar, in canonical form.
  /// - Returns: The items whose last recorded change in the calendar is a deletion by an edit or an
  ///   import, and not by an undo of what another run had made.
  /// - Throws: An error of the ledger.
  func deliberateDeletions(among uids: Set<UID>, in location: String) async throws -> Set<UID>

  /// The items whose last completed change by a sync was their deletion on the remote.
  ///
  /// Default implementation: reads all recent changes.
  ///
  /// - Parameter binding: The sync; runs with another binding are left out.
  /// - Returns: The items, as far as the history shows.
  /// - Throws: An error of the ledger.
  func sentDeletions(of binding: SyncBinding) async throws -> Set<UID>

  /// The last recorded changes of items in a local calendar by commands, programs and syncs.
  ///
  /// Default implementation: returns none.
  ///
  /// - Parameters:
  ///   - uids: The items to look up.
  ///   - location: The path of the calendar, in canonical form.
  /// - Returns: The changes, by item.
  /// - Throws: An error of the ledger.
  func lastEdits(among uids: Set<UID>, in location: String) async throws -> [UID: LocalEdit]

  /// The unresolved conflicts, in order of UID.
  func conflicts(of binding: SyncBinding) async throws -> [StoredConflict]

  /// All events that any sync ever added to the remote under write-only access.
  func appended(to remote: RemoteIdentity) async throws -> [AppendRecord]

  /// The items of a sync that could not be synchronized, in order of UID.
  func quarantine(of binding: SyncBinding) async throws -> [QuarantinedItem]

  /// Stores the items that could not be synchronized, and replaces the previous ones.
  func store(_ items: [QuarantinedItem], in run: RunID) async throws

  /// The items of a sync that its filter excludes, unordered.
  func outside(of binding: SyncBinding) async throws -> [OutsideItem]

  /// Stores the items that the filter excludes, and replaces the previous ones.
  func store(outside items: [OutsideItem], in run: RunID) async throws

  /// The properties of both calendars when they last agreed; nil if they never did.
  func agreement(of binding: SyncBinding) async throws -> CollectionAgreement?

  /// Stores the properties of both calendars; does nothing unless a run used this binding.
  func store(_ agreement: CollectionAgreement, of binding: SyncBinding) async throws

  /// The property changes that an interrupted run left behind, in order.
  func pendingProperties(of binding: SyncBinding) async throws -> [PropertyLine]

  /// Stores a property change before it is sent; its state is pending, regardless of `line`.
  func record(_ line: PropertyLine, in run: RunID) async throws

  /// Records the outcome of a pending property change of this run or of an earlier one.
  func settle(_ line: PropertyLine, in run: RunID) async throws

  /// Starts a run, binds the sync to `binding`, and drops its entries if the binding changed.
  func beginRun(of binding: SyncBinding, at now: Instant) async throws -> RunID

  /// Stores intents durably, before any of the changes is sent.
  func record(_ intents: [Intent], in run: RunID) async throws

  /// Records outcomes, clears the intents of their items, and adds them to the history.
  ///
  /// If the runs belong to several syncs, either all outcomes are recorded or none.
  func settle(_ outcomes: [RunID: [Settlement]]) async throws

  /// Ends a run and stores its summary.
  ///
  /// Without a time the run counts as interrupted; its summary so far is stored.
  func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) async throws
}

extension Ledger {
  /// Default implementation: no deletion is known to be meant.
  public func deliberateDeletions(
    among uids: Set<UID>, in location: String
  ) async throws -> Set<UID> { [] }

  /// Default implementation: reads all recent changes.
  public func sentDeletions(of binding: SyncBinding) async throws -> Set<UID> {
    let changes = try await recentChanges(of: binding, limit: .max)
    let last = Dictionary(changes.map { ($0.line.uid, $0.line.action) }) { newest, _ in newest }
    return Set(last.filter { $0.value == .deleteRemote }.keys)
  }

  /// Default implementation: no change is known.
  public func lastEdits(
    among uids: Set<UID>, in location: String
  ) async throws -> [UID: LocalEdit] { [:] }

  /// The entries of the given items without contents, and the total number of entries.
  public func places(
    of binding: SyncBinding, for uids: Set<UID>
  ) async throws -> (places: [LedgerSummary], count: Int) {
    try await places(of: binding, for: uids, at: [])
  }

  /// Whether no run of a sync has stored anything, so that the absence of an item means nothing.
  ///
  /// - Parameters:
  ///   - binding: The sync.
  ///   - checkpoint: Its checkpoint, which the caller has read already.
  /// - Returns: Whether the ledger and the checkpoint are empty.
  /// - Throws: An error of the ledger.
  func isEmpty(for binding: SyncBinding, _ checkpoint: SyncCheckpoint) async throws -> Bool {
    guard checkpoint == SyncCheckpoint() else { return false }
    // An interrupted run leaves entries, intents and conflicts without a checkpoint.
    guard try await places(of: binding, for: []).count == 0,
      try await pendingIntents(of: binding).isEmpty, try await conflicts(of: binding).isEmpty
    else { return false }
    // An addition that is absent has been deleted, whichever sync made it.
    return try await appended(to: binding.remote).isEmpty
  }

  /// Records outcomes of one run.
  public func settle(_ settlements: [Settlement], in run: RunID) async throws {
    try await settle([run: settlements])
  }
}

/// The number of a run in the ledger, from 1.
public struct RunID: Hashable, Sendable {
  /// The number.
  public let rawValue: Int64

  /// Creates an identifier from its number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }
}
