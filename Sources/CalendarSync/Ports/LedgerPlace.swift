// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A ledger entry without its contents: enough to detect whether the item needs attention.
public struct LedgerPlace: Hashable, Sendable {
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
