// SPDX-License-Identifier: Apache-2.0

import CalendarModel
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
  /// Whether nested components are compared by their identities alone.
  private let isTrial: Bool
  private(set) var losses: [Loss] = []

  init(trust: ItemEcho.Trust, clock: MergeClock, isTrial: Bool = false) {
    self.trust = trust
    self.clock = clock
    self.isTrial = isTrial
  }

  /// The sent component of an item with the alterations by the server; nil if the server lost it.
  mutating func echo(
    of sent: Component, as returned: Component?, path: String
  ) -> Component? {
    if let returned { return altered(sent, as: returned, path: path) }
    guard trust.allowsLosses else { return sent }
    let name = sent.name.canonicalName
    losses.append(Loss(path: "VCALENDAR", name: path, sent: "BEGIN:\(name)", kept: nil))
    return nil
  }

  /// The sent component with the alterations by the server.
  private mutating func altered(
    _ sent: Component, as returned: Component, path: String
  ) -> Component {
    var result = sent
    var rest = PropertyPool(returned.properties, besides: sent.properties)
    let matches = sent.properties.map { property in
      rest.holds(property)
        ? property : rest.take(property, within: Self.window, where: isEcho)
    }
    var missing: MissingParts?
    var held: [Property] = []
    for (index, (property, match)) in zip(sent.properties, matches).enumerated() {
      var kept = match
      if match == nil, !trust.allowsLosses || !property.isWellFormed {
        kept = rest.names.contains(property.name) || !isDropped(property) ? property : nil
      } else if match == nil {
        if missing == nil { missing = MissingParts(of: sent, in: returned, matches, clock) }
        kept = missing?.rest(of: index) ?? nil
      }
      if kept != property, match.map({ isLoss(of: property, as: $0) }) ?? true {
        note(property, as: kept, in: path)
      }
      if let kept { held.append(kept) }
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
    let own = Set(keys[0])
    var others = zip(keys[1], returned.components).filter { !own.contains($0.0) }.map(\.1)[...]
    var held: [Component] = []
    for (key, component) in zip(keys[0], sent.components) {
      let name = component.name.canonicalName
      if let other = theirs[key] ?? takeAltered(component, from: &others) {
        held.append(altered(component, as: other, path: "\(path) / \(name)"))
      } else if trust.allowsLosses || trust.contains(.isUnseen) && component.name != .alarm {
        losses.append(Loss(path: path, name: name, sent: "BEGIN:\(name)", kept: nil))
      } else {
        held.append(component)
      }
    }
    guard trust.isOwnWrite else { return held }
    return held + others.filter { $0.name.index == nil }
  }

  /// Takes the returned component that is the sent one apart from alterations by the server.
  ///
  /// Its identity differs if an altered part belongs to the identity, such as a parameter of the
  /// trigger of an alarm.
  private func takeAltered(
    _ sent: Component, from others: inout ArraySlice<Component>
  ) -> Component? {
    guard trust.allowsLosses, !isTrial else { return nil }
    let place = others.prefix(Self.window).firstIndex { other in
      guard other.name == sent.name else { return false }
      var trial = ComponentEcho(trust: trust, clock: clock, isTrial: true)
      return clock.meaning(of: trial.altered(sent, as: other, path: ""))
        == clock.meaning(of: other)
    }
    guard let place else { return nil }
    return place == others.startIndex ? others.removeFirst() : others.remove(at: place)
  }

  /// Records a loss; bookkeeping properties are no content.
  private mutating func note(_ sent: Property, as kept: Property?, in path: String) {
    guard MergeBookkeeping.rule(for: sent.name) == nil else { return }
    losses.append(
      Loss(
        path: path, name: sent.name.canonicalName, sent: sent.contentLine,
        kept: kept?.contentLine))
  }

  // MARK: Losses

  /// Whether the server may have dropped a property although another write is known.
  private func isDropped(_ property: Property) -> Bool {
    trust.contains(.isUnseen) && !Self.isWidelyKnown(property.name)
  }

  private static func isWidelyKnown(_ name: PropertyName) -> Bool {
    PropertyTable.row(for: name)?.reference.hasPrefix("RFC 5545") ?? false
  }

  private func isLoss(of sent: Property, as returned: Property) -> Bool {
    if sent.rawValue != returned.rawValue, isCut(sent, as: returned) { return true }
    let others = Dictionary(grouping: returned.parameters, by: \.name)
    return !sent.parameters.allSatisfy { parameter in
      others[parameter.name].map { !$0.contains { Self.isCut(parameter, as: $0) } } ?? false
    }
  }

  private func isCut(_ sent: Property, as returned: Property) -> Bool {
    guard trust.allowsAnyCut || !trust.isDisjoint(with: [.isSent, .isUnseen]) else { return false }
    let place: CutValue.Place =
      trust.allowsLosses ? .anywhere : trust.allowsAnyCut ? .behindText : .atSeparator
    return CutValue(sent).isLeft(of: returned, place)
  }

  /// Whether values of a parameter are missing or, if they are texts, cut.
  private static func isCut(_ sent: Parameter, as returned: Parameter) -> Bool {
    guard sent.name == returned.name, sent.values != returned.values else { return false }
    let isText = CanonicalParameter.isText(sent.name)
    return returned.values.allSatisfy { value in
      sent.values.contains { $0 == value || isText && $0.hasPrefix(value) }
    }
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
        || trust.isOwnWrite && MergeBookkeeping.rule(for: sent.name) != nil
    }
    return trust.allowsTimes && Self.isZoned(sent, as: returned)
  }

  /// Whether parameters differ only in what the server may have dropped, cut or added.
  ///
  /// If another write is known, it may have dropped extensions of RFC 5545. The order of parameters
  /// is ignored.
  private func hasLostOrGained(_ sent: Property, as returned: Property) -> Bool {
    let mine = sent.parameters
    let theirs = returned.parameters
    guard !mine.isEmpty || !theirs.isEmpty else { return true }
    let kept = Set(theirs)
    let known = Set(mine)
    let lost = mine.filter { !kept.contains($0) }
    let gained = theirs.filter { !known.contains($0) }
    guard trust.allowsLosses else {
      return lost.allSatisfy { $0.name.index == nil }
        && gained.allSatisfy { trust.isOwnWrite && Self.isOwn($0.name) }
    }
    return gained.allSatisfy { parameter in
      Self.isOwn(parameter.name) || lost.contains { Self.isCut($0, as: parameter) }
    }
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
    guard trust.isOwnWrite else { return false }
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
