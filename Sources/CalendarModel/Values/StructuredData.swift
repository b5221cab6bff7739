// SPDX-License-Identifier: Apache-2.0

/// Machine-readable data of an item (RFC 9073 §6.6).
public struct StructuredData: Hashable, Sendable {
  /// The data, or a reference to it.
  public enum Content: Hashable, Sendable {
    /// A text inside the file.
    case text(String)
    /// The bytes inside the file, in BASE64 as they were read (RFC 5545 §3.3.1).
    case inline(base64: String)
    /// A URI of the data.
    case uri(String)
  }

  /// The data, or a reference to it.
  public var content: Content
  /// The media type, such as `application/ld+json` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// A URI of the schema of the data (RFC 9073 §5.2).
  public var schema: String?

  /// Creates data.
  public init(_ content: Content, formatType: String? = nil, schema: String? = nil) {
    self.content = content
    self.formatType = formatType
    self.schema = schema
  }
}
