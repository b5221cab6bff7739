// SPDX-License-Identifier: Apache-2.0

/// A position in the history of a remote, for requesting later changes.
///
/// Only the remote creates and reads the text: a sync token (RFC 6578 §3.2), a CTag, the validators
/// of a feed. It may contain other data for the next run, such as the discovered address of the
/// calendar, which saves discovery in `Remote.openCalendar()`. The ledger stores it with the
/// `SyncBinding` from the end of one run to the start of the next. It contains no secret.
public struct RemoteCursor: Hashable, Sendable {
  /// The remote's own text.
  public let rawValue: String

  /// Creates a cursor from the remote's own text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// The changes of a remote since a cursor.
///
/// A remote that does not recognize or trust a cursor returns `complete`, as without a cursor. The
/// cursor of a response is never newer than the response. Changes in between are reported again and
/// never missed, unless an item was added and removed again in between.
public enum RemoteChanges: Hashable, Sendable {
  /// Nothing changed.
  case none(RemoteCursor)
  /// The added, changed and removed items; everything else is unchanged.
  ///
  /// `removed` contains only what the remote explicitly reported (a 404 in a report, RFC 6578
  /// §3.5). `changed` may include unchanged entries, and `removed` may include unknown hrefs.
  case some(changed: [RemoteEntry], removed: [Href], RemoteCursor)
  /// The complete listing, as from `RemoteCalendar.list()`; nil if the remote has no cursor.
  case complete([RemoteEntry], RemoteCursor?)
}
