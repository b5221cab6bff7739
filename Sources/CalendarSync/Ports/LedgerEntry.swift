// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The ledger's record of an item that both sides hold: its location, and its base on each side.
///
/// Each side has its own base, so that a server's normalization of the sent content does not count
/// as an edit.
public struct LedgerEntry: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its name in the local calendar.
  public var localName: String
  /// The fingerprint of the local version when the sides last agreed.
  public var localBase: Fingerprint
  /// Its name on the remote.
  public var href: Href
  /// Its ETag, if the remote returned one with the last write or listing.
  public var etag: EntityTag?
  /// The fingerprint of the remote version when the sides last agreed: as sent, or as fetched.
  public var remoteBase: Fingerprint
  /// The last agreed content of the local side, for a three-way merge.
  ///
  /// Nil under write-only access.
  public var base: [UInt8]?
  /// The content of the remote at that time, if its meaning differs from `base`.
  public var remoteContent: [UInt8]?
  /// Whether `base` was sent but not read back, so that the remote may have altered it.
  public var isUnseen: Bool
  /// Whether the remote version was sent and then read back, so that missing values may be losses.
  public var wasSent: Bool
  /// Whether the sync has written the item to the remote, now or earlier.
  ///
  /// A ledger keeps the value once it is true, until the item is forgotten.
  public var isOwn: Bool

  /// Creates an entry; an item whose remote version was sent is own, unless stated otherwise.
  public init(
    uid: UID, localName: String, localBase: Fingerprint, href: Href, etag: EntityTag?,
    remoteBase: Fingerprint, base: [UInt8]?, remoteContent: [UInt8]? = nil, isUnseen: Bool = false,
    wasSent: Bool = false, isOwn: Bool? = nil
  ) {
    self.uid = uid
    self.localName = localName
    self.localBase = localBase
    self.href = href
    self.etag = etag
    self.remoteBase = remoteBase
    self.base = base
    self.remoteContent = remoteContent
    self.isUnseen = isUnseen
    self.wasSent = wasSent
    self.isOwn = isOwn ?? (isUnseen || wasSent)
  }
}

/// A ledger entry without its contents: enough to detect whether the item needs attention.
public struct LedgerSummary: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its name in the local calendar.
  public let localName: String
  /// The fingerprint of the local version when the sides last agreed.
  public let localBase: Fingerprint
  /// Its name on the remote.
  public let href: Href
  /// Its ETag, if it is known.
  public let etag: EntityTag?
  /// Whether the ledger stores the agreed content.
  public let hasBase: Bool

  /// Creates a place.
  public init(
    uid: UID, localName: String, localBase: Fingerprint, href: Href, etag: EntityTag?,
    hasBase: Bool
  ) {
    self.uid = uid
    self.localName = localName
    self.localBase = localBase
    self.href = href
    self.etag = etag
    self.hasBase = hasBase
  }

  /// Creates the place of an entry.
  public init(_ entry: LedgerEntry) {
    self.init(
      uid: entry.uid, localName: entry.localName, localBase: entry.localBase, href: entry.href,
      etag: entry.etag, hasBase: entry.base != nil)
  }
}
