// SPDX-License-Identifier: Apache-2.0

/// What an item is about, with its layout (RFC 9073 §6.5).
public struct StyledDescription: Hashable, Sendable {
  /// Where the description is.
  public enum Content: Hashable, Sendable {
    /// In the file itself.
    case text(String)
    /// At this URI.
    case uri(String)
  }

  /// Where the description is.
  public var content: Content
  /// The media type, such as `text/html` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// Whether it was made of another one, and so need not be kept (RFC 9073 §5.3).
  public var isDerived = false
  /// The language (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a description.
  public init(_ content: Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
