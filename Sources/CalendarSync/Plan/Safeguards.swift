// SPDX-License-Identifier: Apache-2.0

/// Keeps a mistake on one side from emptying the other.
///
/// A calendar whose folder was moved, a server that lists half of its items, a restored backup: all
/// look like deletions. Beyond a share, nobody is believed without being asked.
public struct Safeguards: Hashable, Sendable {
  /// How many deletions on one side are always let through, unless they empty it.
  ///
  /// Default: 2.
  public var deletions = 2
  /// Which share of the items, in percent, may be deleted on one side.
  ///
  /// Default: 25.
  public var percent = 25
  /// How many deletions were allowed this once, by a person who saw the number.
  public var allowed = 0

  /// The sides on which no deletion is believed, because the other side is not where it was.
  var doubted: Set<GuardObjection.Side> = []

  /// The default safeguards.
  public init() {}

  /// What stands against the deletions of a plan, or nil if they are few enough.
  ///
  /// `known` is how many items both sides held when they last agreed.
  func objection(to operations: [PlannedOperation], known: Int) -> GuardObjection? {
    var count = DeletionCount()
    count.add(operations)
    return objection(to: count, known: known)
  }

  /// What stands against so many deletions.
  func objection(to count: DeletionCount, known: Int) -> GuardObjection? {
    objection(count.remote, known, on: .remote) ?? objection(count.local, known, on: .local)
  }

  /// How many of the items that both sides held may be deleted on one side.
  public func limit(of known: Int) -> Int {
    max(0, min(max(deletions, known * percent / 100), known - 1))
  }

  private func objection(
    _ count: Int, _ known: Int, on side: GuardObjection.Side
  ) -> GuardObjection? {
    guard count > allowed, count > 0 else { return nil }
    if doubted.contains(side) {
      return GuardObjection(side: side, deletions: count, known: known, isOtherPlace: true)
    }
    guard count > max(deletions, known * percent / 100) || count >= known else { return nil }
    return GuardObjection(side: side, deletions: count, known: known)
  }
}

/// How many items would be deleted on each side.
struct DeletionCount {
  var local = 0
  var remote = 0

  mutating func add(_ operations: [PlannedOperation]) {
    for operation in operations {
      switch operation.action {
      case .deleteLocal: local += 1
      case .deleteRemote: remote += 1
      default: continue
      }
    }
  }
}

/// Why a plan is not carried out: it would delete too much.
public struct GuardObjection: Hashable, Sendable {
  /// Where the deletions would happen.
  public enum Side: String, Hashable, Sendable {
    /// In the local calendar, because the remote is without the items.
    case local
    /// On the remote, because the local calendar is without the items.
    case remote
  }

  /// Where the deletions would happen.
  public let side: Side
  /// How many there would be.
  public let deletions: Int
  /// How many items both sides held when they last agreed.
  public let known: Int
  /// Whether the side without the items is on another file system than at the last run, as where a disk is
  /// not mounted.
  public var isOtherPlace = false

  /// What is wrong, for people.
  public var message: String {
    let other = side == .local ? "remote" : "local"
    return "\(deletions) of \(known) items would be deleted on the \(side.rawValue) side, because "
      + "they are missing on the \(other) side\(place); nothing was changed"
  }

  private var place: String {
    isOtherPlace ? ", which is on another file system than at the last run" : ""
  }
}
