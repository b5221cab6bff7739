// SPDX-License-Identifier: Apache-2.0

/// An image that goes with an item (RFC 7986 §5.10).
public struct Image: Hashable, Sendable {
  /// Where the image is.
  public var content: Attachment.Content
  /// The media type, such as `image/png` (RFC 5545 §3.2.8).
  public var formatType: String?
  /// How it is meant to be shown; as a badge if nothing is said.
  public var displays: [ImageDisplay] = []
  /// A URI that choosing the image leads to (RFC 5545 §3.2.1).
  public var alternateRepresentation: String?

  /// Creates an image.
  public init(_ content: Attachment.Content, formatType: String? = nil) {
    self.content = content
    self.formatType = formatType
  }
}
