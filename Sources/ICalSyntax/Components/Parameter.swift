// SPDX-License-Identifier: Apache-2.0

/// A parameter of a property (RFC 5545 §3.2).
public struct Parameter: Hashable, Sendable {
  /// The name, case-insensitive.
  public let name: ParameterName
  /// The values, at least one, unquoted and with RFC 6868 carets decoded.
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

  /// Writes the parameter as part of a content line, without the preceding semicolon.
  ///
  /// Values are quoted if necessary, and characters that quotes cannot contain are caret-encoded
  /// (RFC 6868 §3). A value that ends in a backslash before a comma is quoted too, because readers
  /// would take the backslash for an escape.
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
