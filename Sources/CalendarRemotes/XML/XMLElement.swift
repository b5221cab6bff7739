// SPDX-License-Identifier: Apache-2.0

/// An XML element with its contents and, of its attributes, only `name`.
package struct XMLElement: Hashable, Sendable {
  package let name: XMLName
  /// The attribute `name`, as in a component set (RFC 4791 §9.4).
  package internal(set) var nameAttribute: String?
  /// The child elements, in order.
  package internal(set) var children: [XMLElement] = []
  /// The text directly in the element.
  package internal(set) var text = ""

  /// The first child with a name.
  package subscript(name: XMLName) -> XMLElement? {
    place(of: name).map { children[$0] }
  }

  /// The index of the first child with a name.
  ///
  /// It is an index, because passing an element to a closure copies it, and a listing has
  /// thousands.
  func place(of name: XMLName) -> Int? {
    for place in children.indices where children[place].name == name { return place }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns the children with a name, in order.
  package func children(named name: XMLName) -> [XMLElement] {
    children.filter { $0.name == name }
  }

  /// The text, trimmed of white space.
  package var trimmedText: String {
    // Only XML white space (§2.3) counts. The search is on bytes, because a listing has thousands
    // of texts.
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, Self.isSpace(first) || Self.isSpace(last)
    else { return text }
    let start = bytes.firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !Self.isSpace($0) }.map { bytes.index(after: $0) } ?? start
    return String(text[start..<end])
  }
}
