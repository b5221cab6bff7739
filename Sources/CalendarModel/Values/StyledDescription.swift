// SPDX-License-Identifier: Apache-2.0

/// A description with formatting (RFC 9073 §6.5).
public struct StyledDescription: Hashable, Sendable {
  /// The text, or a reference to it.
  public enum Content: Hashable, Sendable {
    /// A text inside the file.
    case text(String)
    /// A URI of the text.
    case uri(String)
  }

  /// The text, or a reference to it.
  public var content: Content
  /// The media type, such as `text/html` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// Whether it is derived from another description and can be omitted (RFC 9073 §5.3).
  public var isDerived = false
  /// The language tag (RFC 5545 §3.2.10).
  public var language: String?

  /// Creates a description.
  public init(_ content: Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
