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
  var comparisonKey: [UInt8] {
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
