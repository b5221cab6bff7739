// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The key of the state of a sync: if any part changes, the state is not used.
///
/// A sync without state matches items by UID and content, and never deletes.
public struct SyncBinding: Hashable, Sendable {
  /// The name of the sync in the configuration.
  public let name: String
  /// The location of the local calendar.
  public let local: String
  /// The remote calendar.
  public let remote: RemoteIdentity
  /// The filter that selects the items, as the text of `ItemFilter.text`.
  public let filter: String

  /// Creates a binding.
  public init(name: String, local: String, remote: RemoteIdentity, filter: String = "") {
    self.name = name
    self.local = local
    self.remote = remote
    self.filter = filter
  }
}

extension SyncBinding {
  /// The kind of the remote identity in bindings without a remote.
  private static let importKind = "import"

  /// The binding of runs that import files into a calendar: the calendar alone.
  public static func imports(into location: String) -> SyncBinding {
    SyncBinding(
      name: "\(importKind):\(location)", local: location,
      remote: RemoteIdentity(kind: importKind, location: ""))
  }

  /// Whether the binding is that of an import.
  public var isImport: Bool { remote.kind == Self.importKind }

  /// The kind of the remote identity, and the name, of edits.
  private static let editKind = "edit"

  /// The binding of all edits: no calendar, because an edit may change several.
  public static let edits = SyncBinding(
    name: "\(editKind):", local: "", remote: RemoteIdentity(kind: editKind, location: ""))

  /// Whether the binding is that of edits.
  public var isEdit: Bool { remote.kind == Self.editKind }

  /// Whether the binding has no remote.
  package var isLocal: Bool { isImport || isEdit || calendarChange != nil }
}

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
  /// The places that this side replaced or deleted after the cursor.
  ///
  /// A remote that continues its history from the cursor reports them. One that does not was restored
  /// from a backup that knows the cursor.
  public var unreported: [Href]
  /// The last snapshot of the local calendar.
  public var snapshot: LocalSnapshot?
  /// Whether the run left no work: if neither side changed, the next run has nothing to do.
  public var isAtRest: Bool
  /// The time until which `isAtRest` is valid; nil if time alone brings no item into the filter.
  public var nextWake: Instant?
  /// The time of the last comparison of full contents instead of tags.
  public var verifiedAt: Instant?

  /// The maximum validity of `isAtRest` with a time window, in seconds.
  static let longestRest: Int64 = 30 * 86_400

  /// Whether the clock was ahead when this was stored, so that the filter excluded items too early.
  func isOfClockAhead(of now: Instant) -> Bool {
    if let verifiedAt, verifiedAt > now { return true }
    guard let nextWake, let latest = now.adding(seconds: Self.longestRest) else { return false }
    return nextWake > latest
  }

  /// Creates a checkpoint; the default is that of a sync that never ran.
  public init(
    cursor: RemoteCursor? = nil, unsettled: [RemoteEntry] = [], unlisted: [Href] = [],
    unreported: [Href] = [], snapshot: LocalSnapshot? = nil, isAtRest: Bool = false,
    nextWake: Instant? = nil, verifiedAt: Instant? = nil
  ) {
    self.cursor = cursor
    self.unsettled = unsettled
    self.unlisted = unlisted
    self.unreported = unreported
    self.snapshot = snapshot
    self.isAtRest = isAtRest
    self.nextWake = nextWake
    self.verifiedAt = verifiedAt
  }
}

/// An item that a filter excludes from the sync.
///
/// The ledger stores it, so that the next run need not fetch or read it again.
public struct OutsideItem: Hashable, Sendable {
  /// The side that holds it.
  public let side: MergeSide
  /// The item.
  public let uid: UID
  /// Its location: an href on the remote, a name in the local calendar.
  public let place: String
  /// The version that was tested: an ETag on the remote, a fingerprint in the local calendar.
  public let version: String
  /// The time when the item enters the window; nil if only an edit can include it.
  public let until: Instant?

  /// Creates a record of an item.
  public init(side: MergeSide, uid: UID, place: String, version: String, until: Instant?) {
    self.side = side
    self.uid = uid
    self.place = place
    self.version = version
    self.until = until
  }
}

/// An item that could not be synchronized, and the time of its next attempt.
public struct QuarantinedItem: Hashable, Sendable {
  /// The item; the file name or href if no item can be read.
  public let uid: UID
  /// Its title, for people.
  public let title: String
  /// The reason of the last failure.
  public let reason: ItemObstacle
  /// The content that could not be written, if writing failed; other content is tried at once.
  public let content: Fingerprint?
  /// The number of consecutive failures; 0 for an item that is skipped until it changes.
  public let failures: Int
  /// The time of the first failure.
  public let since: Instant
  /// The time of the next attempt; nil for an item that every run checks.
  public let nextTry: Instant?

  /// Whether the item is skipped until it changes: the remote lists it but does not return it.
  public var isLeft: Bool { failures == 0 }

  /// Creates the record of an item that failed.
  public init(
    uid: UID, title: String, reason: ItemObstacle, content: Fingerprint?, failures: Int,
    since: Instant,
    nextTry: Instant?
  ) {
    self.uid = uid
    self.title = title
    self.reason = reason
    self.content = content
    self.failures = failures
    self.since = since
    self.nextTry = nextTry
  }
}
