// SPDX-License-Identifier: Apache-2.0

/// The properties of a resource in a response; they are few, so that a linear search is sufficient.
package struct PropertyValues: Hashable, Sendable {
  private var elements: [XMLElement] = []

  /// The property with a name; the last one if there are several.
  package subscript(name: XMLName) -> XMLElement? {
    for place in elements.indices.reversed() where elements[place].name == name {
      return elements[place]
    }
    return nil
  }

  /// Adds properties.
  mutating func add(_ properties: [XMLElement]) {
    // Usually the list is empty before, so that nothing is copied.
    if elements.isEmpty { elements = properties } else { elements += properties }
  }
}
