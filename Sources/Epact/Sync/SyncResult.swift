// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime
import Synchronization

/// The result of a run of a sync.
public struct SyncResult: Sendable {
  /// The name of the sync.
  public let name: String
  /// The start time.
  public let startedAt: Instant
  /// The duration in seconds.
  public internal(set) var seconds: Double
  /// Whether the sync is a mirror.
  package internal(set) var isMirror = false
  /// Whether the sync may change what is on the remote.
  package internal(set) var changesRemote = true
  /// Whether the changes were only planned.
  public let isDryRun: Bool
  /// The numbers of changed items.
  public internal(set) var summary = RunSummary()
  /// The reason why a safeguard stopped the run; nil if none did.
  public internal(set) var objection: GuardObjection?
  /// The error that ended the run; nil if there is none.
  public internal(set) var error: EpactError?
  /// The number of items that were skipped because their changes need full access.
  public internal(set) var withheld = 0
  /// The reason for write-only access; nil under full access.
  public internal(set) var limit: WriteOnlyReason?
  /// The items that were not simply transferred, with the reasons, in order of the run; see
  /// ``isCut``.
  public internal(set) var items: [ItemOutcome] = []
  /// Whether there are more such items than the limit of 10,000.
  public internal(set) var isCut = false
  /// The final states of undone items; nil if the run is not an undo.
  public internal(set) var undo: UndoOutcome?
  /// The deleted items, which may include halves of moves.
  var departed: Set<UID> = []
  /// The added items with their titles.
  var arrived: [UID: String] = [:]
  /// The added items that came from the remote.
  var downloaded: Set<UID> = []

  init(name: String, startedAt: Instant, seconds: Double, isDryRun: Bool) {
    self.name = name
    self.startedAt = startedAt
    self.seconds = seconds
    self.isDryRun = isDryRun
  }

  /// The end time, which the metrics and the ledger share.
  var endedAt: Instant { startedAt.adding(seconds: Int64(max(0, seconds))) ?? startedAt }

  /// Whether the run was completed.
  public var isComplete: Bool { error == nil && objection == nil }

  /// The outcome of the run.
  public var outcome: SyncOutcome {
    if let error { return SyncOutcome(error.code) }
    if summary.stoppedByGuard { return .stoppedByGuard }
    // Problems that need the user take precedence; a retry may resolve the others.
    if summary.failed > 0 { return .someFailed }
    // The access was granted; only these items need more.
    if withheld > 0 { return .someFailed }
    if summary.conflicts > 0 { return .conflicts }
    return summary.deferred > 0 ? .unavailable : .done
  }

  /// The number of items by action; the action names are stable.
  package var counts: [(action: String, number: Int)] {
    [
      ("uploaded", summary.uploaded), ("downloaded", summary.downloaded),
      ("appended", summary.appended), ("deletedRemotely", summary.deletedRemotely),
      ("deletedLocally", summary.deletedLocally), ("failed", summary.failed),
      ("deferred", summary.deferred), ("withheld", withheld),
    ]
  }

  /// The error of the run as a whole on one line; nil if there is none.
  package var complaint: String? {
    error?.text
      ?? objection.map { objection in
        if case .rollback(let rollback) = objection.cause {
          let place = objection.side == .local ? "the remote" : "the local calendar"
          return "\(place) lost the agreed versions of \(Count(rollback.count, "item"))"
        }
        guard !isMirror else {
          return "\(objection.deletions) of \(objection.known) copies would have been deleted"
        }
        return
          "\(objection.deletions) of \(objection.known) items would have been deleted on the "
          + "\(objection.side.rawValue) side"
      }
  }

  /// The maximum number of items with an outcome.
  private static let itemLimit = 10_000

  /// Adds the outcome of an item.
  mutating func add(_ item: ItemOutcome) {
    guard items.count < Self.itemLimit else { return isCut = true }
    items.append(item)
  }

  /// The combined result of this run and a following one.
  func followed(by next: SyncResult) -> SyncResult {
    guard next.error == nil else { return next }
    var result = self
    result.summary = summary.followed(by: next.summary)
    (result.objection, result.withheld, result.undo) = (next.objection, next.withheld, nil)
    result.seconds += next.seconds
    result.departed.formUnion(next.departed)
    result.arrived.merge(next.arrived) { $1 }
    result.downloaded.formUnion(next.downloaded)
    next.items.forEach { result.add($0) }
    result.isCut = result.isCut || next.isCut
    return result
  }
}

