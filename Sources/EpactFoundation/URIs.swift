// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import Foundation

extension URL {
  /// Creates a URL from a URI of a calendar, or returns nil if Foundation cannot hold the same
  /// text.
  ///
  /// Foundation would otherwise escape characters that RFC 3986 does not allow, so that the file
  /// would change when the URL is written back.
  public init?(uri: String) {
    guard let url = URL(string: uri, encodingInvalidCharacters: false), url.absoluteString == uri
    else { return nil }
    self = url
  }
}

extension CalendarAddress {
  /// Creates the address with a URL, usually a `mailto:`.
  public init(_ url: URL) {
    self.init(url.absoluteString)
  }

  /// The address as a URL, or nil if it is not one.
  public var url: URL? { URL(uri: rawValue) }
}

extension ItemContent {
  /// The URI with more information as a URL; nil if there is none, or if it is not a URL.
  ///
  /// Setting it changes `ItemContent.url` of CalendarModel, which is the text in the file.
  public var webURL: URL? {
    get { url.flatMap { URL(uri: $0) } }
    set { url = newValue?.absoluteString }
  }
}

extension Attachment.Content {
  /// Creates a reference to a document, such as an attachment or an image.
  public init(_ url: URL) {
    self = .uri(url.absoluteString)
  }

  /// The URL of the document; nil if the bytes are inside the file, or if it is not a URL.
  public var url: URL? {
    if case .uri(let uri) = self { URL(uri: uri) } else { nil }
  }
}

extension StyledDescription.Content {
  /// Creates a reference to a text.
  public init(_ url: URL) {
    self = .uri(url.absoluteString)
  }

  /// The URL of the text; nil if the text is inside the file, or if it is not a URL.
  public var url: URL? {
    if case .uri(let uri) = self { URL(uri: uri) } else { nil }
  }
}

extension StructuredData.Content {
  /// Creates a reference to data.
  public init(_ url: URL) {
    self = .uri(url.absoluteString)
  }

  /// The URL of the data; nil if the data is inside the file, or if it is not a URL.
  public var url: URL? {
    if case .uri(let uri) = self { URL(uri: uri) } else { nil }
  }
}

extension Conference {
  /// Creates a conference with a URL for joining.
  public init(_ url: URL, label: String? = nil) {
    self.init(url.absoluteString, label: label)
  }

  /// The URL for joining, or nil if it is not one.
  public var url: URL? { URL(uri: uri) }
}

extension Link.Target {
  /// Creates the target at a URL.
  public init(_ url: URL) {
    self = .uri(url.absoluteString)
  }

  /// The URL of the target; nil for an item, for a part of an XML document, or if it is not a URL.
  public var url: URL? {
    if case .uri(let uri) = self { URL(uri: uri) } else { nil }
  }
}
