// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The changes of a local calendar since a snapshot; all other items are unchanged.
///
/// An item that was only moved to another name is listed as gone and as found.
public struct LocalChanges: Hashable, Sendable {
  /// The items that are new or changed.
  public let found: [LocalRecord]
  /// The UIDs whose records are missing or changed.
  public let gone: Set<UID>

  /// Creates a set of changes.
  public init(found: [LocalRecord], gone: Set<UID>) {
    self.found = found
    self.gone = gone
  }

  /// The UIDs of all changed items.
  public var uids: Set<UID> { gone.union(found.lazy.map(\.uid)) }
}
