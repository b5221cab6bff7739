// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What a full-access sync can do with a remote calendar.
///
/// Every write carries its condition: nothing is overwritten or deleted that the caller has not seen.
public protocol RemoteCalendar: Sendable {
  /// Lists every item with its tag; throws unless the listing is known to be complete.
  func list() async throws -> [RemoteEntry]

  /// Tells what changed since a cursor that an earlier call gave; nil asks for everything.
  ///
  /// It is the first call of a run, and in most nights the only one: where the remote can, it is one
  /// small request. Without an own implementation it is a listing.
  ///
  /// - Throws: Unless the answer is known to be complete.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges

  /// Whether the remote is in the very place that a cursor was given for.
  ///
  /// A shared drive that is not mounted leaves another folder at its path. Without an own implementation
  /// it is.
  func isSamePlace(as cursor: RemoteCursor) -> Bool

  /// Tells everything, as `changes(since:)` does for nil; the cursor only tells what was known.
  ///
  /// A run that compares contents asks so. Without an own implementation the cursor is of no account;
  /// a feed whose UIDs change needs it to know its items again.
  func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges

  /// Fetches items by href; what one href gives never stops the others.
  ///
  /// The results come in no particular order, exactly one for each href asked for.
  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch]

  /// Fetches items as `fetch(_:)` does, and hands them on in batches, so that contents never pile up.
  ///
  /// The next batch is asked for when `take` is done with the last. Without an own implementation all
  /// come in one batch.
  func fetch(_ hrefs: [Href], _ take: ([RemoteFetch]) async throws -> Void) async throws

  /// Tells what will be sent for an item, to be asked before the intent to send it is recorded.
  ///
  /// It is the item itself, unless the remote would do more with it than keep it, such as mailing people
  /// (RFC 6638). What is added for that is no edit: it is what the remote side then holds.
  func outgoing(_ item: CalendarItem, replacing href: Href?) async throws -> CalendarItem

  /// Readies the remote for writes to these places, which come next.
  ///
  /// A remote that has to look at what it holds before it replaces or deletes it can look at all of it at
  /// once. Without an own implementation nothing is done.
  func prepare(toChange hrefs: [Href]) async throws

  /// Adds an item under a place derived from its UID, on the condition that the place is free.
  func create(_ item: CalendarItem) async throws -> WriteOutcome

  /// Moves what another calendar of the same account holds of an item to where `create` would add it.
  ///
  /// It is done on the condition that it still has the tag, if one is known, and that the place here is
  /// free; and only if it might be deleted there and added here. Without an own implementation it is refused.
  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> MoveOutcome

  /// Replaces an item on the condition that it still has the tag.
  func update(_ href: Href, to item: CalendarItem, ifMatch etag: EntityTag) async throws
    -> WriteOutcome

  /// Deletes an item on the condition that it still has the tag.
  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> DeleteOutcome

  /// Where the name, colour, description and order of the calendar are kept; nil where nowhere.
  var properties: (any CollectionPropertyStore)? { get }
}

extension RemoteCalendar {
  /// Tells everything, as for a remote that keeps no history.
  public func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    .complete(try await list(), nil)
  }

  /// There is no other place.
  public func isSamePlace(as cursor: RemoteCursor) -> Bool { true }

  /// Sends items as they are.
  public func outgoing(_ item: CalendarItem, replacing href: Href?) async throws -> CalendarItem {
    item
  }

  /// Does nothing.
  public func prepare(toChange hrefs: [Href]) async throws {}

  /// Refuses.
  public func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> MoveOutcome {
    .refused(reason: "the remote moves nothing between calendars")
  }

  /// Tells everything, whatever was known.
  public func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges {
    try await changes(since: nil)
  }

  /// Hands on everything in one batch.
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
  /// Its version, or nil if the remote tells none: then it has to be fetched to be compared.
  public let etag: EntityTag?

  /// Creates a line of a listing.
  public init(href: Href, etag: EntityTag?) {
    self.href = href
    self.etag = etag
  }
}

/// What fetching one href gave.
///
/// It is indirect because thousands are handed on in lists: each copy of one would count up the references
/// of all that its item is made of.
public indirect enum RemoteFetch: Sendable {
  /// The item as it is on the remote.
  case item(href: Href, etag: EntityTag?, item: CalendarItem)
  /// The remote holds something here that is not one readable item; it counts as unknown.
  case unreadable(href: Href, reason: String)
  /// The remote says that there is nothing here, although it was listed: unknown, never deleted.
  case missing(href: Href)
}

/// What became of a conditional write.
public enum WriteOutcome: Hashable, Sendable {
  /// The remote took it. No tag means that it has to be learned from the next listing.
  case written(href: Href, etag: EntityTag?)
  /// The condition failed: the item changed, or the place is taken. Left for the next run.
  case conditionFailed
  /// The remote holds the item's UID already, in this place (RFC 4791 §5.3.2.1): nothing was written,
  /// and the next run compares the two instead of making a second one.
  case alreadyPresent(href: Href)
  /// The remote holds the item's UID in another calendar of the account, at this place of the same
  /// server, and takes it nowhere else; with its own words.
  case heldElsewhere(href: Href, reason: String)
  /// The remote refuses this item, and would again (RFC 4791 §5.3.2.1); with its own words.
  case refused(reason: String)
}

/// What became of a conditional deletion.
public enum DeleteOutcome: Hashable, Sendable {
  /// The item is gone, by this request or before it.
  case deleted
  /// The condition failed: the item changed. Left for the next run.
  case conditionFailed
  /// The remote refuses to delete this item, in its own words.
  case refused(reason: String)
}
