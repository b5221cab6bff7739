// SPDX-License-Identifier: Apache-2.0

/// The version of an item on a remote: opaque, compared byte by byte (RFC 9110 §8.8.3).
///
/// Lenient: two spellings are equal if they differ only in the quotes that the RFC requires. Some
/// servers write the same tag with quotes in one response and without them in another.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// The remote's own spelling.
  public let rawValue: String

  /// Creates a tag from the remote's own spelling.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Whether the tag is weak (`W/"…"`) and cannot be used in a condition (RFC 9110 §13.1.1).
  public var isWeak: Bool { rawValue.hasPrefix("W/") || rawValue.hasPrefix("w/") }

  /// Whether the remote omits the quotes, as in `abc` or `W/abc`.
  public var isBare: Bool { !rawValue.hasPrefix("\"") && !rawValue.hasPrefix("W/\"") }

  /// The tag with its quotes: `"abc"` or `W/"abc"`.
  public var quoted: String {
    guard isBare else { return rawValue }
    guard isWeak else { return "\"\(rawValue)\"" }
    let rest = rawValue.dropFirst(2)
    return rest.hasPrefix("\"") ? "W/\(rest)" : "W/\"\(rest)\""
  }

  /// The remote's own spelling.
  public var description: String { rawValue }

  /// Compares the spellings, apart from missing quotes.
  public static func == (left: EntityTag, right: EntityTag) -> Bool {
    left.rawValue == right.rawValue || left.quoted == right.quoted
  }

  /// Hashes the spelling with its quotes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(quoted)
  }
}
