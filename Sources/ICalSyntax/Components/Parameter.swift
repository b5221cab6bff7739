// SPDX-License-Identifier: Apache-2.0

/// A parameter of a property (RFC 5545 §3.2).
public struct Parameter: Hashable, Sendable {
  /// The name, case-insensitive.
  public let name: ParameterName
  /// The values, at least one: without their quotes, with the carets of RFC 6868 decoded.
  public let values: [String]

  /// Creates a parameter.
  public init(_ name: ParameterName, _ values: [String]) {
    self.name = name
    self.values = values.isEmpty ? [""] : values
  }

  /// Creates a parameter with one value.
  public init(_ name: ParameterName, _ value: String) {
    self.init(name, [value])
  }

  /// The first value.
  public var value: String { values.first ?? "" }

  /// Writes the parameter as it stands in a content line, without the semicolon before it.
  ///
  /// Values are quoted where they must be, and carets stand for what quotes cannot hold (RFC 6868 §3).
  /// A backslash before the comma that ends a value would be taken for an escape, without quotes.
  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.rawName.utf8)
    bytes.append(ASCII.equals)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(ASCII.comma) }
      let encoded = CaretEncoding.encode(value)
      let isFollowed = index + 1 < values.count
      let mustQuote =
        encoded.contains { $0 == ASCII.colon || $0 == ASCII.semicolon || $0 == ASCII.comma }
        || isFollowed && encoded.last == ASCII.backslash
      if mustQuote { bytes.append(ASCII.quote) }
      bytes.append(contentsOf: encoded)
      if mustQuote { bytes.append(ASCII.quote) }
    }
  }
}
