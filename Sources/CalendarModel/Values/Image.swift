// SPDX-License-Identifier: Apache-2.0

/// An image of an item (RFC 7986 §5.10).
public struct Image: Hashable, Sendable {
  /// The contents of the image, or a reference to them.
  public var content: Attachment.Content
  /// The media type, such as `image/png` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// The intended display modes; empty for the default, a badge.
  public var displays: [ImageDisplay] = []
  /// A URI to open when the user selects the image (RFC 5545 §3.2.1).
  public var alternateRepresentation: String?

  /// Creates an image.
  public init(_ content: Attachment.Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
