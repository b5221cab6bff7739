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
  /// What is equal for two spellings of one href: its path, percent-decoded, without scheme and host.
  ///
  /// Servers spell one href in several ways, and differently in listings than in other answers.
  var comparisonKey: [UInt8] {
    var rest = Substring(rawValue)
    if let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...].drop { $0 != "/" }
    }
    var key: [UInt8] = []
    var bytes = Array(rest.utf8)[...]
    while let byte = bytes.popFirst() {
      let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), bytes.count >= 2, digits.allSatisfy(\.isHexDigit),
        let decoded = UInt8(digits, radix: 16)
      {
        key.append(decoded)
        bytes = bytes.dropFirst(2)
      } else {
        key.append(byte)
      }
    }
    return key
  }
}
