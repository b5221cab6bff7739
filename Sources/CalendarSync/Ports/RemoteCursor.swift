// SPDX-License-Identifier: Apache-2.0

/// A point in the history of a remote, from which it can tell what changed since.
///
/// The text is made by the remote, and only the remote reads it: a sync token (RFC 6578 §3.2), a CTag, the
/// validators of a feed. It may hold whatever else the remote wants to know again before its first
/// request, such as the address at which it found the calendar, so that `Remote.openCalendar()` need
/// not look for it. The ledger keeps it, bound to the `SyncBinding`, from the end of one run to the
/// beginning of the next. It holds no secret.
public struct RemoteCursor: Hashable, Sendable {
  /// The remote's own text.
  public let rawValue: String

  /// Creates a cursor from the remote's own text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// What changed on a remote since a cursor.
///
/// A remote that does not know a cursor any more, or doubts it, answers `complete` as if it had been
/// given none. The cursor of an answer stands for a moment that is not after the answer: what changes
/// in between is told once more, and never passed over, unless it came and went again.
public enum RemoteChanges: Hashable, Sendable {
  /// Nothing changed.
  case none(RemoteCursor)
  /// What was added or changed, and what the remote said in so many words to be gone (a 404 in a report,
  /// RFC 6578 §3.5). Everything else is as it was; an entry that did not change may be among those that
  /// did, and an href that nobody knew among those that are gone.
  case some(changed: [RemoteEntry], removed: [Href], RemoteCursor)
  /// Everything that there is, as `RemoteCalendar.list()` tells it; nil if the remote has no cursor.
  case complete([RemoteEntry], RemoteCursor?)
}
