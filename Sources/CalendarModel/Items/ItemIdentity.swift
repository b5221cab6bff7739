// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The UID and the kind that the components of one item share (RFC 4791 §4.1).
struct ItemIdentity: Hashable {
  let uid: UID
  let kind: ItemKind

  /// Finds the common UID and kind; components such as VTIMEZONE are ignored.
  init(of components: some Collection<Component>) throws(ItemError) {
    var found: ItemIdentity?
    for component in components {
      guard let kind = ItemKind(component.name) else { continue }
      let identity = ItemIdentity(uid: try Self.uid(of: component), kind: kind)
      if let found { try Self.check(identity, against: found, at: component.position) }
      found = identity
    }
    guard let found else {
      throw ItemError(
        code: .noItem, position: components.first?.position,
        message: "expected an event, a reminder or a journal entry, found none")
    }
    self = found
  }

  private init(uid: UID, kind: ItemKind) {
    self.uid = uid
    self.kind = kind
  }

  private static func uid(of component: Component) throws(ItemError) -> UID {
    let properties = component.properties(named: .uid)
    // Usually there is one UID, which needs no comparison.
    let count = properties.count > 1 ? Set(properties.map(\.text)).count : 1
    guard count == 1 else {
      throw ItemError(
        code: .severalItems, position: component.position,
        message: "expected one UID in the \(component.name.rawName), found \(count)")
    }
    guard let uid = component.uid else {
      throw ItemError(
        code: .noUID, position: component.position,
        message: "expected a UID in the \(component.name.rawName), found none")
    }
    return uid
  }

  private static func check(
    _ identity: ItemIdentity, against first: ItemIdentity, at position: SourcePosition?
  ) throws(ItemError) {
    guard identity.kind == first.kind else {
      throw ItemError(
        code: .severalItems, position: position,
        message: "expected only \(first.kind.rawValue), found \(identity.kind.rawValue) too")
    }
    guard identity.uid == first.uid else {
      throw ItemError(
        code: .severalItems, position: position,
        message: "expected the UID '\(first.uid)' in every component, found '\(identity.uid)' too")
    }
  }
}