/// The way in which a sync ended.
///
/// The raw values are stored in the ledger; they are those of `sysexits.h` where it has one.
public enum SyncOutcome: Int, Sendable, CaseIterable {
  /// Both sides are in step.
  case done = 0
  /// Some items failed, the others are in step.
  case someFailed = 1
  /// The run failed, and would fail again.
  case failed = 2
  /// Conflicts are pending.
  case conflicts = 3
  /// A safeguard stopped the run before any change.
  case stoppedByGuard = 5
  /// An argument of the caller is invalid (`EX_USAGE`).
  case invalidArgument = 64
  /// Something is locked, temporarily unreachable or changed concurrently (`EX_TEMPFAIL`).
  case unavailable = 75
  /// Access was not granted, or the server rejected the credentials (`EX_NOPERM`).
  case noAccess = 77
  /// The configuration is invalid (`EX_CONFIG`).
  case configuration = 78
  /// The run was interrupted (128 + SIGINT).
  case interrupted = 130

  /// The outcome of a run that ended with an error.
  package init(_ code: EpactError.Code) {
    self =
      switch code {
      case .configuration: .configuration
      case .argument: .invalidArgument
      case .noAccess: .noAccess
      case .unavailable: .unavailable
      case .interrupted: .interrupted
      case .partlyFailed: .someFailed
      case .undecided: .conflicts
      default: .failed
      }
  }
}

/// An event of a set of syncs, for display.
public enum SyncSetEvent: Sendable {
  /// A running sync reports a step.
  case running(sync: String, SyncEvent)
  /// A calendar of an account was created on a side that lacked it, or would be in a dry run.
  case calendarCreated(sync: String, title: String?, MergeSide, isPlanned: Bool)
  /// A calendar of an account is gone from a side; nothing was deleted on the other one.
  case calendarGone(sync: String, title: String?, MergeSide)
  /// A calendar of an account is on neither side any more, and was forgotten.
  case calendarForgotten(sync: String)
  /// A sync ended, with or without an error.
  case ended(SyncResult)
  /// The log of the sent requests could not be completed.
  case requestLogIncomplete(sync: String, EpactError)
  /// The outcome of the sync could not be stored, and is missing from its status.
  case outcomeNotStored(sync: String, reason: String)
}

/// The undone run, and the final states of its items.
public struct UndoOutcome: Sendable, Hashable {
  /// An item that the undo changed, or would change in a dry run.
  public struct Item: Sendable, Hashable {
    /// The item.
    public let uid: UID
    /// Its title after the undo; of a deleted item, its title before.
    public let title: String
    /// The version that was replaced or deleted; nil if the item is restored.
    public let before: CalendarItem?
    /// The version that the undo restores; nil if the item is deleted.
    public let after: CalendarItem?
    /// The name of its calendar, or else the path of that; nil for an item of a sync.
    public let calendar: String?
    /// The calendar that it leaves; nil unless the undo moves it to another one.
    public let origin: String?
  }

  /// The undone run.
  public let run: PastRun
  /// Whether the undone run was an import or an edit, which changes local calendars only.
  public let isLocal: Bool
  /// The later own changes that were passed over, because nothing of them is left to undo here.
  public internal(set) var passed: [PastRun] = []
  /// Whether nothing of the change could be taken back, so that the next undo goes further back.
  public internal(set) var isRefused = false
  /// The changed items, in order.
  public private(set) var items: [Item] = []
  /// The places of the items of local calendars in `items`, to find the other half of a move.
  private var places: [UID: Int] = [:]
  /// The number of items that differ between the sides and wait for a choice.
  public private(set) var apart = 0
  /// The number of items that only one side holds, by side; the next sync adds them to the other.
  public private(set) var alone: [MergeSide: Int] = [:]
  /// The number of items that differ between the sides, and that the next run of a one-way sync replaces
  /// again.
  public private(set) var overruled = 0
  /// The direction of the sync.
  public let direction: SyncDirection

  init(of run: PastRun, isLocal: Bool, _ direction: SyncDirection = .both) {
    self.run = run
    self.isLocal = isLocal
    self.direction = direction
  }

  /// Adds an operation; operations of other kinds are ignored.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - calendar: The name or the path of its calendar; nil for that of a sync.
  mutating func add(_ operation: PlannedOperation, in calendar: String? = nil) {
    guard case .putBack(let planned) = operation.action else { return }
    let item = Item(
      uid: operation.uid, title: (planned.content ?? planned.replaced)?.title ?? operation.title,
      before: planned.replaced, after: planned.content, calendar: calendar, origin: nil)
    if let place = places[item.uid], let moved = items[place].moved(by: item) {
      items[place] = moved
    } else {
      if calendar != nil, places[item.uid] == nil { places[item.uid] = items.count }
      items.append(item)
    }
    guard !isLocal else { return }
    switch planned.ending {
    case .agreed: break
    case .apart: if direction == .both { apart += 1 } else { overruled += 1 }
    // A one-way sync adds no item to its source.
    case .alone(.local) where direction == .pull, .alone(.remote) where direction == .push: break
    case .alone(let side): alone[side, default: 0] += 1
    }
  }
}

