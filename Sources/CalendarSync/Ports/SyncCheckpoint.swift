// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Resume state for the next run of a sync, which avoids comparing everything again.
///
/// It is only an optimization. Without it, a run lists the remote, reads every file, and gets the
/// same result.
public struct SyncCheckpoint: Hashable, Sendable {
  /// The cursor for requesting the changes of the remote.
  public var cursor: RemoteCursor?
  /// The reported items that were not settled: conflicting, unreadable, rejected or deferred.
  ///
  /// Every run checks them again, because the remote does not report them again. An entry without a
  /// tag is fetched regardless of its current tag.
  public var unsettled: [RemoteEntry]
  /// The places of additions that no response of the remote has listed yet.
  ///
  /// If the remote does not report such a place, its state is unknown: an item added after a cursor
  /// and deleted before the next request is in neither of the two states that the remote compares
  /// (RFC 6578 §3.5).
  public var unlisted: [Href]
  /// The last snapshot of the local calendar.
  public var snapshot: LocalSnapshot?
  /// Whether the run left no work: if neither side changed, the next run has nothing to do.
  public var isAtRest: Bool
  /// The time until which `isAtRest` is valid; nil if time alone brings no item into the filter.
  public var restsUntil: Instant?
  /// The time of the last comparison of full contents instead of tags.
  public var verifiedAt: Instant?

  /// The maximum validity of `isAtRest` with a time window, in seconds.
  static let longestRest: Int64 = 30 * 86_400

  /// Whether the clock was ahead when this was stored, so that the filter excluded items too early.
  func isOfClockAhead(of now: Instant) -> Bool {
    if let verifiedAt, verifiedAt > now { return true }
    guard let restsUntil, let latest = now.adding(seconds: Self.longestRest) else { return false }
    return restsUntil > latest
  }

  /// Creates a checkpoint; the default is that of a sync that never ran.
  public init(
    cursor: RemoteCursor? = nil, unsettled: [RemoteEntry] = [], unlisted: [Href] = [],
    snapshot: LocalSnapshot? = nil, isAtRest: Bool = false, restsUntil: Instant? = nil,
    verifiedAt: Instant? = nil
  ) {
    self.cursor = cursor
    self.unsettled = unsettled
    self.unlisted = unlisted
    self.snapshot = snapshot
    self.isAtRest = isAtRest
    self.restsUntil = restsUntil
    self.verifiedAt = verifiedAt
  }
}
