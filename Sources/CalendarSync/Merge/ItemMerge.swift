// SPDX-License-Identifier: Apache-2.0

/// The action for an item, based on the changes of both sides.
///
/// If only one side changed the item, its version is used. If both sides changed it,
/// `ThreeWayMerge` merges the properties, and incompatible changes are a conflict.
///
/// With a base (the sides once agreed on the item):
///
/// | local ╲ remote | unchanged | changed | absent |
/// |---|---|---|---|
/// | **unchanged** | nothing | use the remote version | delete locally |
/// | **changed** | use the local version | equal: agree, else merge | add to the remote again |
/// | **absent** | delete on the remote | add locally again | forget |
///
/// Without a base, an item that exists on one side only is added to the other one. An item on both
/// sides is agreed on if the contents have the same meaning, and merged without a base otherwise.
/// It is never deleted.
///
/// If one side is unknown, both sides are left unchanged.
public enum ItemMerge: Hashable, Sendable {
  /// Both sides are unchanged.
  case nothing
  /// Both sides hold the same version, which is new to the ledger.
  case agree
  /// Copy the local version to the remote.
  case takeLocal
  /// Copy the remote version to the local calendar.
  case takeRemote
  /// Add the item to the remote again: the local edit overrides the remote deletion.
  case restoreRemote
  /// Add the item to the local calendar again: the remote edit overrides the local deletion.
  case restoreLocal
  /// Delete the item on the remote, as it was deleted locally.
  case deleteRemote
  /// Delete the item locally, as it was deleted on the remote.
  case deleteLocal
  /// Remove the entry of an item that neither side holds.
  case forget
  /// Merge different edits of both sides, or store a conflict.
  case conflict
  /// Skip the item, because one side is unknown.
  case leave

  /// Decides about an item with a base.
  ///
  /// `areEqual` states whether the two contents have the same meaning; it matters only if both
  /// changed.
  public init(local: SideState, remote: SideState, areEqual: Bool) {
    self =
      switch (local, remote) {
      case (.unknown, _), (_, .unknown): .leave
      case (.unchanged, .unchanged): .nothing
      case (.unchanged, .changed): .takeRemote
      case (.unchanged, .absent): .deleteLocal
      case (.changed, .unchanged): .takeLocal
      case (.changed, .changed): areEqual ? .agree : .conflict
      case (.changed, .absent): .restoreRemote
      case (.absent, .unchanged): .deleteRemote
      case (.absent, .changed): .restoreLocal
      case (.absent, .absent): .forget
      }
  }

  /// Decides about an item without a base.
  public init(isLocal: Bool, isRemote: Bool, areEqual: Bool) {
    self =
      switch (isLocal, isRemote) {
      case (true, true): areEqual ? .agree : .conflict
      case (true, false): .takeLocal
      case (false, true): .takeRemote
      case (false, false): .forget
      }
  }
}

/// The change of an item on one side since the sides last agreed.
public enum SideState: Hashable, Sendable, CaseIterable {
  /// The side holds the agreed version.
  case unchanged
  /// The side holds another version.
  case changed
  /// The side does not hold the item.
  case absent
  /// The version of the side is unreadable, or the side could not be contacted.
  case unknown
}
