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
}
