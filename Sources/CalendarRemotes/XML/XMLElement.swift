// SPDX-License-Identifier: Apache-2.0

/// An XML element with all that is in it; of attributes only `name` is kept, the one that matters.
package struct XMLElement: Hashable, Sendable {
  package let name: XMLName
  /// The attribute `name`, as a component set has it (RFC 4791 §9.4).
  package internal(set) var nameAttribute: String?
  /// The elements in it, in order.
  package internal(set) var children: [XMLElement] = []
  /// The text directly in it.
  package internal(set) var text = ""

  /// The first child of this name.
  package subscript(name: XMLName) -> XMLElement? {
    place(of: name).map { children[$0] }
  }

  /// Where the first child of this name is.
  ///
  /// By place, because to hand an element to a condition copies it, and a listing has thousands.
  func place(of name: XMLName) -> Int? {
    for place in children.indices where children[place].name == name { return place }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// The children of this name, in order.
  package func children(named name: XMLName) -> [XMLElement] {
    children.filter { $0.name == name }
  }

  /// The text without white space at its ends.
  package var trimmedText: String {
    // White space of XML alone (§2.3), over bytes: there are thousands of texts in a listing.
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, Self.isSpace(first) || Self.isSpace(last)
    else { return text }
    let start = bytes.firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !Self.isSpace($0) }.map { bytes.index(after: $0) } ?? start
    return String(text[start..<end])
  }
}
