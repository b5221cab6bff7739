// SPDX-License-Identifier: Apache-2.0

/// The optional properties of a calendar as a whole: name, colour, description and order.
public struct CollectionProperties: Hashable, Sendable {
  private var values: [CollectionProperty: String] = [:]

  /// Creates a calendar's properties; none is set.
  public init() {}

  /// The value of a property in the spelling of the side, or nil if it is not set.
  public subscript(property: CollectionProperty) -> String? {
    get { values[property] }
    set { values[property] = newValue }
  }

  /// Whether no property is set.
  public var isEmpty: Bool { values.isEmpty }
}
