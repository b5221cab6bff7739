// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Compares sent and returned components to find alterations by the server.
struct ComponentEcho {
  /// A part of a component that the server did not return.
  struct Loss {
    let path: String
    let name: String
    let sent: String
    let kept: String?
  }

  /// The maximum number of properties with the same name that are compared with one property.
  private static let window = 16

  let trust: ItemEcho.Trust
  let clock: MergeClock
  private(set) var losses: [Loss] = []

  init(trust: ItemEcho.Trust, clock: MergeClock) {
    self.trust = trust
    self.clock = clock
  }

  /// The sent component with the alterations by the server.
  mutating func echo(
    of sent: Component, as returned: Component, path: String
  ) -> Component {
    var result = sent
    var rest = PropertyPool(returned.properties, besides: sent.properties)
    var held: [Property] = []
    for property in sent.properties {
      if rest.holds(property) || !rest.names.contains(property.name) && !isDropped(property) {
        held.append(property)
      } else if !rest.names.contains(property.name) {
        note(property, as: nil, in: path)
      } else if let echo = rest.take(property, within: Self.window, where: isEcho) {
        if isLoss(of: property, as: echo) { note(property, as: echo, in: path) }
        held.append(echo)
      } else {
        held.append(property)
      }
    }
    let own = Set(sent.properties.map(\.name))
    held += returned.properties.filter { isAddition($0, to: sent, own) && !rest.isTaken($0) }
    if held != Array(sent.properties) { result.properties = PropertyList(held) }
    let nested = nested(of: sent, as: returned, path: path)
    if nested != Array(sent.components) { result.components = ComponentList(nested) }
    return result
  }

  private mutating func nested(
    of sent: Component, as returned: Component, path: String
  ) -> [Component] {
    guard !sent.components.isEmpty || !returned.components.isEmpty else { return [] }
    let keys = NestedIdentity.keys(of: [sent, returned], clock)
    let theirs = KeyedComponents(keys: keys[1], components: Array(returned.components))
    var held: [Component] = []
    for (key, component) in zip(keys[0], sent.components) {
      let name = component.name.canonicalName
      if let other = theirs[key] {
        held.append(echo(of: component, as: other, path: "\(path) / \(name)"))
      } else if component.name == .alarm || !trust.contains(.isUnseen) {
        held.append(component)
      } else {
        losses.append(Loss(path: path, name: name, sent: "BEGIN:\(name)", kept: nil))
      }
    }
    guard trust.allowsAdditions else { return held }
    let own = Set(keys[0])
    held += zip(keys[1], returned.components)
      .filter { !own.contains($0) && $1.name.index == nil }.map(\.1)
    return held
  }

  private mutating func note(_ sent: Property, as kept: Property?, in path: String) {
    losses.append(
      Loss(
        path: path, name: sent.name.canonicalName, sent: sent.contentLine,
        kept: kept?.contentLine))
  }

  // MARK: Losses

  /// Whether the server may have dropped a property that was not returned.
  private func isDropped(_ property: Property) -> Bool {
    trust.contains(.isUnseen) && !Self.isWidelyKnown(property.name)
  }

  private static func isWidelyKnown(_ name: PropertyName) -> Bool {
    PropertyTable.row(for: name)?.reference.hasPrefix("RFC 5545") ?? false
  }

  private func isLoss(of sent: Property, as returned: Property) -> Bool {
    if sent.rawValue != returned.rawValue { return isCut(sent, as: returned) }
    let names = Set(returned.parameters.map(\.name))
    return !sent.parameters.allSatisfy { names.contains($0.name) }
  }

  private func isCut(_ sent: Property, as returned: Property) -> Bool {
    guard trust.allowsAnyCut || !trust.isDisjoint(with: [.isSent, .isUnseen]) else { return false }
    return CutValue(sent).isLeft(of: returned, isAnywhere: trust.allowsAnyCut)
  }

  // MARK: Alterations

  private func isEcho(of sent: Property, as returned: Property) -> Bool {
    let hasParameters =
      sent.parameters == returned.parameters
      || trust.contains(.isUnseen) && hasLostOrGained(sent, as: returned)
    if hasParameters {
      if isCut(sent, as: returned) { return true }
      guard trust.contains(.isUnseen) else { return false }
      return sent.rawValue == returned.rawValue || Self.isEscaped(sent, as: returned)
        || trust.allowsAdditions && MergeBookkeeping.rule(for: sent.name) != nil
    }
    return trust.allowsTimes && Self.isZoned(sent, as: returned)
  }

