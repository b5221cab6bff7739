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
    if here == nil, emptied.contains(.local) { return setLocal }
    if there == nil, emptied.contains(.remote) { return setRemote }
    // Without an agreement no side has made an edit: an unset property takes the value of the other
    // side.
    let isHere = here != canonical(agreement?.local)
    let isThere = there != canonical(agreement?.remote)
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

/// A planned change of one calendar property, with its reason.
public struct CollectionChange: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the change.
  public enum Action: Hashable, Sendable {
    /// Set or remove the local value.
    case setLocal(String?)
    /// Set or remove the remote value.
    case setRemote(String?)
    /// Keep the different values of both sides, because both changed.
    case leave
  }

  /// The outcome of the change.
  public enum Outcome: Hashable, Sendable {
    /// Nothing was written in a dry run.
    case planned
    /// The change succeeded.
    case done
    /// The change failed for this reason.
    case failed(ItemObstacle)
  }

  /// The property.
  public let property: CollectionProperty
  /// The kind of the change.
  public let action: Action
  /// Whether a policy decided between different edits of both sides, so that one of them is lost.
  public private(set) var isDecidedByPolicy = false

  /// Creates a change.
  public init(property: CollectionProperty, action: Action) {
    self.property = property
    self.action = action
  }

  /// The change as one that a policy decided.
  var decidedByPolicy: CollectionChange {
    var change = self
    change.isDecidedByPolicy = true
    return change
  }

  /// One line for display: `set local color to "#3f7fbf"`, `keep different values of name`.
  public var description: String {
    guard let (side, value) = write else { return "keep different values of \(property.rawValue)" }
    let words = "\(side.rawValue) \(property.rawValue)"
    return value.map { "set \(words) to \"\($0)\"" } ?? "remove \(words)"
  }

  /// The side to write and its new value; nil if both sides keep their values.
  var write: (side: MergeSide, value: String?)? {
    switch action {
    case .setLocal(let value): (.local, value)
    case .setRemote(let value): (.remote, value)
    case .leave: nil
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
