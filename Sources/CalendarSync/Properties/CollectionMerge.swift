// SPDX-License-Identifier: Apache-2.0

/// Decides how a sync changes the properties of a calendar.
///
/// It is a pure function of both sides and of their last agreement.
struct CollectionMerge {
  let local: CollectionProperties
  let remote: CollectionProperties
  /// The last agreement; nil if the sides never agreed.
  let agreement: CollectionAgreement?
  /// The policy for properties that both sides changed.
  let policy: MergePolicy

  /// The changes, in the order of the properties.
  var changes: [CollectionChange] {
    CollectionProperty.allCases.compactMap { property in
      action(property).map { CollectionChange(property: property, action: $0) }
    }
  }

  private func action(_ property: CollectionProperty) -> CollectionChange.Action? {
    func canonical(_ properties: CollectionProperties?) -> String? {
      properties?[property].flatMap(property.canonical)
    }
    let (here, there) = (canonical(local), canonical(remote))
    guard here != there else { return nil }
    // Without an agreement no side has made an edit: an unset property takes the value of the other
    // side.
    let isHere = here != canonical(agreement?.local)
    let isThere = there != canonical(agreement?.remote)
    switch (isHere, isThere) {
    case (false, false): return nil
    case (true, false): return .setRemote(local[property])
    case (false, true): return .setLocal(remote[property])
    case (true, true):
      switch policy {
      case .local: return .setRemote(local[property])
      case .remote: return .setLocal(remote[property])
      default: return .leave
      }
    }
  }
}
