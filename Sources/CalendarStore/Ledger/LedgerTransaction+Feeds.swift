// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A feed: what others may read of calendars, by a file or by a secret address.
public struct StoredFeed: Hashable, Sendable {
  /// The unique name.
  public let name: String
  /// The digest of the token in the address; the token itself is not stored.
  public let tokenDigest: [UInt8]
  /// The calendars and what is shown of them, as JSON.
  public let settings: String
  /// The user's note, such as the name of the reader.
  public let comment: String
  /// The time of creation.
  public let createdAt: Instant
  /// The last time at which the feed was read; nil if it never was.
  public var lastUsedAt: Instant?

  /// Creates a feed that was never read.
  public init(
    name: String, tokenDigest: [UInt8], settings: String, comment: String, createdAt: Instant
  ) {
    self.name = name
    self.tokenDigest = tokenDigest
    self.settings = settings
    self.comment = comment
    self.createdAt = createdAt
  }
}

/// The store of the key of projected identifiers.
public protocol ProjectionKeyStore: Sendable {
  /// Returns the key; nil if none is stored.
  func projectionKey() async throws -> [UInt8]?

  /// Stores a key, unless one is stored.
  func add(projectionKey key: [UInt8]) async throws
}

extension LedgerDatabase: ProjectionKeyStore {
  /// Returns the key of projected identifiers; nil if none is stored.
  public func projectionKey() async throws -> [UInt8]? { try await read { try $0.projectionKey() } }

  /// Stores the key of projected identifiers, unless one is stored.
  public func add(projectionKey key: [UInt8]) async throws {
    try await write { try $0.add(projectionKey: key) }
  }
}

/// The feeds, and the key of projected identifiers.
extension LedgerTransaction {
  /// Returns all feeds, in order of creation.
  public func feeds() throws -> [StoredFeed] {
    try db.all("SELECT * FROM feed ORDER BY createdAt, name", [], StoredFeed.init)
  }

  /// Returns the feed with a token; nil if there is none.
  public func feed(withTokenDigest digest: [UInt8]) throws -> StoredFeed? {
    try db.first("SELECT * FROM feed WHERE tokenDigest = ?", [digest.blob], StoredFeed.init)
  }

  /// Adds a feed.
  ///
  /// - Returns: Whether it was added; false if a feed has its name.
  public func add(_ feed: StoredFeed) throws -> Bool {
    try db.execute(
      """
      INSERT INTO feed (name, tokenDigest, settings, comment, createdAt)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING
      """,
      [
        feed.name, feed.tokenDigest.blob, feed.settings, feed.comment,
        feed.createdAt.secondsSinceEpoch,
      ]) > 0
  }

  /// Removes a feed, so that its token is that of no feed any more.
  ///
  /// - Returns: Whether there was a feed with the name.
  public func removeFeed(named name: String) throws -> Bool {
    try db.execute("DELETE FROM feed WHERE name = ?", [name]) > 0
  }

  /// Stores the time at which a feed was read.
  public func noteUse(ofFeed name: String, at time: Instant) throws {
    try db.execute("UPDATE feed SET lastUsedAt = ? WHERE name = ?", [time.secondsSinceEpoch, name])
  }

  /// Returns the key of projected identifiers; nil if none is stored.
  public func projectionKey() throws -> [UInt8]? {
    try db.first("SELECT value FROM secret WHERE name = 'projections'") { try $0.bytes("value") }
      ?? nil
  }

  /// Stores the key of projected identifiers, unless one is stored.
  public func add(projectionKey key: [UInt8]) throws {
    try db.execute(
      "INSERT INTO secret (name, value) VALUES ('projections', ?) ON CONFLICT (name) DO NOTHING",
      [key.blob])
  }
}

extension StoredFeed {
  fileprivate init(_ row: LedgerRow) throws {
    self.init(
      name: try row.value("name"), tokenDigest: try row.bytes("tokenDigest") ?? [],
      settings: try row.value("settings"), comment: try row.value("comment"),
      createdAt: Instant(secondsSinceEpoch: try row.value("createdAt")))
    let last: Int64? = try row.optional("lastUsedAt")
    lastUsedAt = last.map { Instant(secondsSinceEpoch: $0) }
  }
}
