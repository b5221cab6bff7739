// SPDX-License-Identifier: Apache-2.0

/// The properties that a server gives of one resource; a few, and so looked for one by one.
package struct PropertyValues: Hashable, Sendable {
  private var elements: [XMLElement] = []

  /// The property of this name; of several, the one that came last.
  package subscript(name: XMLName) -> XMLElement? {
    for place in elements.indices.reversed() where elements[place].name == name {
      return elements[place]
    }
    return nil
  }

  /// Takes properties.
  mutating func add(_ properties: [XMLElement]) {
    // Nearly always there were none before, and nothing has to be copied.
    if elements.isEmpty { elements = properties } else { elements += properties }
  }
}