  /// Whether parameters differ only in dropped or added extensions of RFC 5545.
  ///
  /// Additions count only if the server may have made them. The order of parameters is ignored.
  private func hasLostOrGained(_ sent: Property, as returned: Property) -> Bool {
    let mine = sent.parameters
    let theirs = returned.parameters
    guard !mine.isEmpty || !theirs.isEmpty else { return true }
    let kept = Set(theirs)
    let known = Set(mine)
    let lost = mine.filter { !kept.contains($0) }
    let gained = theirs.filter { !known.contains($0) }
    return lost.allSatisfy { $0.name.index == nil }
      && gained.allSatisfy { trust.allowsAdditions && Self.isOwn($0.name) }
  }

  /// Whether a parameter is typically added by servers.
  ///
  /// These are unknown parameters and the delivery status of scheduling messages (RFC 6638 §7.3).
  private static func isOwn(_ name: ParameterName) -> Bool {
    name.index == nil || name == "SCHEDULE-STATUS"
  }

  /// Whether a floating time was returned as the same local time with a zone.
  private static func isZoned(_ sent: Property, as returned: Property) -> Bool {
    guard sent[.tzID] == nil, returned[.tzID] != nil, sent.rawValue == returned.rawValue,
      !sent.rawValue.hasSuffix("Z")
    else { return false }
    var other = returned
    other[.tzID] = nil
    return other.parameters == sent.parameters
  }

  /// Whether a value was escaped again, as if it were an unescaped text.
  ///
  /// The additional backslashes precede characters with a special meaning in other types and in
  /// lists.
  private static func isEscaped(_ sent: Property, as returned: Property) -> Bool {
    if PropertyTable.row(for: sent.name)?.valueType != .text, returned.text == sent.text {
      return true
    }
    return returned.text == sent.rawValue
  }

  // MARK: Additions

  /// Whether the server added a property that was not sent.
  private func isAddition(
    _ property: Property, to sent: Component, _ own: Set<PropertyName>
  ) -> Bool {
    if !property.isWellFormed { return trust.contains(.isUnseen) }
    guard !own.contains(property.name) else { return false }
    let ends: [PropertyName] = [.dtEnd, .duration]
    if ends.contains(property.name) {
      return trust.allowsTimes && sent.name == .event && own.isDisjoint(with: ends)
    }
    guard trust.allowsAdditions else { return false }
    if !Self.isWidelyKnown(property.name) { return true }
    switch property.name {
    case .sequence: return true
    case .uid: return sent.name == .alarm
    case .status: return ["CONFIRMED", "NEEDS-ACTION"].contains(property.rawValue)
    default: return false
    }
  }
}

/// The returned properties that have not been matched with sent ones.
private struct PropertyPool {
  /// The names of all returned properties.
  let names: Set<PropertyName>
  /// The number of returned properties that are identical to a sent one.
  private var equal: [Property: Int]
  /// The other returned properties, by name.
  private var others: [PropertyName: ArraySlice<Property>] = [:]
  /// The values of all sent properties, for matching lines that are not content lines.
  private let spoilt: Set<String>

  init(_ returned: PropertyList, besides sent: PropertyList) {
    names = Set(returned.map(\.name))
    spoilt = Set(sent.map(\.rawValue))
    var own: [Property: Int] = [:]
    for property in sent { own[property, default: 0] += 1 }
    equal = [:]
    for property in returned {
      if let count = own[property], count > 0 {
        own[property] = count - 1
        equal[property, default: 0] += 1
      } else {
        others[property.name, default: []].append(property)
      }
    }
  }

  /// Whether a property was returned unchanged; each returned property counts once.
  mutating func holds(_ property: Property) -> Bool {
    guard let count = equal[property], count > 0 else { return false }
    equal[property] = count - 1
    return true
  }

  /// Takes the first matching property among the first properties with the same name.
  mutating func take(
    _ property: Property, within window: Int, where fits: (Property, Property) -> Bool
  ) -> Property? {
    guard let list = others[property.name],
      let place = list.prefix(window).firstIndex(where: { fits(property, $0) })
    else { return nil }
    let found = list[place]
    if place == list.startIndex {
      others[property.name]?.removeFirst()
    } else {
      others[property.name]?.remove(at: place)
    }
    return found
  }

  /// Whether a line that is not a content line was sent.
  func isTaken(_ property: Property) -> Bool {
    !property.isWellFormed && spoilt.contains(property.rawValue)
  }
}
