// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// What a server made of an item that it was sent, as far as it left things out that it does not know.
///
/// Servers drop properties, parameters and components that RFC 5545 does not have, or spoil them so that
/// what is left is no content line. When the item is read for the first time after it was sent, that
/// is no deletion and no addition by anybody. Nor is it an edit that they escape what is in a property
/// that is no text. And while the entity tag is the one that the write was answered with, it is none that
/// times without a zone have one, and that something without an end has a length, as SOGo does it.
/// Everything else that differs counts as an edit, because it may be one of another program; of a few
/// servers even where the tag is the same.
struct ItemEcho {
  /// How many properties of one name are looked through for what one of them became.
  private static let window = 16

  private let sent: CalendarItem
  private let returned: CalendarItem
  /// Whether the entity tag is still that of the write.
  private let isAsWritten: Bool

  init(of sent: CalendarItem, as returned: CalendarItem, isAsWritten: Bool) {
    self.sent = sent
    self.returned = returned
    self.isAsWritten = isAsWritten
  }

  /// The item as it was sent, but for what the server made of it; nil if that is nothing.
  var base: CalendarItem? {
    let clock = MergeClock(sent.normalForm, items: [sent, returned])
    let theirs = ComponentKey.keyed(returned.components, clock)
    let keyed = ComponentKey.keyed(sent.components, clock)
    let components = keyed.keys.compactMap { key in
      keyed[key].map { component in
        theirs[key].map { echo(of: component, as: $0, clock) } ?? component
      }
    }
    guard components != sent.components else { return nil }
    do throws(ItemError) {
      let known = Set(sent.timeZones.compactMap { $0[.tzID]?.text })
      let others = returned.timeZones.filter { zone in
        zone[.tzID].map { !known.contains($0.text) } ?? false
      }
      return try sent.replacing(components: components, timeZones: sent.timeZones + others)
    } catch {
      return nil
    }
  }

  private func echo(
    of sent: Component, as returned: Component, _ clock: MergeClock
  ) -> Component {
    var result = sent
    let names = Set(returned.properties.map(\.name))
    let (own, theirs) = (Set(sent.properties), Set(returned.properties))
    // What did not come back just so, and what was not sent just so.
    var others: [PropertyName: ArraySlice<Property>] = [:]
    for property in returned.properties where !own.contains(property) {
      others[property.name, default: []].append(property)
    }
    let held = sent.properties.compactMap { property -> Property? in
      guard Self.isWidelyKnown(property.name) || names.contains(property.name) else { return nil }
      guard !theirs.contains(property), let rest = others[property.name],
        let place = rest.prefix(Self.window).firstIndex(where: { isEcho(of: property, as: $0) })
      else { return property }
      let echo = rest[place]
      // They come back in their order, so that it is nearly always the first one.
      if place == rest.startIndex { others[property.name] = rest.dropFirst() }
      return echo
    }
    let values = Set(sent.properties.map(\.rawValue))
    let spoilt = returned.properties.filter { line in
      !line.isWellFormed && !values.contains(line.rawValue)
    }
    result.properties = PropertyList(held + spoilt + addedLength(to: sent, as: returned))
    let keys = NestedKey.keys(of: [sent, returned], clock)
    let nestedThere = KeyedComponents(keys: keys[1], components: Array(returned.components))
    let nested = zip(keys[0], sent.components).compactMap { key, component -> Component? in
      guard let other = nestedThere[key] else {
        return component.name == .alarm ? component : nil
      }
      return echo(of: component, as: other, clock)
    }
    if nested != Array(sent.components) { result.components = ComponentList(nested) }
    return result
  }

  private func isEcho(of sent: Property, as returned: Property) -> Bool {
    Self.hasLost(sent, as: returned) || Self.isEscaped(sent, as: returned)
      || isAsWritten && Self.isZoned(sent, as: returned)
  }

  /// The length of what has none (RFC 5545 §3.6.1), as a server says it.
  private func addedLength(to sent: Component, as returned: Component) -> [Property] {
    let names: [PropertyName] = [.dtEnd, .duration]
    guard isAsWritten, sent.name == .event, names.allSatisfy({ sent[$0] == nil }) else { return [] }
    return names.compactMap { returned[$0] }
  }

  /// Whether a time without a zone came back as the same time of a zone.
  private static func isZoned(_ sent: Property, as returned: Property) -> Bool {
    guard sent[.tzID] == nil, returned[.tzID] != nil, sent.rawValue == returned.rawValue,
      !sent.rawValue.hasSuffix("Z")
    else { return false }
    var other = returned
    other[.tzID] = nil
    return other.parameters == sent.parameters
  }

  /// Whether a property came back with the same value and without some parameters, all of them unknown
  /// to RFC 5545.
  private static func hasLost(_ sent: Property, as returned: Property) -> Bool {
    guard sent.rawValue == returned.rawValue, sent.parameters != returned.parameters else {
      return false
    }
    let kept = sent.parameters.filter(returned.parameters.contains)
    let lost = sent.parameters.filter { !returned.parameters.contains($0) }
    return kept.count == returned.parameters.count
      && lost.allSatisfy { $0.name.index == nil }
  }

  /// Whether a property that nobody knows (RFC 5545 §3.8.8.2), or that is no text, came back with its value
  /// escaped as if it were text: with backslashes more before what has a meaning in other types.
  private static func isEscaped(_ sent: Property, as returned: Property) -> Bool {
    guard PropertyTable.row(for: sent.name)?.valueType != .text, sent.rawValue != returned.rawValue,
      sent.parameters == returned.parameters
    else { return false }
    return returned.text == sent.text || returned.text == sent.rawValue
  }

  private static func isWidelyKnown(_ name: PropertyName) -> Bool {
    PropertyTable.row(for: name)?.reference.hasPrefix("RFC 5545") ?? false
  }
}
