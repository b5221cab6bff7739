// SPDX-License-Identifier: Apache-2.0

/// What a calendar says of itself: its name, colour, description and order, as far as they are set.
public struct CollectionProperties: Hashable, Sendable {
  private var values: [CollectionProperty: String] = [:]

  /// Creates a calendar's properties; none is set.
  public init() {}

  /// The value of a property as the side spells it, or nil if it is not set.
  public subscript(property: CollectionProperty) -> String? {
    get { values[property] }
    set { values[property] = newValue }
  }

  /// Whether no property is set.
  public var isEmpty: Bool { values.isEmpty }
}
