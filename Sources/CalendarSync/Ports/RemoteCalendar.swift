// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The interface of a remote calendar for a full-access sync.
///
/// Every write is conditional: it never overwrites or deletes a version that the caller has not
/// seen.
public protocol RemoteCalendar: Sendable {
  /// Lists all items with their tags; throws unless the listing is known to be complete.
  func list() async throws -> [RemoteEntry]

  /// Returns the changes since a cursor of an earlier call; nil requests everything.
  ///
  /// It is the first request of a run, and usually the only one. If the remote supports it, it is
  /// one small request. Default implementation: returns a listing.
  ///
  /// - Throws: An error, unless the response is known to be complete.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges

  /// Whether the last response of `changes(since:)` continues the history from the cursor.
  ///
  /// It decides whether items that return to an earlier version are edits, or a sign that the
  /// remote was restored from a backup. Default implementation: returns `unknown`.
  var cursorRecognition: CursorRecognition { get }

  /// Returns the places that hold another version than the agreed one.
  ///
  /// A run calls this if the remote reported changes since a cursor, or none. A place that the
  /// report omits shows that the cursor was reached for the second time. A remote whose cursor
  /// identifies its state needs no request, and returns nothing. Default implementation: returns
  /// nothing.
  ///
  /// - Parameter probe: The cursor and the versions that the sides agreed on last.
  /// - Returns: The places.
  /// - Throws: An error of the remote as a whole.
  func differing(from probe: CursorProbe) async throws -> [Href]

  /// Checks that nothing changed during a listing, and returns a cursor that a later run can trust.
  ///
  /// An item that is added before the listing and deleted after it is in the listing, but in
  /// neither of the states that a remote compares later (RFC 6578 §3.5). A run calls this after the
  /// listing and before its first write; items may be fetched meanwhile. Default implementation:
  /// returns the cursor.
  func confirm(_ cursor: RemoteCursor) async -> RemoteCursor?

  /// Whether a listing from `changes(since:)` contains all items of the remote.
  ///
  /// A run calls this before its first addition, because an item that a listing omits would be
  /// added a second time. Default implementation: returns true.
  func isWhole(_ listing: [RemoteEntry]) async throws -> Bool

  /// Whether the remote is on the same file system as when the cursor was created.
  ///
  /// If a shared drive is not mounted, another folder exists at its path. Default implementation:
  /// returns true.
  func isSamePlace(as cursor: RemoteCursor) -> Bool

  /// Returns a cursor since which the remote reports some items in any case.
  ///
  /// These are items that a run wrote after it received the cursor. A remote that detects changes
  /// by comparing versions would otherwise miss an edit that restores the version before the run.
  /// Default implementation: returns the cursor, because a server reports each write.
  ///
  /// - Parameters:
  ///   - cursor: The cursor of the run.
  ///   - items: The hrefs of the written items, with their UIDs.
  /// - Returns: The cursor; nil if the next run must request everything.
  func cursor(_ cursor: RemoteCursor, doubting items: [Href: UID]) -> RemoteCursor?

  /// Returns everything, as `changes(since:)` does for nil; the cursor adds earlier knowledge.
  ///
  /// A run that compares contents calls this method. Default implementation: ignores the cursor. A
  /// feed with unstable UIDs needs the cursor to recognize its items.
  func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges

  /// Fetches items by href; a failure of one href does not affect the others.
  ///
  /// The results are unordered, and contain exactly one for each requested href.
  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch]

  /// Fetches items as `fetch(_:)` does, in batches that limit the memory for contents.
  ///
  /// The next batch is requested after `take` returns. Default implementation: fetches one batch.
  func fetch(_ hrefs: [Href], _ take: ([RemoteFetch]) async throws -> Void) async throws

  /// Returns the content that will be sent for an item; called before the intent is recorded.
  ///
  /// It is the item itself, unless the remote would perform an action beyond storing it, such as
  /// sending mail to attendees (RFC 6638). Additions that prevent this are not an edit: they become
  /// the content of the remote side.
  func outgoing(_ item: CalendarItem, replacing href: Href?) async throws -> CalendarItem

  /// Prepares the remote for the following writes to these items.
  ///
  /// A remote that must check its contents before each change can check all of them at once, and
  /// need not read what is known. Default implementation: does nothing.
  func prepare(toChange items: [HeldItem]) async throws

  /// The maximum number of requests that are in flight at once; at least 1.
  ///
  /// If it is more, writes are called from several tasks, each for another item, and items are
  /// fetched while others are written. Default implementation: returns 1.
  var requestsAtOnce: Int { get }

  /// The number of parts of a large run that are fetched at once; at least 1.
  ///
  /// Default implementation: returns 2 if several requests may be in flight, otherwise 1.
  var fetchesAtOnce: Int { get }

  /// Adds an item at a place derived from its UID, on the condition that the place is free.
  func create(_ item: CalendarItem) async throws -> WriteOutcome

  /// Moves an item from another calendar of the account to the place where `create` would add it.
  ///
  /// The conditions are that the source still has the tag, if one is known, and that the
  /// destination is free. The account must also have permission to delete the source and to add the
  /// destination. It is called only after `create` returned `WriteOutcome.heldElsewhere`.
  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome

  /// Replaces an item on the condition that it still has the tag.
  func update(_ href: Href, to item: CalendarItem, ifMatch etag: EntityTag) async throws
    -> WriteOutcome

  /// Deletes an item on the condition that it still has the tag.
  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome

  /// The components that can be added, such as `VEVENT`; nil if that is unknown, and empty if the user
  /// may only read the calendar.
  ///
  /// Default implementation: nil.
  var components: Set<String>? { get }

  /// The fields and the stash of the remote; nil if it stores iCalendar objects as they are.
  ///
  /// Default implementation: nil.
  var holding: (any ItemHolding)? { get }

  /// Whether a write may take several requests, so that an interrupted one leaves a part of its work.
  ///
  /// Default implementation: false.
  var isWrittenInParts: Bool { get }

  /// The store of the calendar's name, colour, description and order; nil if it has none.
  var properties: (any CollectionPropertyStore)? { get }
}

