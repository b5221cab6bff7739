// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A feed under full access, which still is only read.
///
/// The feed is one file: what was asked for to list it is kept for as long as it is open, so that nothing
/// is asked for twice.
actor WebcalCalendar: RemoteCalendar {
  private let source: FeedSource
  /// What tells the feed from others.
  private let location: String
  private let now: @Sendable () -> Instant
  private var feed: Feed?
  /// What is remembered of the feed.
  private var memory: FeedMemory?

  init(source: FeedSource, location: String, now: @escaping @Sendable () -> Instant) {
    self.source = source
    self.location = location
    self.now = now
  }

  func list() async throws -> [RemoteEntry] {
    try await read(knowing: nil).entries
  }

  /// Tells everything, or that nothing changed: by the feed's own word that it rests, by the server's
  /// (status 304), or because the same bytes came again.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    memory = cursor.flatMap(FeedMemory.init)
    if let memory, memory.isResting(at: now()) { return .none(memory.cursor) }
    let before = memory
    let feed = try await readIfChanged()
    guard let memory else { return .complete(feed?.entries ?? [], nil) }
    guard let feed else { return .none(memory.cursor) }
    return before?.digest == memory.digest
      ? .none(memory.cursor) : .complete(feed.entries, memory.cursor)
  }

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    guard !hrefs.isEmpty else { return [] }
    let feed =
      if let feed { feed } else { try await read(knowing: nil) }
    return hrefs.map(feed.fetch)
  }

  /// The feed, or nil if the server says that it is what it was.
  private func readIfChanged() async throws -> Feed? {
    switch try await source.ask(knowing: memory?.validators) {
    case .unchanged:
      memory?.checked = now()
      return nil
    case .feed(let bytes, let validators): return try take(bytes, validators)
    }
  }

  private func read(knowing known: FeedMemory.Validators?) async throws -> Feed {
    guard case .feed(let bytes, let validators) = try await source.ask(knowing: known) else {
      throw RemoteError(
        code: .malformed, subject: source.subject,
        message: "the server says that nothing changed, which was not asked")
    }
    return try take(bytes, validators)
  }

  private func take(
    _ bytes: [UInt8], _ validators: FeedMemory.Validators
  ) throws(RemoteError) -> Feed {
    let read = try Feed(
      parsing: bytes, location: location, known: memory?.uids ?? [:], subject: source.subject)
    feed = read
    memory = FeedMemory(
      validators: validators, digest: SHA256.digest(of: bytes).description, checked: now(),
      rest: read.rest, uids: read.uids)
    return read
  }

  // MARK: What a feed refuses

  private static let reason =
    "a feed can only be read: what is changed here stays here, and is not sent"

  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> DeleteOutcome {
    .refused(reason: Self.reason)
  }
}
