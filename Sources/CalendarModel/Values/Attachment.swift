// SPDX-License-Identifier: Apache-2.0

/// A document that belongs to an item (RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
  /// The contents of the document, or a reference to them.
  public enum Content: Hashable, Sendable {
    /// A URI of the document.
    case uri(String)
    /// The bytes inside the file, in BASE64 as they were read (RFC 5545 §3.3.1).
    case inline(base64: String)
  }

  /// The contents of the document, or a reference to them.
  public var content: Content
  /// The media type, such as `application/pdf` (RFC 5545 §3.2.8).
  public var formatType: String?

  /// Creates an attachment.
  public init(_ content: Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
