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
  package subscript(name: XMLName) -> XMLElement? { children.first { $0.name == name } }

  /// The children of this name, in order.
  package func children(named name: XMLName) -> [XMLElement] {
    children.filter { $0.name == name }
  }

  /// The text without white space at its ends.
  package var trimmedText: String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
