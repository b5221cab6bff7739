// SPDX-License-Identifier: Apache-2.0

/// Both sides as keepers of what the calendar says of itself, with what they say.
struct PropertySides {
  let here: any CollectionPropertyStore
  let there: any CollectionPropertyStore
  let local: CollectionProperties
  let remote: CollectionProperties
  /// What they said when they last agreed; nil if they never did.
  let agreement: CollectionAgreement?

  /// What a side says of a property, as it spells it.
  subscript(side: MergeSide, property: CollectionProperty) -> String? {
    side == .local ? local[property] : remote[property]
  }

  /// What a side says of a property, as it is compared.
  func canonical(_ side: MergeSide, _ property: CollectionProperty) -> String? {
    self[side, property].flatMap(property.canonical)
  }

  /// The keeper of a side.
  func store(_ side: MergeSide) -> any CollectionPropertyStore {
    side == .local ? here : there
  }
}
