// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CivilTime

/// How a sync runs.
public struct SyncOptions: Hashable, Sendable {
  /// Whether to make the plan and do nothing of it; then nothing is written, not even to the ledger.
  public var isDryRun = false
  /// Which items are brought from one side to the other; the state of the sync is bound to it.
  public var filter = ItemFilter()
  /// How many deletions are believed.
  public var safeguards = Safeguards()
  /// Whether the contents of both sides are compared, and not only dates and tags.
  public var isVerifying = false
  /// After how many days that is done all the same; nil for never.
  public var verificationInterval: Int? = 30
  /// How many items a run deals with at once; what has more to do goes on in parts.
  public var partSize = 500
  /// How many items may be noted as unsettled, before a run rather asks for everything again.
  public var unsettledLimit = 500
  /// How many items are written to the local calendar at a time; a folder has as many files open.
  public var batchSize = 250
  /// For how many requests the intents are written down at once, and then the outcomes.
  public var requestBatchSize = 25
  /// After how many failed requests in a row the remote counts as unreachable.
  public var failuresInARow = 3

  /// The items that are not deleted on the remote, because they were moved and have not got there yet.
  public var withheld: Set<UID> = []
  /// Where the items were that came from the calendar of another sync, on a remote of the same account.
  public var origins: [UID: MoveOrigin] = [:]
  /// The items that a cut-off run was about to add, and that another calendar has known.
  public var elsewhere: Set<UID> = []
  /// The items that a cut-off run of another sync was about to add; until it went on they are not deleted.
  public var awaited: Set<UID> = []

  /// The default options.
  public init() {}

  /// Whether a run compares contents.
  func isDueForVerification(_ checkpoint: SyncCheckpoint, now: Instant) -> Bool {
    guard !isVerifying else { return true }
    if checkpoint.isOfClockAhead(of: now) { return true }
    guard let verificationInterval, let last = checkpoint.verifiedAt else { return false }
    return now.secondsSinceEpoch - last.secondsSinceEpoch >= Int64(verificationInterval) * 86_400
  }
}