extension UndoOutcome.Item {
  /// The move that this and another half of it make; nil if they are no halves of a move.
  fileprivate func moved(by other: UndoOutcome.Item) -> UndoOutcome.Item? {
    let halves = after == nil ? (self, other) : (other, self)
    guard calendar != nil, calendar != other.calendar, let before = halves.0.before,
      halves.0.after == nil, halves.1.before == nil, let after = halves.1.after
    else { return nil }
    return UndoOutcome.Item(
      uid: uid, title: after.title, before: before, after: after, calendar: halves.1.calendar,
      origin: halves.0.calendar)
  }
}

/// The reason for which a sync has write-only access.
public enum WriteOnlyReason: Hashable, Sendable {
  /// The configuration of the sync asks for no more, whatever is granted.
  case requested
  /// The sync asks for more than was granted, or than an administrator allows.
  case granted
}

/// Counts what the events of a run say beyond its summary.
///
/// It is a class because the engine reports events while the session waits for it.
final class SyncTally: Sendable {
  private let counts: Mutex<SyncCounts>

  init(_ result: SyncResult) {
    counts = Mutex(SyncCounts(result))
  }

  /// Records that the sync has write-only access.
  ///
  /// - Parameter isRequested: Whether the sync asks for no more access, so that items other than
  ///   events are none of its items.
  func limit(isRequested: Bool) {
    counts.withLock { $0.limit(to: isRequested ? .requested : .granted) }
  }

  func record(_ event: SyncEvent) { counts.withLock { $0.record(event) } }

  /// The result of a completed run.
  func result(_ summary: RunSummary) -> SyncResult { counts.withLock { $0.result(summary) } }
}

private struct SyncCounts: Sendable {
  private let isDryRun: Bool
  private var result: SyncResult

  init(_ result: SyncResult) {
    self.result = result
    isDryRun = result.isDryRun
  }

  mutating func limit(to reason: WriteOnlyReason) { result.limit = reason }

  mutating func record(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      record(plan)
      if isDryRun { plan.operations.forEach { noteEnding($0) } }
    case .done(let operation):
      noteMove(operation)
      noteEnding(operation)
    case .deferred(let operation):
      result.add(ItemOutcome(operation, .deferred, ofMirror: result.isMirror))
    case .failed(let operation, let obstacle):
      result.add(
        ItemOutcome(operation, failedBecause: obstacle, ofMirror: result.isMirror))
    default: break
    }
  }

  /// The result of a completed run.
  func result(_ summary: RunSummary) -> SyncResult {
    var result = result
    result.summary = summary
    return result
  }

  private mutating func record(_ plan: SyncPlan) {
    result.objection = plan.objection
    for operation in plan.operations {
      let item = ItemOutcome(
        planned: operation, isWithheld: isWithheld(operation), ofMirror: result.isMirror)
      if let item { result.add(item) }
      switch operation.action {
      case .record, .forget, .conflict: continue
      case .skip:
        if isWithheld(operation) { result.withheld += 1 }
      default:
        if isDryRun { noteMove(operation) }
      }
    }
  }

  /// Whether a skipped operation needs more access.
  private func isWithheld(_ operation: PlannedOperation) -> Bool {
    guard let limit = result.limit, !operation.isFailure else { return false }
    guard limit != .granted, case .notAnEvent? = operation.obstacle else { return true }
    return false
  }

  /// Records an operation that may be one half of a move between calendars.
  private mutating func noteMove(_ operation: PlannedOperation) {
    switch operation.action {
    case .createLocal:
      result.arrived[operation.uid] = operation.title
      result.downloaded.insert(operation.uid)
    case .createRemote: result.arrived[operation.uid] = operation.title
    case .deleteLocal, .deleteRemote: result.departed.insert(operation.uid)
    default: break
    }
  }

  private mutating func noteEnding(_ operation: PlannedOperation) {
    guard case .putBack(let planned) = operation.action, isDryRun || planned.isLast else { return }
    result.undo?.add(operation)
  }
}

extension RunHistory {
  /// Stores the end of a sync, for its status; a failure keeps the time of the last success.
  func noteAttempt(
    of sync: String, _ outcome: SyncOutcome, _ complaint: String?, at now: Instant
  ) async throws {
    let earlier = try await attempts().first { $0.sync == sync }
    let isSuccess = [.done, .conflicts].contains(outcome)
    try await note(
      SyncAttempt(
        sync: sync, endedAt: now, status: outcome.rawValue, message: complaint,
        lastSuccess: isSuccess ? now : earlier?.lastSuccess.map { min($0, now) }))
  }
}
