// SPDX-License-Identifier: Apache-2.0

/// Decides how a sync changes the properties of a calendar.
///
/// It is a pure function of both sides and of their last agreement.
struct CollectionMerge {
  let local: CollectionProperties
  let remote: CollectionProperties
  /// The last agreement; nil if the sides never agreed.
  let agreement: CollectionAgreement?
  /// The direction of the sync.
  ///
  /// A sync that pulls keeps a local value that is an edit, as for the name of a feed. A sync that pushes
  /// sets each local value, and removes none.
  var direction = SyncDirection.both
  /// The policy for properties that both sides changed.
  let policy: MergePolicy
  /// The sides that lost their properties instead of removing them; they get them back.
  var emptied: Set<MergeSide> = []

  /// The changes, in the order of the properties.
  var changes: [CollectionChange] {
    CollectionProperty.allCases.compactMap { property in
      change(of: property)
    }
  }

  private func change(of property: CollectionProperty) -> CollectionChange? {
    func canonical(_ properties: CollectionProperties?) -> String? {
      properties?[property].flatMap(property.canonical)
    }
    let (here, there) = (canonical(local), canonical(remote))
    guard here != there else { return nil }
    let setLocal = CollectionChange(property: property, action: .setLocal(remote[property]))
    let setRemote = CollectionChange(property: property, action: .setRemote(local[property]))
    if direction == .push { return here == nil ? nil : setRemote }
    if here == nil, emptied.contains(.local) { return setLocal }
    if there == nil, emptied.contains(.remote) { return direction == .pull ? nil : setRemote }
    // Without an agreement no side has made an edit: an unset property takes the value of the other
    // side.
    let isHere = here != canonical(agreement?.local)
    let isThere = there != canonical(agreement?.remote)
    if direction == .pull { return isThere && !isHere ? setLocal : nil }
    switch (isHere, isThere) {
    case (false, false): return nil
    case (true, false): return setRemote
    case (false, true): return setLocal
    case (true, true):
      switch policy {
      case .local: return setRemote.decidedByPolicy
      case .remote: return setLocal.decidedByPolicy
      default: return CollectionChange(property: property, action: .leave)
      }
    }
  }
}

/// The stores of both sides, with their current properties.
struct PropertySides {
  let here: any CollectionPropertyStore
  let there: any CollectionPropertyStore
  let local: CollectionProperties
  let remote: CollectionProperties
  /// The last agreement; nil if the sides never agreed.
  let agreement: CollectionAgreement?
  /// The direction of the sync.
  var direction = SyncDirection.both

  /// Whether the sync may change the properties of a side.
  func canBeSet(_ side: MergeSide) -> Bool {
    direction.written.contains(side) && store(side).canBeSet
  }

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
