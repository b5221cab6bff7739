// SPDX-License-Identifier: Apache-2.0

/// A document that belongs to an item (RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
  /// Where the document is.
  public enum Content: Hashable, Sendable {
    /// At this URI.
    case uri(String)
    /// In the file itself: its bytes in BASE64, as they stand there (RFC 5545 §3.3.1).
    case inline(base64: String)
  }

  /// Where the document is.
  public var content: Content
  /// The media type, such as `application/pdf` (RFC 5545 §3.2.8).
  public var formatType: String?

  /// Creates an attachment.
  public init(_ content: Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
