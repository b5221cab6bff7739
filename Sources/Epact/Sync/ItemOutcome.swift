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
  /// The problem, if the user can solve it.
  public let problem: ItemProblem?

  init(_ operation: PlannedOperation, _ kind: Kind, reason: String? = nil) {
    (uid, title, self.kind) = (operation.uid, operation.title, kind)
    (self.reason, problem) = (reason ?? operation.reason, operation.problem)
  }

  /// The outcome that a plan gives an item; nil if the item is transferred, or nothing is reported.
  init?(planned operation: PlannedOperation, isWithheld: Bool) {
    switch operation.action {
    case .record where operation.isAlreadyThere: self.init(operation, .alreadyThere)
    case .conflict: self.init(operation, .conflict)
    case .skip:
      self.init(operation, operation.isFailure ? .failed : isWithheld ? .withheld : .skipped)
    default:
      guard operation.overridesDeletion else { return nil }
      self.init(operation, .broughtBack)
    }
  }
}
