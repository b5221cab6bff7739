// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// From where the next run of a sync goes on, so that it need not look at everything again.
///
/// It only ever saves work. Without it, a run lists the remote, reads every file, and finds the same.
public struct SyncCheckpoint: Hashable, Sendable {
  /// From where the remote tells what changed.
  public var cursor: RemoteCursor?
  /// What the cursor passed over without its being settled: in conflict, unreadable, refused, put off.
  ///
  /// It is looked at again by each run, because the remote does not tell it again. What is noted without a
  /// tag is fetched again whatever tag it has.
  public var unsettled: [RemoteEntry]
  /// Where something was added that no answer of the remote has named yet.
  ///
  /// Of it, silence tells nothing: what is added after a cursor and deleted before the next question is in
  /// neither of the two states that a remote compares (RFC 6578 §3.5).
  public var unlisted: [Href]
  /// What the local calendar was.
  public var snapshot: LocalSnapshot?
  /// Whether the run left nothing to do: if nothing changed on either side, the next one is done.
  public var isAtRest: Bool
  /// Until when that holds; nil if time alone brings nothing into the filter of the sync.
  public var restsUntil: Instant?
  /// When the contents of both sides were last compared, and not only their tags.
  public var verifiedAt: Instant?

  /// For how long a run may find that time alone brings nothing into the filter, in seconds.
  static let longestRest: Int64 = 30 * 86_400

  /// Whether a clock that ran ahead left its mark: then what the filter left out was left out too early.
  func isOfClockAhead(of now: Instant) -> Bool {
    if let verifiedAt, verifiedAt > now { return true }
    guard let restsUntil, let latest = now.adding(seconds: Self.longestRest) else { return false }
    return restsUntil > latest
  }

  /// Creates a checkpoint; without arguments the one of a sync that never ran.
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
