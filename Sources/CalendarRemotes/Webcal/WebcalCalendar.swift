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
    try await read().entries
  }

  /// Tells everything, or that nothing changed: by the feed's own word that it rests, by the server's
  /// (status 304), or because the same bytes came again.
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

  /// Reads the feed in any case.
  ///
  /// Where nothing is known of it, it is asked for twice: so a feed that invents new UIDs each time is
  /// found out before anything has one of them, and its items get UIDs that are the same ones however
  /// often the state is lost.
  private func read() async throws -> Feed {
    let isNew = memory == nil
    let (bytes, validators) = try await ask()
    let first = try take(bytes, validators)
    // That it does not come a second time is no reason not to use it.
    guard isNew, !first.items.isEmpty, let again = try? await readAgain(),
      first.hasOtherUIDs(than: again)
    else { return first }
    return try take(bytes, validators, inventsUIDs: true)
  }

  /// Reads the feed once more, and keeps nothing of it.
  private func readAgain() async throws -> Feed {
    let (bytes, _) = try await ask()
    return try Feed(parsing: bytes, location: location, known: [:], subject: source.subject)
  }

  private func ask() async throws -> (bytes: [UInt8], validators: FeedMemory.Validators) {
    let known = memory.map { FeedMemory.Validators(movedTo: $0.validators.movedTo) }
    guard case .feed(let bytes, let validators) = try await source.ask(knowing: known) else {
      throw RemoteError(
        code: .malformed, subject: source.subject,
        message: "the server says that nothing changed, which was not asked")
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

  /// What the feed said of itself when it was last read, be it by an earlier run.
  var ownProperties: CollectionProperties { memory?.properties ?? CollectionProperties() }

  /// The name, colour and description that the feed gives itself.
  nonisolated var properties: (any CollectionPropertyStore)? { FeedProperties(calendar: self) }

  // MARK: What a feed refuses

  static let reason =
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
