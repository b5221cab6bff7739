// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What the ledger knows of one item that both sides hold: where it is, and what each side last held.
///
/// Two bases are kept, one a side, so that a server that rewrites what it is sent has made no edit.
public struct LedgerEntry: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// Its name in the local calendar.
  public var localName: String
  /// What the local side held when the sides last agreed.
  public var localBase: Fingerprint
  /// Its name on the remote.
  public var href: Href
  /// Its version on the remote, if the remote told one with the last write or listing.
  public var etag: EntityTag?
  /// What the remote held when the sides last agreed: as sent, or as fetched.
  public var remoteBase: Fingerprint
  /// The bytes of the last agreed content, as the local side held it, for a three-way merge; nil under
  /// write-only access.
  public var base: [UInt8]?
  /// The bytes that the remote held then, where it does not mean the same as `base`.
  public var remoteContent: [UInt8]?
  /// Whether the remote was sent `base` and not read since, so that it may hold something else.
  public var isUnseen: Bool
  /// Whether the remote was sent its version and read since, so that what it lacks of a value may be lost.
  public var wasSent: Bool

  /// Creates an entry.
  public init(
    uid: UID, localName: String, localBase: Fingerprint, href: Href, etag: EntityTag?,
    remoteBase: Fingerprint, base: [UInt8]?, remoteContent: [UInt8]? = nil, isUnseen: Bool = false,
    wasSent: Bool = false
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
  }
}