extension RemoteCalendar {
  /// Default implementation: lists everything, for a remote without history.
  public func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    .complete(try await list(), nil)
  }

  /// Default implementation: it is unknown what can be added.
  public var components: Set<String>? { nil }

  /// Default implementation: the remote stores iCalendar objects.
  public var holding: (any ItemHolding)? { nil }

  /// Default implementation: a write is one request.
  public var isWrittenInParts: Bool { false }

  /// Default implementation: the remote keeps no history.
  public var cursorRecognition: CursorRecognition { .unknown }

  /// Default implementation: a cursor is reached only once.
  public func differing(from probe: CursorProbe) async throws -> [Href] { [] }

  /// Default implementation: a listing is made at one point in time.
  public func confirm(_ cursor: RemoteCursor) async -> RemoteCursor? { cursor }

  /// Default implementation: `changes(since:)` returns only complete listings.
  public func isWhole(_ listing: [RemoteEntry]) async throws -> Bool { true }

  /// Default implementation: the location cannot change.
  public func isSamePlace(as cursor: RemoteCursor) -> Bool { true }

  /// Default implementation: sends items unchanged.
  public func outgoing(_ item: CalendarItem, replacing href: Href?) async throws -> CalendarItem {
    item
  }

  /// Default implementation: returns the cursor.
  public func cursor(_ cursor: RemoteCursor, doubting items: [Href: UID]) -> RemoteCursor? {
    cursor
  }

  /// Default implementation: one request after another.
  public var requestsAtOnce: Int { 1 }

  /// Default implementation: two parts if several requests may be in flight.
  public var fetchesAtOnce: Int { min(requestsAtOnce, 2) }

  /// Default implementation: does nothing.
  public func prepare(toChange items: [HeldItem]) async throws {}

  /// Default implementation: returns everything and ignores the cursor.
  public func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges {
    try await changes(since: nil)
  }

  /// Default implementation: fetches everything in one batch.
  public func fetch(
    _ hrefs: [Href], _ take: ([RemoteFetch]) async throws -> Void
  ) async throws {
    guard !hrefs.isEmpty else { return }
    try await take(try await fetch(hrefs))
  }
}

/// One line of a remote's listing.
public struct RemoteEntry: Hashable, Sendable {
  /// The name of the item on the remote.
  public let href: Href
  /// Its ETag, or nil if the remote returned none: then a run has to fetch the item to compare it.
  public let etag: EntityTag?

  /// Creates a line of a listing.
  public init(href: Href, etag: EntityTag?) {
    self.href = href
    self.etag = etag
  }
}

/// The result of fetching one href.
///
/// The enum is indirect because lists hold thousands of results: each copy of a direct enum would
/// retain all parts of its item.
public indirect enum RemoteFetch: Sendable {
  /// The item on the remote.
  case item(href: Href, etag: EntityTag?, item: CalendarItem)
  /// The resource is not one readable item; it counts as unknown.
  case unreadable(href: Href, reason: String)
  /// The remote listed the resource but reports it as missing: unknown, never deleted.
  case missing(href: Href)
}

/// The outcome of a conditional request that adds, replaces, moves or deletes an item.
public enum WriteOutcome: Hashable, Sendable {
  /// The remote stores the item at this href. Without a tag, the next listing supplies it.
  case written(href: Href, etag: EntityTag?)
  /// The item is deleted, by this request or before it.
  case deleted
  /// The condition failed: the item changed, or the place is taken. The next run handles it.
  case conditionFailed
  /// The remote already holds the UID at this href (RFC 4791 §5.3.2.1); nothing was written.
  ///
  /// The next run compares the two versions, so that no duplicate is created.
  case alreadyPresent(href: Href)
  /// Another calendar of the account holds the UID, and the remote rejects a second one.
  ///
  /// `href` is the existing place on the same server, and `reason` the message of the remote.
  case heldElsewhere(href: Href, reason: String)
  /// The remote permanently rejects the request (RFC 4791 §5.3.2.1); `reason` is its own message.
  case refused(reason: String)

  /// Whether the remote does not accept the item.
  var isRefusal: Bool {
    switch self {
    case .refused, .heldElsewhere: true
    case .written, .deleted, .conditionFailed, .alreadyPresent: false
    }
  }
}

/// A position in the history of a remote, for requesting later changes.
///
/// Only the remote creates and reads it: a sync token (RFC 6578 §3.2), a CTag, the validators of a
/// feed, the snapshot of a folder. It may contain other data for the next run, such as the
/// discovered address of the calendar, which saves discovery in `Remote.openCalendar()`. The ledger
/// stores it with the `SyncBinding` from the end of one run to the start of the next. It contains
/// no secret.
public struct RemoteCursor: Hashable, Sendable {
  /// The remote's own bytes.
  public let bytes: [UInt8]

  /// The bytes as text; bytes that are not UTF-8 are replaced.
  public var rawValue: String { String(decoding: bytes, as: UTF8.self) }

  /// Creates a cursor from the remote's own text.
  public init(_ rawValue: String) {
    bytes = Array(rawValue.utf8)
  }

  /// Creates a cursor from the remote's own bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
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
