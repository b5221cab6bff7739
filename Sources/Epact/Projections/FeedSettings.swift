// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime
import ICalSyntax

/// The contents of a feed: its calendars, the shown part of their items, and the time.
public struct FeedSettings: Hashable, Sendable, Codable {
  /// The names of the calendars; if several have an item with the same UID, the first one counts.
  public var calendars: [String]
  /// The shown part of the items.
  public var projection: ProjectionSettings
  /// The number of days before today; nil for no limit.
  public var past: Int?
  /// The number of days after today; nil for no limit.
  public var future: Int?

  /// Creates settings without a limit of time.
  public init(_ calendars: [String], showing projection: ProjectionSettings = .init()) {
    self.calendars = calendars
    self.projection = projection
  }
}

/// A feed: what others may read of calendars, as a file or at a secret address.
public struct Feed: Hashable, Sendable {
  /// The unique name.
  public let name: String
  /// The contents.
  public let settings: FeedSettings
  /// The user's note, such as the name of the reader.
  public let comment: String
  /// The time of creation.
  public let createdAt: Instant
  /// The last time at which it was read at its address; nil if it never was.
  public let lastUsedAt: Instant?
}

/// The secret part of the address of a feed.
///
/// Every client that has it can read the feed.
public struct FeedToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The token: 43 characters that need no escaping in an address.
  public let revealed: String

  /// Creates the token of random bytes.
  init(of bytes: [UInt8]) {
    // The alphabet for addresses (RFC 4648 §5).
    revealed = String(
      Base64.encode(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// Takes the token of an address.
  public init(_ text: String) {
    revealed = text
  }

  /// The digest that the ledger stores instead of the token.
  var digest: [UInt8] { SHA256.digest(of: Array(revealed.utf8)).bytes }

  /// Always `[redacted]`.
  public var description: String { "[redacted]" }

  /// Hides the token from `dump` and from test failures.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
