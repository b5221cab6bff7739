// SPDX-License-Identifier: Apache-2.0

/// The direction in which a sync copies items and the properties of calendars.
public enum SyncDirection: String, Hashable, Sendable, CaseIterable {
  /// Changes of each side are copied to the other.
  case both
  /// The remote decides: its versions are copied here, and nothing is sent.
  ///
  /// A local edit or deletion of an item of the remote is undone; the journal of the run keeps the
  /// edit. An item that only the local calendar holds is left unchanged and reported.
  case pull
  /// The local calendar decides: its versions are sent, and nothing is written here.
  ///
  /// An edit of such an item on the remote is overwritten; the journal of the run keeps it. An item
  /// that this sync did not write there is never deleted there.
  case push

  /// The sides that the sync writes.
  var written: [MergeSide] {
    switch self {
    case .both: MergeSide.allCases
    case .pull: [.local]
    case .push: [.remote]
    }
  }
}

/// The handling of items that were edited or deleted here, in a sync that pulls.
public enum PulledEdits: Hashable, Sendable, CaseIterable {
  /// The item gets the version of the remote again.
  ///
  /// An item that the sync did not write here is replaced, too, if the remote holds its UID.
  case restore
  /// The item gets the version of the remote again, unless the sync did not write it here.
  case restoreOwn
  /// The item is left unchanged, whatever the remote does, until it has an agreed version again.
  ///
  /// An item that the sync did not write here is left unchanged, too.
  case release
}
