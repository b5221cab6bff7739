// SPDX-License-Identifier: Apache-2.0

/// A property of a calendar as a whole, as opposed to its items.
public enum CollectionProperty: String, CaseIterable, Hashable, Sendable {
  /// The display name: `DAV:displayname` (RFC 4918 §15.2), the file `displayname` of a folder.
  case name
  /// The colour as `#RRGGBB`: `calendar-color` of Apple's namespace, the file `color` of a folder.
  case color
  /// A text: `CALDAV:calendar-description` (RFC 4791 §5.2.1), the file `description` of a folder.
  case description
  /// The position in a list of calendars: `calendar-order` of Apple's namespace, the file `order`.
  case order

  /// The maximum size of an accepted value, in bytes.
  public static let sizeLimit = 4096

  /// The value in canonical form, for comparison.
  ///
  /// Servers append an alpha channel to colours, and editors append a line end.
  ///
  /// - Parameter value: A value in the spelling of a side.
  /// - Returns: The canonical value, or nil for a blank value, which counts as not set.
  public func canonical(_ value: String) -> String? {
    var text = Substring(value)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    text = text.drop(while: \.isWhitespace)
    guard !text.isEmpty else { return nil }
    switch self {
    case .name, .description: return String(text).replacing("\r\n", with: "\n")
    case .color:
      let lower = text.lowercased()
      let hasOpaqueAlpha = lower.hasPrefix("#") && lower.utf8.count == 9 && lower.hasSuffix("ff")
      return hasOpaqueAlpha ? String(lower.dropLast(2)) : lower
    case .order: return Int(text).map(String.init) ?? String(text)
    }
  }
}
