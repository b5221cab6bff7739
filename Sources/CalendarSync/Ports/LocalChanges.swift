// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What became of a local calendar since a snapshot of it; all that is not named is as it was.
///
/// An item that is only at another place now is named as gone and as found.
public struct LocalChanges: Hashable, Sendable {
  /// The items that are new, or not as they were.
  public let found: [LocalRecord]
  /// The UIDs of which a record is not there any more as it was.
  public let gone: Set<UID>

  /// Creates what changed.
  public init(found: [LocalRecord], gone: Set<UID>) {
    self.found = found
    self.gone = gone
  }

  /// The UIDs that have to be looked at.
  public var uids: Set<UID> { gone.union(found.lazy.map(\.uid)) }
}
