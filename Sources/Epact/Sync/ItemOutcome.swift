// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// The outcome of an item that a run of a sync did not simply transfer, with the reason.
///
/// ```swift
/// for item in result.items where item.kind == .failed { print(item.title, item.reason) }
/// ```
public struct ItemOutcome: Sendable, Hashable {
  /// The kinds of outcomes.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Both sides held the same version already; nothing was sent.
    case alreadyThere
    /// An edit of one side added again what the other side had deleted.
    case broughtBack
    /// The sides differed, and a policy or a one-way sync took the version of one side.
    case decided
    /// The item was added or changed here, and no view by days shows it.
    case undated
    /// Both sides were edited, and the item waits for a choice.
    case conflict
    /// The item was skipped and needs no decision, or none that the sync knows.
    case skipped
    /// The item changed during the run; the next run handles it.
    case deferred
    /// The change needs full access.
    case withheld
    /// The item could not be synchronized.
    case failed
  }

  /// The UID of the item.
  public let uid: UID
  /// The title of the item; its UID if the title is unknown.
  public let title: String
  /// The kind.
  public let kind: Kind
  /// The reason, for display.
  public let reason: String
  /// The obstacle; nil if the item was not skipped and did not fail.
  public let obstacle: ItemObstacle?

  init(
    _ operation: PlannedOperation, _ kind: Kind, reason: String? = nil, ofMirror isMirror: Bool
  ) {
    (uid, title, self.kind) = (operation.uid, operation.title, kind)
    self.reason = reason ?? operation.reason.words(ofMirror: isMirror)
    obstacle = operation.obstacle
  }

  /// The outcome of an operation that failed.
  init(
    _ operation: PlannedOperation, failedBecause obstacle: ItemObstacle, ofMirror isMirror: Bool
  ) {
    (uid, title, kind) = (operation.uid, operation.title, .failed)
    (reason, self.obstacle) = (obstacle.words(ofMirror: isMirror), obstacle)
  }

  /// The outcome that a plan gives an item; nil if the item is transferred, or nothing is reported.
  init?(planned operation: PlannedOperation, isWithheld: Bool, ofMirror isMirror: Bool) {
    switch operation.action {
    case .record where operation.isAlreadyThere:
      self.init(operation, .alreadyThere, ofMirror: isMirror)
    case .conflict: self.init(operation, .conflict, ofMirror: isMirror)
    case .skip:
      self.init(
        operation, operation.isFailure ? .failed : isWithheld ? .withheld : .skipped,
        ofMirror: isMirror)
    default:
      if operation.overridesDeletion {
        self.init(operation, .broughtBack, ofMirror: isMirror)
      } else if operation.isDecidedByPolicy {
        self.init(operation, .decided, ofMirror: isMirror)
      } else if let remark = operation.undatedRemark {
        self.init(operation, .undated, reason: remark, ofMirror: isMirror)
      } else {
        return nil
      }
    }
  }
}

extension PlannedOperation {
  /// Why no view by days shows the item that is written here; nil if one does, or nothing is written.
  package var undatedRemark: String? {
    switch action {
    case .createLocal(let item, _), .updateLocal(let item, _, replacing: _): item.undatedRemark
    case .merge(let planned): planned.item.undatedRemark
    default: nil
    }
  }
}

extension CalendarItem {
  /// Why no view by days shows the item; nil if one does.
  var undatedRemark: String? {
    let reason: String? =
      hasUnreadableTime
      ? "a time of it cannot be read" : hasEventWithoutStart ? "it has no start" : nil
    return reason.map { "\($0), so that no view by days shows it" }
  }
}
