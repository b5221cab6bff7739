// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A feed under full access, which is read-only nevertheless.
///
/// The feed is a single file. It is kept in memory while the calendar is open, so that it is
/// requested only once.
actor WebcalCalendar: ReadOnlyCalendar {
  private let source: FeedSource
  /// The identity of the feed.
  private let location: String
  private let now: @Sendable () -> Instant
  private var feed: Feed?
  /// The stored state of the feed.
  private var memory: FeedMemory?

  init(source: FeedSource, location: String, now: @escaping @Sendable () -> Instant) {
    self.source = source
    self.location = location
    self.now = now
  }

  /// A feed has one author, who may return to an earlier version; nothing is ever sent to it.
  nonisolated var cursorRecognition: CursorRecognition { .recognized }

  func list() async throws -> [RemoteEntry] {
    try await read().entries
  }

  /// Returns all entries, or none if the feed has not changed.
  ///
  /// It is unchanged by its own declaration, by the server's status 304, or if the bytes are the
  /// same.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    memory = cursor.flatMap(FeedMemory.init)
    guard let before = memory else { return .complete(try await read().entries, memory?.cursor) }
    if before.isResting(at: now()) { return .none(before.cursor) }
    switch try await source.ask(knowing: before.validators) {
    case .unchanged:
      memory?.checked = now()
      return .none(memory?.cursor ?? before.cursor)
    case .feed(let bytes, let validators):
      let feed = try take(bytes, validators)
      guard let memory, memory.digest == before.digest else {
        return .complete(feed.entries, memory?.cursor)
      }
      return .none(memory.cursor)
    }
  }

  func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges {
    memory = cursor.flatMap(FeedMemory.init)
    return .complete(try await read().entries, memory?.cursor)
  }

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    guard !hrefs.isEmpty else { return [] }
    let feed =
      if let feed { feed } else { try await read() }
    return hrefs.map(feed.fetch)
  }

  /// Reads the feed unconditionally.
  ///
  /// If the feed is new, it is requested twice, to detect a feed that generates new UIDs each time
  /// before any of these is used. The items of such a feed get generated UIDs, which stay the same
  /// even if the state is lost.
  private func read() async throws -> Feed {
    let isNew = memory == nil
    let (bytes, validators) = try await ask()
    let first = try take(bytes, validators)
    // If the second request fails, the first response is used.
    guard isNew, !first.items.isEmpty, let again = try? await readAgain(),
      first.hasOtherUIDs(than: again)
    else { return first }
    return try take(bytes, validators, inventsUIDs: true)
  }

  /// Reads the feed again without storing anything.
  private func readAgain() async throws -> Feed {
    let (bytes, _) = try await ask()
    return try Feed(parsing: bytes, location: location, known: [:], subject: source.subject)
  }

  private func ask() async throws -> (bytes: [UInt8], validators: FeedMemory.Validators) {
    let known = memory.map { FeedMemory.Validators(movedTo: $0.validators.movedTo) }
    guard case .feed(let bytes, let validators) = try await source.ask(knowing: known) else {
      throw RemoteError(
        code: .malformed, subject: source.subject,
        message: "the server returned status 304 to an unconditional request")
    }
    return (bytes, validators)
  }

  private func take(
    _ bytes: [UInt8], _ validators: FeedMemory.Validators, inventsUIDs: Bool = false
  ) throws(RemoteError) -> Feed {
    let read = try Feed(
      parsing: bytes, location: location, known: inventsUIDs ? [:] : memory?.uids ?? [:],
      inventsUIDs: inventsUIDs, subject: source.subject)
    feed = read
    memory = FeedMemory(
      validators: validators, digest: SHA256.digest(of: bytes).description, checked: now(),
      rest: read.rest, uids: read.uids, properties: read.properties)
    return read
  }

  /// The properties of the feed when it was last read, possibly by an earlier run.
  var ownProperties: CollectionProperties { memory?.properties ?? CollectionProperties() }

  /// The store for the name, color and description of the feed.
  nonisolated var properties: (any CollectionPropertyStore)? { FeedProperties(calendar: self) }

  /// The reason why each write is refused.
  static let reason =
    "a feed is read-only: local changes are kept and not sent"
}
