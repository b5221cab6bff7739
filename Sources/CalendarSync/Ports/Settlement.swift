// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The new state of an item in the ledger after its operation succeeded or was abandoned.
public struct Settlement: Hashable, Sendable {
  /// The change of the item's entry.
  public enum Change: Hashable, Sendable {
    /// The sides agree on this entry.
    case record(LedgerEntry)
    /// Neither side holds the item any more.
    case forget
    /// The event was added to a remote without read access; the record prevents a second addition.
    case appended(AppendRecord)
    /// The entry is unchanged.
    case keep
    /// The entry and the intents of earlier runs are unchanged.
    ///
    /// The intent of this run was not carried out, which proves nothing about the intents of
    /// earlier runs.
    case withdraw
  }

  /// The item.
  public let uid: UID
  /// The change of its entry.
  public let change: Change
  /// The conflict to store, replacing an older one; nil removes a resolved conflict.
  public let conflict: StoredConflict?

  /// Whether the settlement changes the agreement of the sides.
  ///
  /// `forget` counts because the item may still be on the remote, which does not report it again:
  /// undoing a download leaves the remote item in place.
  public var isAgreement: Bool {
    switch change {
    case .record, .forget: true
    case .appended, .keep, .withdraw: false
    }
  }

  /// Whether the settlement records that nothing was changed.
  public var isGivenUp: Bool {
    switch change {
    case .keep, .withdraw: true
    case .record, .forget, .appended: false
    }
  }

  /// Creates a settlement, which also clears the pending intents of the item.
  ///
  /// `Change.withdraw` clears only those of its run.
  public init(uid: UID, change: Change, conflict: StoredConflict? = nil) {
    self.uid = uid
    self.change = change
    self.conflict = conflict
  }
}

/// The record of an event that was added under write-only access.
public struct AppendRecord: Hashable, Sendable {
  /// The event.
  public let uid: UID
  /// The href of the added event.
  public let href: Href
  /// The ETag of the response, if any.
  public let etag: EntityTag?
  /// The fingerprint of the sent content.
  public let fingerprint: Fingerprint

  /// Creates a record.
  public init(uid: UID, href: Href, etag: EntityTag?, fingerprint: Fingerprint) {
    self.uid = uid
    self.href = href
    self.etag = etag
    self.fingerprint = fingerprint
  }
}

/// Two conflicting edits of one item; both versions are kept until the user chooses one.
public struct StoredConflict: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// A display title, from either version.
  public let title: String
  /// The last agreed content of the local side; nil if the sides never agreed.
  public let base: [UInt8]?
  /// The content of the remote at that time, if its meaning differs.
  public let remoteBase: [UInt8]?
  /// The local version; nil if it was deleted there.
  public let local: [UInt8]?
  /// The remote version; nil if it was deleted there.
  public let remote: [UInt8]?
  /// The href of the remote version; nil if it was deleted, or stored by a version without hrefs.
  public let href: Href?
  /// The ETag of the remote content, for the condition of a later write.
  ///
  /// Nil if it is unknown, or if the content has not been sent yet.
  public let etag: EntityTag?
  /// Whether undoing a run caused the conflict, or a file that took the place of the item's file.
  ///
  /// The user then chooses one version as a whole; no policy applies.
  public let isTakenBack: Bool

  /// Creates a conflict.
  public init(
    uid: UID, title: String, base: [UInt8]?, remoteBase: [UInt8]? = nil, local: [UInt8]?,
    remote: [UInt8]?, href: Href? = nil, etag: EntityTag?, isTakenBack: Bool = false
  ) {
    self.uid = uid
    self.title = title
    self.base = base
    self.remoteBase = remoteBase
    self.local = local
    self.remote = remote
    self.href = href
    self.etag = etag
    self.isTakenBack = isTakenBack
  }
}
