// SPDX-License-Identifier: Apache-2.0

/// The version of an item on a remote: opaque, compared byte by byte (RFC 9110 §8.8.3).
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// The remote's own spelling, with its quotes.
  public let rawValue: String

  /// Creates a tag from the remote's own spelling.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Whether the tag is weak (`W/"…"`) and so of no use in a condition (RFC 9110 §13.1.1).
  public var isWeak: Bool { rawValue.hasPrefix("W/") }

  /// The remote's own spelling.
  public var description: String { rawValue }
}
