// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// An item of the remote that is about to be replaced or deleted, as far as its content is known.
public struct HeldItem: Sendable {
  /// The place of the item.
  public let href: Href
  /// The tag that is the condition of the write; nil if there is none.
  public let etag: EntityTag?
  /// The version with this tag, if it was read.
  private let read: CalendarItem?
  /// The content with this tag that both sides agreed on, if it was not read.
  private let content: [UInt8]?

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - href: The place of the item.
  ///   - etag: The tag that is the condition of the write.
  ///   - item: The version with this tag, if it was read.
  ///   - content: The content with this tag that both sides agreed on.
  public init(
    href: Href, etag: EntityTag? = nil, item: CalendarItem? = nil, content: [UInt8]? = nil
  ) {
    (self.href, self.etag) = (href, etag)
    (read, self.content) = (item, content)
  }

  /// Returns the version with this tag, which is parsed if necessary; nil if it is not known.
  public func item() -> CalendarItem? {
    read ?? content.flatMap { try? CalendarItem(parsing: $0) }
  }
}
