// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// An item that a filter leaves on the side where it is.
///
/// It is remembered so that a run need neither fetch nor read it again to know.
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
  /// Where it is: an href on the remote, a name in the local calendar.
  public let place: String
  /// The version that was looked at: a tag on the remote, a fingerprint in the local calendar.
  public let version: String
  /// When it comes into the window; nil for never, as long as it is not changed.
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
