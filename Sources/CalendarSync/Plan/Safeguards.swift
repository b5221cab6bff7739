// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Prevents a mistake on one side from emptying the other.
///
/// A moved folder, a server that lists only half of its items, and a restored backup all look like
/// deletions. Above a limit, the user must confirm the deletions. Items that commands and programs
/// deleted by the library are in the history, and do not count.
public struct Safeguards: Hashable, Sendable {
  /// The number of deletions on one side that are always allowed, unless they empty it, or the other side has
  /// been emptied.
  ///
  /// Default: 2.
  public var deletions = 2
  /// The share of the items that may be deleted on one side, in percent.
  ///
  /// Default: 25.
  public var percent = 25
  /// The number of deletions that the user has allowed for this run.
  public var allowed = 0

  /// The items whose deletion is known to be meant, by the side on which the run deletes them.
  ///
  /// Commands or programs deleted them on the other side. They do not count.
  private(set) var meant: [MergeSide: Set<UID>] = [:]

  /// The sides on which no deletion is allowed, because the other side is on another file system.
  private(set) var doubted: Set<MergeSide> = []

  /// The origin of the deletions of the run.
  private(set) var cause = GuardObjection.Cause.missing

  /// The default safeguards.
  public init() {}

  /// Excuses deletions on a side that are known to be meant.
  mutating func excuse(_ uids: Set<UID>, on side: MergeSide) { meant[side] = uids }

  /// Forbids deletions on a side.
  mutating func doubt(_ side: MergeSide) { doubted.insert(side) }

  /// States the origin of the deletions of the run.
  mutating func attribute(to cause: GuardObjection.Cause) { self.cause = cause }

  /// The objection to the deletions of a plan, or nil if they are within the limits.
  ///
  /// `known` is the number of items that both sides held when they last agreed.
  func objection(to operations: [PlannedOperation], known: Int) -> GuardObjection? {
    var count = DeletionCount(meant: meant)
    count.add(operations)
    return objection(to: count, known: known)
  }

  /// The objection to a number of deletions, or nil if they are within the limits.
  func objection(to count: DeletionCount, known: Int) -> GuardObjection? {
    objection(count.remote, count.keptRemote, known - count.meantRemote, on: .remote)
      ?? objection(count.local, count.keptLocal, known - count.meantLocal, on: .local)
  }

  /// The maximum number of deletions on one side, given the number of known items.
  public func limit(of known: Int) -> Int {
    max(0, min(max(deletions, known * percent / 100), known - 1))
  }

  /// The objection to a number of deletions on a side, where `kept` more items are missing on the other side
  /// and stay because of an edit.
  private func objection(
    _ count: Int, _ kept: Int, _ known: Int, on side: MergeSide
  ) -> GuardObjection? {
    guard count > max(0, allowed) else { return nil }
    if doubted.contains(side) {
      return GuardObjection(
        side: side, deletions: count, known: known, cause: cause == .missing ? .otherPlace : cause)
    }
    // If nothing is left on the other side, it may have been emptied, whatever was edited on this side.
    guard count > max(deletions, known * percent / 100) || count + kept >= known else { return nil }
    return GuardObjection(side: side, deletions: count, known: known, cause: cause)
  }
}

/// The number of deletions on each side, without those that are known to be meant.
struct DeletionCount {
  private(set) var local = 0
  private(set) var remote = 0
  /// The numbers of deletions that are known to be meant.
  private(set) var meantLocal = 0
  private(set) var meantRemote = 0
  /// The numbers of items that an edit on this side keeps, although they are missing on the other side.
  private(set) var keptLocal = 0
  private(set) var keptRemote = 0
  private let meant: [MergeSide: Set<UID>]

  /// Creates a count without deletions.
  ///
  /// - Parameter meant: The items whose deletion on a side is known to be meant.
  init(meant: [MergeSide: Set<UID>] = [:]) {
    self.meant = meant
  }

  mutating func add(_ operations: [PlannedOperation]) {
    for operation in operations {
      switch operation.action {
      case .deleteLocal: add(operation.uid, on: .local)
      case .deleteRemote: add(operation.uid, on: .remote)
      case .createRemote where operation.overridesDeletion:
        if !isMeant(operation.uid, on: .local) { keptLocal += 1 }
      case .createLocal where operation.overridesDeletion:
        if !isMeant(operation.uid, on: .remote) { keptRemote += 1 }
      case .putBack(let planned):
        // The copy of a conflict has no place on the remote, and `known` does not count it.
        if planned.deletes(on: .local), planned.place != nil { local += 1 }
        if planned.deletes(on: .remote) { remote += 1 }
      default: continue
      }
    }
  }

  /// Adds the deletion of an item on a side.
  mutating func add(_ uid: UID, on side: MergeSide) {
    switch (side, isMeant(uid, on: side)) {
    case (.local, false): local += 1
    case (.local, true): meantLocal += 1
    case (.remote, false): remote += 1
    case (.remote, true): meantRemote += 1
    }
  }

  private func isMeant(_ uid: UID, on side: MergeSide) -> Bool {
    meant[side]?.contains(uid) ?? false
  }
}

/// The reason for stopping a plan: it contains too many deletions.
public struct GuardObjection: Hashable, Sendable, CustomStringConvertible {
  /// The origin of the deletions.
  public enum Cause: Hashable, Sendable {
    /// The items are missing on the other side.
    case missing
    /// The items are missing on the other side, which is on another file system than in the last
    /// run.
    ///
    /// An example is a disk that is not mounted.
    case otherPlace
    /// The run that is undone added the items.
    case undo(RunID)
    /// The other side lost agreed versions, as if it had been restored from a backup.
    ///
    /// The deletions are those of the items that are missing on it.
    case rollback(Rollback)
    /// The items were deleted on both sides, and the restored remote holds them again.
    case push
  }

  /// The side of the deletions.
  public let side: MergeSide
  /// The number of deletions.
  public let deletions: Int
  /// The number of items that both sides held when they last agreed.
  public let known: Int
  /// The origin of the deletions.
  public internal(set) var cause = Cause.missing

  /// The name of the cause, stable for programs: `missing`, `restored-remote`.
  public var code: String {
    switch cause {
    case .missing: "missing"
    case .otherPlace: "other-place"
    case .undo: "undo"
    case .push: "push"
    case .rollback: side == .local ? "restored-remote" : "restored-local"
    }
  }

  /// The code and the values, for logs: `missing (delete-local; 4 of 12)`.
  public var description: String {
    var values = ["delete-\(side.rawValue)", "\(deletions) of \(known)"]
    if case .rollback(let rollback) = cause {
      values.append("\(rollback.count) since \(rollback.since)")
    }
    return String(code: code, values)
  }
}
