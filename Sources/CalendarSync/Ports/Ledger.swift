// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// What files cannot hold: identifiers, base versions, the journal, conflicts and history.
///
/// Each call is one transaction that is durable when it returns.
public protocol Ledger: Sendable {
  /// The entries of a sync, in order of UID; empty if the stored binding is not exactly this one.
  func entries(of binding: SyncBinding) async throws -> [LedgerEntry]

  /// The entries of some items with all that belongs to them, in order of UID.
  func entries(of binding: SyncBinding, for uids: [UID]) async throws -> [LedgerEntry]

  /// The entries of a sync without their contents, in no order; empty if the binding is another one.
  func places(of binding: SyncBinding) async throws -> [LedgerPlace]

  /// The entries of some items without their contents, and how many entries there are in all.
  func places(
    of binding: SyncBinding, for uids: Set<UID>
  ) async throws -> (places: [LedgerPlace], count: Int)

  /// From where the next run goes on; the empty one if the binding is another one.
  func checkpoint(of binding: SyncBinding) async throws -> SyncCheckpoint

  /// Stores from where the next run goes on, in place of what was stored.
  ///
  /// A later `record` or `settle` makes it one that is not at rest, whoever calls it, and one that
  /// changes what is known of both sides makes it one without a cursor.
  func store(_ checkpoint: SyncCheckpoint, in run: RunID) async throws

  /// The intents that a run left behind when it was cut off.
  func pendingIntents(of binding: SyncBinding) async throws -> [Intent]

  /// The conflicts that wait, in order of UID.
  func conflicts(of binding: SyncBinding) async throws -> [StoredConflict]

  /// The events that were ever added to the remote under write-only access, by whichever sync.
  func appended(to remote: RemoteIdentity) async throws -> [AppendRecord]

  /// The items of a sync that could not be dealt with, in order of UID.
  func quarantine(of binding: SyncBinding) async throws -> [QuarantinedItem]

  /// Stores the items of a sync that could not be dealt with, in place of those before.
  func store(_ items: [QuarantinedItem], in run: RunID) async throws

  /// The items that the filter of a sync leaves where they are, in no order.
  func outside(of binding: SyncBinding) async throws -> [OutsideItem]

  /// Stores the items that the filter leaves where they are, in place of those before.
  func store(outside items: [OutsideItem], in run: RunID) async throws

  /// What both sides said of the calendar as a whole when they last agreed; nil if they never did.
  func agreement(of binding: SyncBinding) async throws -> CollectionAgreement?

  /// Stores what both sides say of the calendar as a whole; nothing unless a run was bound so.
  func store(_ agreement: CollectionAgreement, of binding: SyncBinding) async throws

  /// The changes of properties that a run left behind when it was cut off, in their order.
  func pendingProperties(of binding: SyncBinding) async throws -> [PropertyLine]

  /// Makes a change of a property durable before it is sent; it is pending, whatever the line says.
  func record(_ line: PropertyLine, in run: RunID) async throws

  /// Records what became of a change of a property that is pending, of this run or of an earlier one.
  func settle(_ line: PropertyLine, in run: RunID) async throws

  /// Starts a run, binds the sync to `binding`, and drops its entries if they were bound otherwise.
  func beginRun(of binding: SyncBinding, at now: Instant) async throws -> RunID

  /// Makes intents durable, before anything of them is sent.
  func record(_ intents: [Intent], in run: RunID) async throws

  /// Records outcomes, clears the intents of their items and keeps them in the history of their run.
  ///
  /// Of runs of several syncs either all outcomes are recorded or none.
  func settle(_ outcomes: [RunID: [Settlement]]) async throws

  /// Ends a run with what it did.
  ///
  /// Without a time it stays one that was interrupted, with what it did until then.
  func endRun(_ run: RunID, summary: RunSummary, at now: Instant?) async throws
}

extension Ledger {
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
