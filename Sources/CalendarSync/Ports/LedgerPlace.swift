// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A ledger entry without its contents: enough to see whether something may have to be done.
public struct LedgerPlace: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its name in the local calendar.
  public let localName: String
  /// What the local side held when the sides last agreed.
  public let localBase: Fingerprint
  /// Its name on the remote.
  public let href: Href
  /// Its version on the remote, if it is known.
  public let etag: EntityTag?
  /// Whether the ledger holds the content that was agreed on.
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
