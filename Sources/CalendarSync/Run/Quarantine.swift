// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The items of a sync that could not be synchronized, with the times of their next attempts.
///
/// One bad item must neither stop the others nor be sent in every run. After its second failure, an
/// item is skipped for an hour, then for two, and so on up to a week, or until its content changes.
struct Quarantine {
  /// A failure in this run.
  private struct Failure {
    let operation: PlannedOperation
    let obstacle: ItemObstacle
    /// Whether the other side explicitly rejected the item, so that the item is the cause.
    let isRefused: Bool
  }

  /// The delay after the second failure of an item, in seconds.
  private static let firstDelay: Int64 = 3_600
  /// The maximum delay of an item, in seconds.
  private static let longestDelay: Int64 = 7 * 86_400

  private let known: [UID: QuarantinedItem]
  private let now: Instant
  private var found: [UID: QuarantinedItem] = [:]
  private var failures: [Failure] = []
  /// Whether the items of the run are stored.
  private(set) var isStored = false

  /// Creates a quarantine with the failures of earlier runs.
  init(_ items: [QuarantinedItem], at now: Instant) {
    known = Dictionary(items.map { ($0.uid, $0) }) { first, _ in first }
    self.now = now
  }

  /// The failures of earlier runs, in order of UID.
  var before: [QuarantinedItem] { known.values.sorted { $0.uid < $1.uid } }

  /// Whether an item failed in earlier runs.
  func knows(_ uid: UID) -> Bool { known[uid] != nil }

  /// The reason of the last failure of an item; nil if the item did not fail in earlier runs.
  func obstacle(of uid: UID) -> ItemObstacle? { known[uid]?.reason }

  /// The plan without quarantined items; they are reported as skipped and count as failed.
  mutating func examine(_ plan: SyncPlan) -> SyncPlan {
    // In most runs there are no failures.
    guard !known.isEmpty || plan.operations.contains(where: \.isFailure) else { return plan }
    let operations = plan.operations.compactMap { operation -> PlannedOperation? in
      if let version = operation.undelivered, let item = known[operation.uid],
        Self.isOf(version, item)
      {
        return stillUndelivered(operation, item)
      }
      if operation.isFailure, let obstacle = operation.obstacle {
        found[operation.uid] = item(operation, obstacle, nextTry: nil)
        return operation
      }
      guard let item = heldBack(operation) else { return operation }
      found[operation.uid] = item
      return PlannedOperation(
        skipping: operation.uid, title: operation.title,
        because: .heldBack(failures: item.failures, item.reason), isFailure: true)
    }
    return SyncPlan(
      operations: operations, objection: plan.objection, conflicts: plan.conflicts)
  }

  /// Reports a resource once more that the remote still lists but does not return.
  ///
  /// It no longer counts as failed, because its version is unchanged.
  private mutating func stillUndelivered(
    _ operation: PlannedOperation, _ item: QuarantinedItem
  ) -> PlannedOperation? {
    found[operation.uid] = QuarantinedItem(
      uid: item.uid, title: item.title, reason: item.reason, content: item.content, failures: 0,
      since: min(item.since, now), nextTry: nil)
    guard !item.isLeft else { return nil }
    return PlannedOperation(
      skipping: operation.uid, title: operation.title, because: .stillNotDelivered)
  }

  private static let markPrefix = "undelivered "

  /// The marker of a version in the record of an undelivered resource.
  private static func mark(_ version: RemoteEntry) -> Fingerprint {
    Fingerprint(markPrefix + (version.etag?.quoted ?? ""))
  }

  /// Whether a record matches that version; if the remote reports no change, the ETag is unknown.
  private static func isOf(_ version: RemoteEntry, _ item: QuarantinedItem) -> Bool {
    guard let content = item.content, content.rawValue.hasPrefix(markPrefix) else { return false }
    return version.etag == nil || content == mark(version)
  }

  /// Records the failure of an operation.
  mutating func fail(
    _ operation: PlannedOperation, _ obstacle: ItemObstacle, isRefused: Bool = false
  ) {
    failures.append(Failure(operation: operation, obstacle: obstacle, isRefused: isRefused))
  }

  /// Records that the items of the run are stored.
  mutating func markStored() { isStored = true }

  /// The quarantined items after a run, in order of UID.
  ///
  /// - Parameters:
  ///   - hasChanges: Whether any operation succeeded.
  ///   - isCutShort: Whether the run ended early.
  /// - Returns: The items.
  func items(hasChanges: Bool, isCutShort: Bool) -> [QuarantinedItem] {
    // A run that ended early has not retried all earlier failures; their records are kept.
    var items = isCutShort ? known.merging(found) { $1 } : found
    // If all operations fail, the items are not the cause and are not delayed.
    let isOutage =
      isCutShort || !hasChanges && failures.count > 1 && !failures.contains(where: \.isRefused)
    for failure in failures {
      let isBlamed = failure.isRefused || !isOutage
      let count = failureCount(failure.operation, more: isBlamed ? 1 : 0)
      let next = now.adding(seconds: isBlamed ? Self.delay(after: count) : 0) ?? now
      // An attempt without an answer does not solve the problem of an earlier one.
      let isTaken = !failure.isRefused && obstacle(of: failure.operation.uid) == .placeTaken
      items[failure.operation.uid] = item(
        failure.operation, isTaken ? .placeTaken : failure.obstacle, count: count, nextTry: next)
    }
    return items.values.sorted { $0.uid < $1.uid }
  }

  /// The record of an item whose next attempt is not due.
  private func heldBack(_ operation: PlannedOperation) -> QuarantinedItem? {
    guard operation.isChange, let item = known[operation.uid], let next = item.nextTry,
      item.content == operation.content, now < next
    else { return nil }
    // A time beyond the maximum delay was set while the clock was ahead.
    guard let latest = now.adding(seconds: Self.delay(after: item.failures)), next <= latest else {
      return nil
    }
    return item
  }

  private func failureCount(_ operation: PlannedOperation, more: Int) -> Int {
    guard let item = known[operation.uid], item.content == operation.content else { return 1 }
    return item.failures + more
  }

  private func item(
    _ operation: PlannedOperation, _ obstacle: ItemObstacle, count: Int? = nil, nextTry: Instant?
  ) -> QuarantinedItem {
    let earlier = known[operation.uid]
    return QuarantinedItem(
      uid: operation.uid, title: operation.title, reason: obstacle,
      content: operation.undelivered.map(Self.mark) ?? operation.content,
      failures: count ?? (earlier?.failures ?? 0) + 1, since: min(earlier?.since ?? now, now),
      nextTry: nextTry)
  }

  /// The delay after a number of consecutive failures, in seconds; 0 after the first.
  private static func delay(after failures: Int) -> Int64 {
    guard failures > 1 else { return 0 }
    return min(firstDelay << Int64(min(failures - 2, 20)), longestDelay)
  }
}

extension PlannedOperation {
  /// The fingerprint of the content to write; nil for a deletion or if nothing is written.
  fileprivate var content: Fingerprint? {
    switch action {
    case .createRemote(let entry), .updateRemote(let entry, _, _): entry.item.fingerprint
    case .createLocal(let item, _), .updateLocal(let item, _, _), .append(let item):
      item.fingerprint
    case .putBack(let planned): planned.content?.fingerprint
    case .merge(let planned): planned.item.fingerprint
    case .sendMerged(let planned): planned.split?.items.remote.fingerprint
    case .deleteRemote, .deleteLocal, .record, .forget, .conflict, .skip: nil
    }
  }
}
