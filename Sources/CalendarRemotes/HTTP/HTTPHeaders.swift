// SPDX-License-Identifier: Apache-2.0

/// The header fields of a request or response, in order (RFC 9110 §5).
///
/// Names are case-insensitive.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name as specified.
    public let name: String
    /// The value, trimmed.
    public let value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order.
  public private(set) var fields: [Field]

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Creates headers from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }

  /// Returns the values of all fields with a name, in order.
  public func values(of name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
  }

  /// The value of the first field with a name.
  public subscript(name: String) -> String? { values(of: name).first }

  /// Parses the lines of a header; invalid lines are skipped.
  init(parsing lines: [UInt8]) {
    fields = lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while value.last.map(isBlank) ?? false { value.removeLast() }
      return Field(name: name, value: String(decoding: value, as: UTF8.self))
    }
  }

  /// Whether every name is a token and every value has no line breaks (RFC 9110 §5.5).
  var areWellFormed: Bool {
    fields.allSatisfy { field in
      !field.name.isEmpty && !field.value.isEmpty
        && field.name.utf8.allSatisfy {
          PercentEncoding.isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
        && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
  }
}
