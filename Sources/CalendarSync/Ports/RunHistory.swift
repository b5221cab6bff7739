// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// What runs did to which items, as a ledger remembers it for a while.
public protocol RunHistory: Sendable {
  /// The runs that are remembered, the newest first.
  ///
  /// - Parameter sync: The name of a sync, or nil for all of them.
  /// - Returns: The runs.
  /// - Throws: What the ledger cannot do.
  func runs(of sync: String?) async throws -> [PastRun]

  /// What a run did, in its order.
  func journal(of run: RunID) async throws -> [JournalLine]

  /// What a run did to the properties of the calendar as a whole, in its order.
  func propertyJournal(of run: RunID) async throws -> [PropertyLine]

  /// Writes down that a run takes an earlier one back.
  func note(_ run: RunID, undoes earlier: RunID) async throws

  /// Writes down that an item was moved from the calendar of one sync to that of another, with what the
  /// two did last with it.
  func note(_ uid: UID, movedFrom departure: String, to arrival: String) async throws

  /// How the last try at each sync ended, in order of name.
  func attempts() async throws -> [SyncAttempt]

  /// Writes down how a try at a sync ended, in place of the one before.
  func note(_ attempt: SyncAttempt) async throws
}

/// A run of a sync as the ledger remembers it.
public struct PastRun: Hashable, Sendable {
  /// Its number.
  public let id: RunID
  /// The name of the sync.
  public let sync: String
  /// What the sync was bound to, if that is still known.
  public let binding: SyncBinding?
  /// When it began.
  public let startedAt: Instant
  /// When it came to its end; nil if it was interrupted, or goes on.
  public let endedAt: Instant?
  /// What it did.
  public let summary: RunSummary
  /// The run that it took back, if it took one back.
  public let undoes: RunID?

  /// Creates a run of the past.
  public init(
    id: RunID, sync: String, binding: SyncBinding? = nil, startedAt: Instant, endedAt: Instant?,
    summary: RunSummary,
    undoes: RunID? = nil
  ) {
    self.id = id
    self.sync = sync
    self.binding = binding
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.summary = summary
    self.undoes = undoes
  }
}
