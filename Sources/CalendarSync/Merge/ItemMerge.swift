// SPDX-License-Identifier: Apache-2.0

/// What is to be done with an item, from what each side did with it.
///
/// Where one side alone changed the item, its version is taken; where both did, `ThreeWayMerge` decides
/// property by property, and what does not go together is a conflict.
///
/// With a base (the sides once agreed on the item):
///
/// | local ╲ remote | unchanged | changed | absent |
/// |---|---|---|---|
/// | **unchanged** | nothing | take the remote's | delete locally |
/// | **changed** | take the local's | same content: agree, else merge | keep the edit: add to the remote |
/// | **absent** | delete on the remote | keep the edit: add locally | forget |
///
/// Without a base, an item that one side lacks is new on the other; one that both hold is agreed on if
/// the contents mean the same, and merged without a base if not. It is never a deletion.
///
/// Whatever is unknown on one side is left alone on both.
public enum ItemMerge: Hashable, Sendable {
  /// Both sides hold what they held.
  case nothing
  /// Both sides hold the same, which is new to the ledger.
  case agree
  /// The local version goes to the remote.
  case takeLocal
  /// The remote version comes to the local calendar.
  case takeRemote
  /// The local edit outlives the remote deletion: it is added to the remote again.
  case restoreRemote
  /// The remote edit outlives the local deletion: it is added to the local calendar again.
  case restoreLocal
  /// The item is deleted on the remote, as it was locally.
  case deleteRemote
  /// The item is deleted locally, as it was on the remote.
  case deleteLocal
  /// Neither side holds the item any more.
  case forget
  /// Both sides edited it differently: it is merged, or waits as a conflict.
  case conflict
  /// One side is unknown.
  case leave

  /// Decides on an item that the sides once agreed on.
  ///
  /// `areEqual` tells whether the two contents mean the same; it counts only if both changed.
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

  /// Decides on an item that the sides never agreed on.
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
