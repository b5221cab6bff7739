// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// An item that a filter excludes from the sync.
///
/// The ledger stores it, so that the next run need not fetch or read it again.
public struct OutsideItem: Hashable, Sendable {
  /// The side that holds the item.
  public enum Side: String, Hashable, Sendable {
    /// The local calendar.
    case local
    /// The remote.
    case remote
  }

  /// The side that holds it.
  public let side: Side
  /// The item.
  public let uid: UID
  /// Its location: an href on the remote, a name in the local calendar.
  public let place: String
  /// The version that was tested: an ETag on the remote, a fingerprint in the local calendar.
  public let version: String
  /// The time when the item enters the window; nil if only an edit can include it.
  public let until: Instant?

  /// Creates a record of an item.
  public init(side: Side, uid: UID, place: String, version: String, until: Instant?) {
    self.side = side
    self.uid = uid
    self.place = place
    self.version = version
    self.until = until
  }
}
