// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// What each side of a sync said of the calendar as a whole when they last agreed.
///
/// Two bases are kept, one a side, as for items: a side that spells a value differently, or refuses
/// one, has made no edit.
public struct CollectionAgreement: Hashable, Sendable {
  /// What the local side said.
  public var local: CollectionProperties
  /// What the remote said.
  public var remote: CollectionProperties
  /// When the remote was last asked.
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

  /// What one side said.
  subscript(side: MergeSide) -> CollectionProperties {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }

  /// Writes down what became of a change; what a side refused counts as agreed on until it is edited
  /// again, so that it is not sent every night.
  mutating func note(_ change: CollectionChange, _ outcome: CollectionChange.Outcome) {
    guard outcome == .done, let write = change.write else { return }
    self[write.side][change.property] = write.value
  }
}
