// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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

/// An intended display mode of an image (RFC 7986 §6.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ImageDisplay: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Beside the title; the default.
  public static let badge = ImageDisplay(rawValue: "BADGE")
  /// Instead of the title.
  public static let graphic = ImageDisplay(rawValue: "GRAPHIC")
  /// In full size.
  public static let fullsize = ImageDisplay(rawValue: "FULLSIZE")
  /// As a thumbnail, where many images are shown.
  public static let thumbnail = ImageDisplay(rawValue: "THUMBNAIL")
}

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
