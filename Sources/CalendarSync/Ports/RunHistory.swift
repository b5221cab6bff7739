// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The history of recent runs and their changes.
public protocol RunHistory: Sendable {
  /// The stored runs, newest first.
  ///
  /// - Parameter sync: The name of a sync, or nil for all of them.
  /// - Returns: The runs.
  /// - Throws: An error of the ledger.
  func runs(of sync: String?) async throws -> [PastRun]

  /// The changes of a run, in order.
  func journal(of run: RunID) async throws -> [JournalLine]

  /// The property changes of a run, in order.
  func propertyJournal(of run: RunID) async throws -> [PropertyLine]

  /// Records that a run undoes an earlier one.
  func note(_ run: RunID, undoes earlier: RunID) async throws

  /// Records that a run is the user's choice between the versions of a conflict.
  func noteChoice(_ run: RunID) async throws

  /// Records a move of an item between two syncs, in the last change of the item by each of them.
  func note(_ uid: UID, movedFrom departure: String, to arrival: String) async throws

  /// The outcome of the last attempt at each sync, in order of name.
  func attempts() async throws -> [SyncAttempt]

  /// Stores the outcome of an attempt at a sync, and replaces the previous one.
  func note(_ attempt: SyncAttempt) async throws
}

/// A run of a sync in the history.
public struct PastRun: Hashable, Sendable {
  /// Its number.
  public let id: RunID
  /// The name of the sync.
  public let sync: String
  /// The binding of the sync, if it is still stored.
  public let binding: SyncBinding?
  /// The start time.
  public let startedAt: Instant
  /// The end time; nil if the run was interrupted or is in progress.
  public let endedAt: Instant?
  /// The summary of the run.
  public let summary: RunSummary
  /// The run that this run undid; nil if it undid none.
  public let undoes: RunID?
  /// Whether the run is the user's choice between the versions of a conflict.
  public var isChoice = false

  /// Creates a past run.
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

/// The results of a run of a sync: numbers of changed items and calendar properties.
public struct RunSummary: Hashable, Sendable, CustomStringConvertible {
  /// Added to or changed on the remote.
  public var uploaded = 0
  /// Added to or changed in the local calendar.
  public var downloaded = 0
  /// Deleted on the remote.
  public var deletedRemotely = 0
  /// Deleted in the local calendar.
  public var deletedLocally = 0
  /// Added under write-only access.
  public var appended = 0
  /// Unresolved conflicts at the end of the run.
  public var conflicts = 0
  /// Items that could not be synchronized; each is reported.
  public var failed = 0
  /// Items that changed in the meantime, or whose place was taken; the next run handles them.
  public var deferred = 0
  /// Calendar properties that were set or removed, on either side.
  public var properties = 0
  /// Whether a safeguard stopped the run before any change.
  public var stoppedByGuard = false

  /// Whether the run changed any item on either side.
  package var hasChanges: Bool {
    uploaded + downloaded + deletedRemotely + deletedLocally + appended > 0
  }

  /// The numbers that are not 0, for logs: `uploaded 2, deleted-locally 1`, or `unchanged`.
  public var description: String {
    let counts = [
      ("uploaded", uploaded), ("downloaded", downloaded), ("deleted-remotely", deletedRemotely),
      ("deleted-locally", deletedLocally), ("appended", appended), ("conflicts", conflicts),
      ("failed", failed), ("deferred", deferred), ("properties", properties),
    ]
    let words =
      counts.filter { $0.1 != 0 }.map { "\($0.0) \($0.1)" }
      + (stoppedByGuard ? ["stopped-by-guard"] : [])
    return words.isEmpty ? "unchanged" : words.joined(separator: ", ")
  }

  /// Creates a summary of a run that did nothing.
  public init() {}

  /// The summary of this run and a following one: the changes of both, and what the last one left.
  package func followed(by next: RunSummary) -> RunSummary {
    var sum = next
    sum.uploaded += uploaded
    sum.downloaded += downloaded
    sum.deletedRemotely += deletedRemotely
    sum.deletedLocally += deletedLocally
    sum.appended += appended
    sum.properties += properties
    return sum
  }
}

/// The outcome of the last attempt at a sync, even if the attempt did not start a run.
public struct SyncAttempt: Hashable, Sendable {
  /// The name of the sync.
  public let sync: String
  /// The end time.
  public let endedAt: Instant
  /// The exit status for this sync alone.
  public let status: Int
  /// The error message, if any, for display.
  public let message: String?
  /// The time of the last attempt without problems, apart from unresolved conflicts.
  public let lastSuccess: Instant?

  /// Creates the record of an attempt.
  public init(
    sync: String, endedAt: Instant, status: Int, message: String?, lastSuccess: Instant?
  ) {
    self.sync = sync
    self.endedAt = endedAt
    self.status = status
    self.message = message
    self.lastSuccess = lastSuccess
  }
}
