// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
public import CalendarSync
package import CivilTime

/// The birthdays and anniversaries of contacts, as a read-only calendar of yearly events.
///
/// The contacts are the vCards of a folder or a file, which other programs write.
public struct BirthdaysRemote: Remote {
  private let source: any ContactSource
  private let titles: ContactEventTitles
  private let now: @Sendable () -> Instant
  private let note: AccessNote?

  /// Creates a remote.
  ///
  /// - Parameters:
  ///   - source: The contacts.
  ///   - titles: The titles of the events.
  ///   - now: The clock, for detecting changed files.
  ///   - note: Called before each use of the contacts; an error that it throws prevents the use.
  package init(
    source: any ContactSource, titles: ContactEventTitles, now: @escaping @Sendable () -> Instant,
    note: AccessNote? = nil
  ) {
    (self.source, self.titles, self.now, self.note) = (source, titles, now, note)
  }

  /// The kind `birthdays` and the path.
  public var identity: RemoteIdentity {
    RemoteIdentity(kind: "birthdays", location: source.location)
  }

  /// Throws an error, because nothing can be added to birthdays.
  ///
  /// - Throws: `AccessError.needsFull`.
  public func openAppender() async throws -> any RemoteAppender {
    throw AccessError.needsFull(
      reason: "\(source.location): birthdays can only be read, which write-only access does not "
        + "allow; nothing can be added to them")
  }

  /// Opens the contacts for reading, without reading them.
  public func openCalendar() async throws -> any RemoteCalendar {
    BirthdayCalendar(source: source, titles: titles, now: now, note: note)
  }
}

/// Birthdays under full access, which are read-only nevertheless.
///
/// The events are kept in memory while the calendar is open, so that the contacts are read once.
actor BirthdayCalendar: ReadOnlyCalendar {
  private let source: any ContactSource
  private let titles: ContactEventTitles
  private let now: @Sendable () -> Instant
  private let note: AccessNote?
  private var birthdays: Birthdays?
  /// The stored state of the contacts.
  private var memory: BirthdayMemory?

  init(
    source: any ContactSource, titles: ContactEventTitles, now: @escaping @Sendable () -> Instant,
    note: AccessNote?
  ) {
    (self.source, self.titles, self.now, self.note) = (source, titles, now, note)
  }

  /// Contacts may return to an earlier version; nothing is ever written to them.
  nonisolated var cursorRecognition: CursorRecognition { .recognized }

  /// Nothing can be added.
  nonisolated var components: Set<String>? { [] }

  /// Birthdays have no name or color of their own.
  nonisolated var properties: (any CollectionPropertyStore)? { nil }

  nonisolated func isSamePlace(as cursor: RemoteCursor) -> Bool {
    BirthdayMemory(cursor).map { $0.place == source.place } ?? true
  }

  func list() async throws -> [RemoteEntry] {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    return try read(try source.listing(at: now())).entries
  }

  /// Returns all entries, or none if the status of all files is unchanged.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    memory = cursor.flatMap(BirthdayMemory.init)
    let listing = try source.listing(at: now())
    if let cursor, let memory, memory.isCurrent(listing, of: source, titles) {
      return .none(cursor)
    }
    return .complete(try read(listing).entries, memory?.cursor)
  }

  func everything(knowing cursor: RemoteCursor?) async throws -> RemoteChanges {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    memory = cursor.flatMap(BirthdayMemory.init)
    return .complete(try read(try source.listing(at: now())).entries, memory?.cursor)
  }

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    guard !hrefs.isEmpty else { return [] }
    try await note?(AccessRequest(.read, "read", of: "item"))
    let birthdays =
      if let birthdays { birthdays } else { try read(try source.listing(at: now())) }
    return hrefs.map(birthdays.fetch)
  }

  private func read(_ listing: ContactListing) throws -> Birthdays {
    let read = try Birthdays(of: source, listing, titled: titles, known: memory)
    birthdays = read
    memory = BirthdayMemory(of: read, listing, in: source, titles)
    return read
  }

  /// The reason why each write is refused.
  static let reason = "birthdays come from contacts: local changes are kept and not written there"
}
