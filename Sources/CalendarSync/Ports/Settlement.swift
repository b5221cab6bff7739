// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What an item's state in the ledger becomes, once what was to be done with it is done or given up.
public struct Settlement: Hashable, Sendable {
  /// How the entry of the item changes.
  public enum Change: Hashable, Sendable {
    /// The sides agree on this.
    case record(LedgerEntry)
    /// Both sides are without the item.
    case forget
    /// The event was added to a remote that may not be read: remembered, so that it is added once.
    case appended(AppendRecord)
    /// The entry stays as it is.
    case keep
    /// The entry stays as it is, and so does what earlier runs were about to do: what this run was about
    /// to do was not done, which says nothing of theirs.
    case withdraw
  }

  /// The item.
  public let uid: UID
  /// How its entry changes.
  public let change: Change
  /// A conflict to store for it, replacing an older one; nil removes a stored conflict that is over.
  public let conflict: StoredConflict?

  /// Whether it changes what is known of both sides.
  ///
  /// What is forgotten may be on the remote still, which does not name it again: an item whose download
  /// was taken back is there as before.
  public var isAgreement: Bool {
    switch change {
    case .record, .forget: true
    case .appended, .keep, .withdraw: false
    }
  }

  /// Whether it writes down that nothing was changed.
  public var isGivenUp: Bool {
    switch change {
    case .keep, .withdraw: true
    case .record, .forget, .appended: false
    }
  }

  /// Creates a settlement; it also clears the item's pending intents, or those of the run alone where that
  /// withdraws.
  public init(uid: UID, change: Change, conflict: StoredConflict? = nil) {
    self.uid = uid
    self.change = change
    self.conflict = conflict
  }
}

/// What is remembered of an event that was added under write-only access.
public struct AppendRecord: Hashable, Sendable {
  /// The event.
  public let uid: UID
  /// The place it was added under.
  public let href: Href
  /// The tag that the answer told, if any.
  public let etag: EntityTag?
  /// What was sent.
  public let fingerprint: Fingerprint

  /// Creates a record.
  public init(uid: UID, href: Href, etag: EntityTag?, fingerprint: Fingerprint) {
    self.uid = uid
    self.href = href
    self.etag = etag
    self.fingerprint = fingerprint
  }
}

/// Two edits of one item that could not be merged; both versions are kept until one is chosen.
public struct StoredConflict: Hashable, Sendable {
  /// The item.
  public let uid: UID
  /// A title for people, from either version.
  public let title: String
  /// What both sides last agreed on, as the local side held it, if they ever did.
  public let base: [UInt8]?
  /// What the remote side held then, where it does not mean the same.
  public let remoteBase: [UInt8]?
  /// The local version; nil if it was deleted there.
  public let local: [UInt8]?
  /// The remote version; nil if it was deleted there.
  public let remote: [UInt8]?
  /// The place of the remote version; nil if it was deleted there, or noted before places were.
  public let href: Href?
  /// The version of the remote content, for the condition of a later write; nil if it is not known, or if
  /// the content has not got there yet.
  public let etag: EntityTag?
  /// Whether a run was taken back, and the sides differ since: then one version as a whole is chosen, and
  /// no policy chooses it.
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
