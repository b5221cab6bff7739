// SPDX-License-Identifier: Apache-2.0

/// The name by which a remote knows an item: opaque, sent back exactly as it was received.
public struct Href: Hashable, Sendable, CustomStringConvertible {
  /// The remote's own spelling.
  public let rawValue: String

  /// Creates an href from the remote's own spelling.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The remote's own spelling.
  public var description: String { rawValue }
}

extension Href {
  /// The path for comparing spellings: percent-decoded, without scheme and host.
  ///
  /// Servers spell one href in several ways, and differently in listings than in other responses.
  package var comparisonKey: [UInt8] {
    let bytes = Array(rawValue.utf8)
    var start = bytes.startIndex
    if let scheme = Self.endOfScheme(in: bytes) {
      start = bytes[scheme...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    }
    guard bytes[start...].contains(UInt8(ascii: "%")) else { return Array(bytes[start...]) }
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count - start)
    while start < bytes.endIndex {
      if bytes[start] == UInt8(ascii: "%"), start + 2 < bytes.endIndex,
        let high = Self.digit(bytes[start + 1]), let low = Self.digit(bytes[start + 2])
      {
        key.append(high << 4 | low)
        start += 3
      } else {
        key.append(bytes[start])
        start += 1
      }
    }
    return key
  }

  /// The index after `://`, or nil if the href has no scheme.
  private static func endOfScheme(in bytes: [UInt8]) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.endIndex,
      bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    return colon + 3
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

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
