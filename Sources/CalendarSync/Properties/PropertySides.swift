// SPDX-License-Identifier: Apache-2.0

/// The stores of both sides, with their current properties.
struct PropertySides {
  let here: any CollectionPropertyStore
  let there: any CollectionPropertyStore
  let local: CollectionProperties
  let remote: CollectionProperties
  /// The last agreement; nil if the sides never agreed.
  let agreement: CollectionAgreement?

  /// The value of a property on one side, in its own spelling.
  subscript(side: MergeSide, property: CollectionProperty) -> String? {
    side == .local ? local[property] : remote[property]
  }

  /// The canonical value of a property on one side, for comparison.
  func canonical(_ side: MergeSide, _ property: CollectionProperty) -> String? {
    self[side, property].flatMap(property.canonical)
  }

  /// The store of a side.
  func store(_ side: MergeSide) -> any CollectionPropertyStore {
    side == .local ? here : there
  }
}
