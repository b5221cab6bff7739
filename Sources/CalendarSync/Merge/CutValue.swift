// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A value that a server may cut because it parses the value as a list.
///
/// Radicale parses nearly every property as a list and keeps the part before the first unescaped
/// comma. Other servers cut at a semicolon, or after a number of characters.
struct CutValue {
  /// The properties whose own separators are commas or semicolons, which all servers know.
  private static let structured = Set(
    PropertyTable.rows.filter { row in
      row.valueType == .recurrence
        || row.separator != nil && row.reference.hasPrefix("RFC 5545")
    }.map { PropertyName($0.name) })

  /// The positions at which a value may be cut.
  enum Place {
    /// At a comma or a semicolon that is not escaped.
    case atSeparator
    /// At any position, except before the first character.
    case behindText
    /// At any position.
    case anywhere
  }

  private let sent: Property

  init(_ sent: Property) {
    self.sent = sent
  }

  /// Whether the value has a comma or a semicolon at which a server may cut it.
  static func isCuttable(_ property: Property) -> Bool {
    property.withValue { TextEscaping.firstSeparator(in: $0) != nil }
      && !structured.contains(property.name)
  }

  /// Whether any component contains such a value.
  static func isInside(_ components: some Sequence<Component>) -> Bool {
    components.contains { component in
      component.properties.contains(where: isCuttable) || isInside(component.components)
    }
  }

  /// Whether the value is free text, whose beginning is not another value.
  ///
  /// Words such as those of CLASS are no free text, although the RFCs allow further ones.
  private var isFree: Bool {
    guard let row = PropertyTable.row(for: sent.name) else { return true }
    return row.limit == nil && !PropertyTraits.words.contains(sent.name)
      && [.text, .uri, .calendarAddress, .binary, .unknown].contains(row.valueType)
  }

  /// Whether a returned property is the beginning of the sent value.
  ///
  /// - Parameters:
  ///   - returned: The returned property.
  ///   - place: The positions at which the value may be cut.
  /// - Returns: Whether only the end of the value is missing.
  func isLeft(of returned: Property, _ place: Place) -> Bool {
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
    guard place != .atSeparator, isFree, !kept.isEmpty || place == .anywhere else { return false }
    let whole = Self.trimmed(Array(sent.text.utf8))
    return whole.count > kept.count && whole.starts(with: Self.withoutTornCharacter(kept))
  }

  /// The bytes without the replacement character at the end, which stands for a cut character.
  private static func withoutTornCharacter(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.suffix(3).elementsEqual([0xEF, 0xBF, 0xBD]) ? bytes.dropLast(3) : bytes
  }

  /// Whether the kept part ends at a separator; blanks at the ends are ignored.
  ///
  /// - Parameters:
  ///   - bytes: The value with its escapes.
  ///   - kept: The kept part.
  ///   - isText: Whether to interpret escapes; if not, backslashes are literal.
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
