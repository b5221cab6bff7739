// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The options of a sync.
public struct SyncOptions: Hashable, Sendable {
  /// Whether to only create the plan; nothing is written, not even to the ledger.
  public var isDryRun = false
  /// The filter that selects the items; the state of the sync is bound to it.
  public var filter = ItemFilter()
  /// The limits for deletions.
  public var safeguards = Safeguards()
  /// The direction in which items and properties are copied.
  public var direction = SyncDirection.both
  /// The handling of items that were edited or deleted here; it matters only to a sync that pulls.
  public var edits = PulledEdits.restore
  /// The end of the UIDs that only this sync gives to items here; nil if it has none.
  ///
  /// With ``PulledEdits/restoreOwn``, such items are the sync's own even if the ledger does not know them.
  public var ownSuffix: String?
  /// The handling of a remote that was restored from a backup.
  public var rollback = RollbackHandling.stop
  /// Whether to compare full contents instead of ETags and timestamps.
  public var isVerifying = false
  /// The number of days after which contents are compared anyway; nil for never.
  public var verificationInterval: Int? = 30
  /// The number of items that a run handles at once; a run with more items is split into parts.
  ///
  /// The parts and batches for a local calendar in one file grow with the file.
  public var partSize = 500
  /// The maximum number of stored unsettled items; above it, the next run requests everything.
  public var unsettledLimit = 500
  /// The number of local changes per batch, which is also the number of open files in a folder.
  public var batchSize = 250
  /// The number of requests whose intents and outcomes are recorded together.
  public var requestBatchSize = 100
  /// The number of consecutive failed requests after which the remote counts as unreachable.
  public var failuresInARow = 3

  /// The moves between calendars that the run has to respect; see `SyncGroup`.
  public var moves = MoveContext()

  /// The default options.
  public init() {}

  /// Whether the run compares full contents.
  func isDueForVerification(_ checkpoint: SyncCheckpoint, now: Instant) -> Bool {
    guard !isVerifying else { return true }
    if checkpoint.isOfClockAhead(of: now) { return true }
    guard let verificationInterval, let last = checkpoint.verifiedAt else { return false }
    return now.secondsSinceEpoch - last.secondsSinceEpoch >= Int64(verificationInterval) * 86_400
  }
}

extension SyncOptions {
  /// The rules of a one-way sync; nil for a sync in both directions.
  var oneWay: OneWay? {
    switch direction {
    case .both: nil
    case .pull: OneWay(source: .remote, edits: edits, ownSuffix: ownSuffix)
    case .push: OneWay(source: .local, edits: edits)
    }
  }

  /// Whether items of one side may stay on that side alone, which are stored with their versions.
  var leavesItemsOutside: Bool { filter.isActive || direction == .push }
}

/// An event of a running sync, for display.
public enum SyncEvent: Hashable, Sendable {
  /// The progress of a phase; reported at its start, after each batch, and at its end.
  case progress(SyncProgress)
  /// The plan is complete; nothing has been changed yet.
  case planned(SyncPlan)
  /// An operation succeeded.
  case done(PlannedOperation)
  /// The item changed in the meantime; the next run handles it.
  case deferred(PlannedOperation)
  /// An item could not be synchronized; the run continues with the others.
  case failed(PlannedOperation, ItemObstacle)
  /// The remote lost a part of the sent content; each loss is reported once per run.
  case lost(RemoteLoss)
  /// A property of the calendar as a whole was changed.
  case property(CollectionChange, CollectionChange.Outcome)
  /// The properties of the calendar as a whole could not be read.
  case propertiesFailed(reason: String)
}

extension SyncEvent: CustomStringConvertible {
  /// The codes and values of the event, for logs: one line for each operation of a plan, otherwise one line.
  public var description: String {
    switch self {
    case .progress(let progress): "\(progress)"
    case .planned(let plan): "\(plan)"
    case .done(let operation): "done: \(operation)"
    case .deferred(let operation): "deferred: \(operation)"
    case .failed(let operation, let obstacle): "failed: \(operation); \(obstacle)"
    case .lost(let loss): "lost: \(loss)"
    case .property(let change, .planned): "planned: \(change)"
    case .property(let change, .done): "done: \(change)"
    case .property(let change, .failed(let obstacle)): "failed: \(change); \(obstacle)"
    case .propertiesFailed(let reason): "failed: properties; \(reason)"
    }
  }
}

/// The progress of a phase of a run.
public struct SyncProgress: Hashable, Sendable, CustomStringConvertible {
  /// The phases of a run in order; a phase without work is skipped.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The run reads changed local files and requests the remote changes; the total is unknown.
    case reading
    /// The run fetches items from the remote.
    case fetching
    /// The run carries out the plan on both sides.
    case writing
  }

  /// The phase.
  public let phase: Phase
  /// The number of finished items.
  public let done: Int
  /// The total number of items, constant during a phase; 0 if it is unknown.
  public let total: Int

  /// Creates a progress value.
  public init(_ phase: Phase, done: Int, total: Int) {
    self.phase = phase
    self.done = done
    self.total = total
  }

  /// The phase and the numbers: `fetching 3 of 10`, or `reading 3` if the total is unknown.
  public var description: String {
    total == 0 ? "\(phase.rawValue) \(done)" : "\(phase.rawValue) \(done) of \(total)"
  }
}
