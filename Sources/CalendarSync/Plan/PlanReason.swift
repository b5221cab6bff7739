// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The reason for a planned operation.
///
/// Programs word the values. The code identifies the reason in logs and in machine-readable output.
public enum PlanReason: Hashable, Sendable {
  /// Neither side changed; only names, tags or alterations by the remote are recorded.
  case unchanged
  /// Both sides hold the same version, which the ledger does not know.
  case alike
  /// The item is new on this side.
  case added(MergeSide)
  /// The item changed on this side.
  case changed(MergeSide)
  /// The item was deleted on this side.
  case deleted(MergeSide)
  /// The item was deleted on both sides.
  case deletedOnBothSides
  /// The item was edited on this side and deleted on the other.
  ///
  /// If it is a meeting, its attendees may have been informed of the deletion, and are not informed
  /// of its return.
  case editOverDeletion(on: MergeSide, isMeeting: Bool)
  /// The version of this side is not the agreed one, and is replaced: a one-way sync writes the side.
  case overruledEdit(MergeSide)
  /// The item was deleted on this side, and is added again: a one-way sync writes the side.
  case overruledDeletion(MergeSide)
  /// The version of this side is not the agreed one, and is deleted: a one-way sync writes the side, and
  /// the item was deleted on the other.
  case deletedOverEdit(MergeSide)
  /// The item was deleted here by an earlier run, and the remote holds it again.
  case addedAgain
  /// The item changed on the remote, and occurrences are back that were excluded here, or that the
  /// series does not have any more.
  case broughtBack(excluded: [EventTime], stray: [EventTime])
  /// Both sides changed, and the changes are merged; the conflicts are those that a rule or a policy
  /// decided.
  case merged([MergeConflict])
  /// Both sides changed, and the changes are merged except for the parts that wait for a choice.
  case mergedInPart([MergeConflict])
  /// Both sides changed the same parts differently; both versions are kept.
  case conflict
  /// Both versions were kept by an earlier run, and wait for a choice.
  case awaitsChoice
  /// The run that changed the item was undone; both versions are kept and wait for a choice.
  case runUndone
  /// A file with an older text took the place of the item's file; both versions are kept and wait
  /// for a choice.
  case olderFile(FileTakeover)
  /// A restored remote lost the item.
  case lostByRemote
  /// A restored remote holds an earlier version of the item.
  case earlierOnRemote
  /// The item was deleted before the remote was restored.
  case deletedBeforeRestore
  /// The addition of the event by the last run was interrupted.
  case additionInterrupted
  /// An undo of a run, with its effect.
  case undo(UndoEffect)
  /// The item is skipped.
  case obstacle(ItemObstacle)

  /// The effects of an undo on an item.
  public enum UndoEffect: Hashable, Sendable {
    /// The ledger records the alterations by the server.
    case recorded
    /// The item has the version from before the run.
    case restored
    /// The item has the version from before the run with the later edits.
    case restoredWithLaterEdits
    /// The sides have their versions from before the run, which differ and wait for a choice.
    case restoredApart
    /// The item that the run added to this side is removed.
    case removed(MergeSide)
  }
}

extension PlanReason: CustomStringConvertible {
  /// The code and the values, for logs.
  public var description: String {
    String(code: code, values)
  }

  /// The name of the reason, stable for programs: `changed-local`, `merged`, `no-etag`.
  public var code: String {
    switch self {
    case .unchanged: "unchanged"
    case .alike: "alike"
    case .added(let side): "added-\(side.rawValue)"
    case .changed(let side): "changed-\(side.rawValue)"
    case .deleted(let side): "deleted-\(side.rawValue)"
    case .deletedOnBothSides: "deleted-both"
    case .editOverDeletion(let side, _): "edit-over-deletion-\(side.rawValue)"
    case .overruledEdit(let side): "overruled-edit-\(side.rawValue)"
    case .overruledDeletion(let side): "overruled-deletion-\(side.rawValue)"
    case .deletedOverEdit(let side): "deleted-over-edit-\(side.rawValue)"
    case .addedAgain: "added-again"
    case .broughtBack: "brought-back"
    case .merged: "merged"
    case .mergedInPart: "merged-in-part"
    case .conflict: "conflict"
    case .awaitsChoice: "awaits-choice"
    case .runUndone: "run-undone"
    case .olderFile: "older-file"
    case .lostByRemote: "lost-by-remote"
    case .earlierOnRemote: "earlier-on-remote"
    case .deletedBeforeRestore: "deleted-before-restore"
    case .additionInterrupted: "addition-interrupted"
    case .undo(let effect): effect.code
    case .obstacle(let obstacle): obstacle.code
    }
  }

  private var values: [String] {
    switch self {
    case .editOverDeletion(_, let isMeeting): isMeeting ? ["meeting"] : []
    case .broughtBack(let excluded, let stray): (excluded + stray).map { "\($0)" }
    case .merged(let conflicts), .mergedInPart(let conflicts): conflicts.map(\.description)
    case .olderFile(let takeover): [takeover.known, takeover.name]
    case .obstacle(let obstacle): obstacle.values
    default: []
    }
  }
}

extension PlanReason.UndoEffect {
  fileprivate var code: String {
    switch self {
    case .recorded: "undo-recorded"
    case .restored: "undo-restored"
    case .restoredWithLaterEdits: "undo-restored-with-later-edits"
    case .restoredApart: "undo-restored-apart"
    case .removed(let side): "undo-removed-\(side.rawValue)"
    }
  }
}
