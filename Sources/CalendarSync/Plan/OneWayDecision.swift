// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The rules of a one-way sync.
struct OneWay: Hashable {
  /// The side that decides.
  let source: MergeSide
  /// The handling of items that were edited or deleted here, if the remote is the source.
  let edits: PulledEdits

  /// The end of the UIDs that only this sync gives to items; nil if it has none.
  ///
  /// With ``PulledEdits/restoreOwn``, an item with such a UID is its own even if the ledger does not know it, such
  /// as after an undo.
  var ownSuffix: String?

  /// The side that is written.
  var target: MergeSide { source.other }

  /// Whether an item of the target that was changed there is left unchanged.
  var releases: Bool { source == .remote && edits == .release }

  /// Whether an item of the target that the ledger does not know is left unchanged.
  var keepsForeign: Bool { source == .remote && edits != .restore }

  /// Whether an item is the sync's own by its UID.
  func owns(_ uid: UID) -> Bool {
    guard edits == .restoreOwn, let ownSuffix else { return false }
    return uid.rawValue.hasSuffix(ownSuffix)
  }
}

/// The action for an item of a one-way sync, based on the changes of both sides.
///
/// The source is the side that decides, and the target is the side that is written. With a base (the
/// sides once agreed on the item):
///
/// | source ╲ target | unchanged | changed | absent |
/// |---|---|---|---|
/// | **unchanged** | nothing | overrule the edit | overrule the deletion |
/// | **changed** | update | equal: agree, else overrule the edit | overrule the deletion |
/// | **absent** | delete | delete with the edit | forget |
///
/// An item of the remote that this sync did not write there is not deleted; it is forgotten.
///
/// Without a base, an item of the source is added to the target, and an item of the target alone is
/// kept. An item on both sides is agreed on if the contents have the same meaning, and gets the version of
/// the source otherwise. An item of the target alone is deleted if its UID is one that only this sync gives.
///
/// With `PulledEdits.release`, an item that is changed or absent on the target is kept, and is forgotten if it
/// is absent on the source.
enum OneWayDecision: Hashable {
  /// Both sides are unchanged.
  case nothing
  /// Both sides hold the same version, which is new to the ledger.
  case agree
  /// Add the item to the target.
  case add
  /// Replace the agreed version of the target.
  case update
  /// Replace the version of the target, which is not the agreed one.
  case overruleEdit
  /// Add the item to the target again.
  case overruleDeletion
  /// Delete the agreed version of the target.
  case delete
  /// Delete the version of the target, which is not the agreed one.
  case deleteEdit
  /// Remove the entry of an item that neither side holds.
  case forget
  /// Leave the item of the target unchanged, for this reason.
  case keep(ItemObstacle)
  /// Leave the item of the target unchanged, for this reason, and remove its entry.
  case release(ItemObstacle)
  /// Skip the item, because one side is unknown.
  case leave

  /// Decides about an item with a base.
  ///
  /// - Parameters:
  ///   - source: The state of the side that decides.
  ///   - target: The state of the side that is written.
  ///   - areEqual: Whether the two contents have the same meaning.
  ///   - isOwn: Whether the sync may delete the item of the target.
  ///   - rules: The rules of the sync.
  init(
    source: SideState, target: SideState, areEqual: Bool, isOwn: Bool, _ rules: OneWay
  ) {
    self =
      switch (source, target) {
      case (.unknown, _), (_, .unknown): .leave
      case (.absent, .absent): .forget
      case (.unchanged, .unchanged): .nothing
      case (.changed, .unchanged): areEqual ? .agree : .update
      case (.absent, .unchanged) where isOwn: .delete
      case (.absent, .changed) where isOwn: rules.releases ? .release(.released) : .deleteEdit
      case (.absent, _): .release(.notOwn(rules.target))
      case (_, .changed) where areEqual: .agree
      case _ where rules.releases: .keep(.released)
      case (_, .changed): .overruleEdit
      case (_, .absent): .overruleDeletion
      }
  }

  /// Decides about an item without a base.
  ///
  /// - Parameters:
  ///   - isSource: Whether the side that decides has the item.
  ///   - isTarget: Whether the side that is written has it.
  ///   - areEqual: Whether the two contents have the same meaning.
  ///   - isOwn: Whether only this sync can have written the item of the target.
  ///   - rules: The rules of the sync.
  init(isSource: Bool, isTarget: Bool, areEqual: Bool, isOwn: Bool, _ rules: OneWay) {
    self =
      switch (isSource, isTarget) {
      case (true, true) where rules.keepsForeign && !isOwn: .keep(.notOwn(rules.target))
      case (true, true): areEqual ? .agree : .overruleEdit
      case (true, false): .add
      case (false, true) where isOwn: .delete
      case (false, true): .keep(.onlyOn(rules.target))
      case (false, false): .forget
      }
  }
}
