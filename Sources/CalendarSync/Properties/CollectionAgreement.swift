// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The properties of the calendar on each side when the sides last agreed.
///
/// As for items, each side has its own base. A different spelling or a rejected value is therefore
/// not an edit.
public struct CollectionAgreement: Hashable, Sendable {
  /// The properties of the local side.
  public var local: CollectionProperties
  /// The properties of the remote.
  public var remote: CollectionProperties
  /// The time of the last request to the remote.
  public var readAt: Instant

  /// Creates an agreement.
  public init(
    local: CollectionProperties = CollectionProperties(),
    remote: CollectionProperties = CollectionProperties(), readAt: Instant
  ) {
    self.local = local
    self.remote = remote
    self.readAt = readAt
  }

  /// The properties of one side.
  subscript(side: MergeSide) -> CollectionProperties {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }

  /// Records the outcome of a change.
  ///
  /// A rejected value counts as agreed until it is edited again, so that it is not sent in every
  /// run.
  mutating func note(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    guard outcome == .done, let write = change.write else { return }
    self[write.side][change.property] = write.value
  }
}
