// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// A value that a server may cut where it reads it as a list.
///
/// Radicale reads nearly every property so and keeps what stands before the first comma that no
/// backslash precedes. Other servers cut at a semicolon, or after so many characters.
struct CutValue {
  /// The properties whose own separators are commas or semicolons, as every server knows.
  private static let structured = Set(
    PropertyTable.rows.filter { row in
      row.valueType == .recurrence
        || row.separator != nil && row.reference.hasPrefix("RFC 5545")
    }.map { PropertyName($0.name) })

  private let sent: Property

  init(_ sent: Property) {
    self.sent = sent
  }

  /// Whether the value has a comma or a semicolon at which a server may cut it.
  static func isCuttable(_ property: Property) -> Bool {
    property.withValue { TextEscaping.firstSeparator(in: $0) != nil }
      && !structured.contains(property.name)
  }

  /// Whether an item has such a value anywhere.
  static func isInside(_ components: some Sequence<Component>) -> Bool {
    components.contains { component in
      component.properties.contains(where: isCuttable) || isInside(component.components)
    }
  }

  /// Whether a property is what a server left of the value.
  ///
  /// - Parameters:
  ///   - returned: What the server gives.
  ///   - isAnywhere: Whether the cut may be at any place, and not only at a separator.
  /// - Returns: Whether the end of the value is missing, and nothing else.
  func isLeft(of returned: Property, isAnywhere: Bool) -> Bool {
    guard !Self.structured.contains(sent.name), returned.rawValue != sent.rawValue else {
      return false
    }
    let kept = Self.trimmed(Array(returned.text.utf8))
    if Self.isCuttable(sent) {
      let isFound = sent.withValue { bytes in
        Self.isCut(bytes, to: kept, isText: true) || Self.isCut(bytes, to: kept, isText: false)
      }
      if isFound { return true }
    }
    guard isAnywhere, !kept.isEmpty else { return false }
    let whole = Self.trimmed(Array(sent.text.utf8))
    return whole.count > kept.count && whole.starts(with: kept)
  }

  /// Whether some separator ends what is kept; blanks at the ends do not count.
  ///
  /// - Parameters:
  ///   - bytes: The value with its escapes.
  ///   - kept: What is left of it.
  ///   - isText: Whether escapes are read, or backslashes are what they are.
  /// - Returns: Whether the value was cut there.
  private static func isCut(
    _ bytes: Span<UInt8>, to kept: ArraySlice<UInt8>, isText: Bool
  ) -> Bool {
    var next = kept.startIndex
    var isEscaped = false
    for index in bytes.indices {
      var byte = bytes[index]
      if !isEscaped, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
        if next == kept.endIndex { return true }
      }
      let isEscape = !isEscaped && byte == UInt8(ascii: "\\")
      if isText, isEscaped, byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") {
        byte = UInt8(ascii: "\n")
      }
      isEscaped = isEscape
      if isText, isEscape { continue }
      if next < kept.endIndex, kept[next] == byte {
        next += 1
      } else if !(isBlank(byte) && (next == kept.startIndex || next == kept.endIndex)) {
        return false
      }
    }
    return false
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    return rest
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
  }
}
