// SPDX-License-Identifier: Apache-2.0

/// Data for programs that goes with an item (RFC 9073 §6.6).
public struct StructuredData: Hashable, Sendable {
  /// Where the data is.
  public enum Content: Hashable, Sendable {
    /// In the file itself, as a text.
    case text(String)
    /// In the file itself: its bytes in BASE64, as they stand there (RFC 5545 §3.3.1).
    case inline(base64: String)
    /// At this URI.
    case uri(String)
  }

  /// Where the data is.
  public var content: Content
  /// The media type, such as `application/ld+json` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// A URI that tells what the data says (RFC 9073 §5.2).
  public var schema: String?

  /// Creates data.
  public init(_ content: Content, formatType: String? = nil, schema: String? = nil) {
    self.content = content
    self.formatType = formatType
    self.schema = schema
  }
}
