// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The parts of a component that the fields of a remote do not hold, verbatim.
///
/// A remote with fields gives a component back that consists of its fields. The stash is the
/// difference between the original and that component: the parts that the fields do not give, and the
/// parts that the fields give instead of them. Splicing puts the original parts back where the fields
/// still give what they gave when the component was stored. A field that was edited since takes
/// precedence, and the stashed part of that field is dropped.
///
/// The remote stores the stash as a text in the format of RFC 5545:
///
/// ```
/// BEGIN:VCALENDAR
/// BEGIN:VEVENT
/// SUMMARY;LANGUAGE=de:Mittagessen
/// X-ROOM:2
/// END:VEVENT
/// BEGIN:X-INSTEAD
/// SUMMARY:Mittagessen
/// END:X-INSTEAD
/// END:VCALENDAR
/// ```
///
/// The times of creation and of the last change are the remote's own, and never stashed
/// (RFC 5545 §3.8.7).
public struct ComponentStash: Sendable {
  /// The name of the component with the parts that the fields give instead of the original ones.
  private static let insteadName = ComponentName("X-INSTEAD")
  /// The properties that the remote keeps itself.
  private static let bookkeeping: Set<PropertyName> = [.dtStamp, .created, .lastModified]

  /// The parts that only the original has.
  private let added: ComponentParts
  /// The parts that only the fields give.
  private let instead: ComponentParts
  /// The name of the component.
  private let name: ComponentName
  /// The definitions of time zones that the original parts use and that have no general name.
  private let timeZones: [Component]

  /// Creates the stash of a component.
  ///
  /// - Parameters:
  ///   - original: The component.
  ///   - fields: The component that the fields give back.
  ///   - timeZones: The definitions of the time zones that must return with the component.
  public init(of original: Component, heldAs fields: Component, timeZones: [Component] = []) {
    (added, instead) = ComponentParts(original, without: Self.bookkeeping)
      .differences(from: ComponentParts(fields, without: Self.bookkeeping))
    name = original.name
    self.timeZones = timeZones
  }

  /// The stash without what belongs to the times and the recurrence of its component.
  ///
  /// An occurrence that a vendor copies from its series has the stash of the series.
  public var withoutTimes: ComponentStash {
    let times: Set<String> = [
      "DTSTART", "DTEND", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "EXRULE",
    ]
    return ComponentStash(
      added: added.without(times), instead: instead.without(times), name: name,
      timeZones: timeZones)
  }

  private init(
    added: ComponentParts, instead: ComponentParts, name: ComponentName, timeZones: [Component]
  ) {
    (self.added, self.instead, self.name, self.timeZones) = (added, instead, name, timeZones)
  }

  /// Whether the fields hold the whole component.
  public var isEmpty: Bool { added.isEmpty && instead.isEmpty && timeZones.isEmpty }

  /// The names of the stashed properties and components, sorted.
  public var names: [String] {
    let zones = timeZones.isEmpty ? [] : ["VTIMEZONE"]
    return Set(added.names + instead.names + zones).sorted()
  }

  /// The stash as a text.
  public var text: String {
    var parts = timeZones
    parts.append(added.component(name))
    if !instead.isEmpty { parts.append(instead.component(Self.insteadName)) }
    let calendar = Component(.calendar, properties: [] as [Property], components: parts)
    return String(decoding: Serializer(lineEnds: .normalized).bytes(of: calendar), as: UTF8.self)
  }

  /// Reads a stash.
  ///
  /// The result is nil if the text is damaged, so that only the fields are known.
  ///
  /// - Parameter text: A text that ``text`` returned.
  public init?(text: String) {
    guard let stream = try? CalendarStream(parsing: Array(text.utf8)),
      stream.calendars.count == 1, let calendar = stream.calendars.first, calendar.isComplete,
      let main = calendar.components.first(where: {
        $0.name != .timeZone && $0.name != Self.insteadName
      }),
      calendar.components.allSatisfy(\.isComplete)
    else { return nil }
    name = main.name
    added = ComponentParts(main, without: [])
    instead =
      calendar.components.first { $0.name == Self.insteadName }
      .map { ComponentParts($0, without: []) } ?? ComponentParts()
    timeZones = calendar.components(named: .timeZone)
  }

  /// The name of a part that the remote would return in another form; nil if there is none.
  ///
  /// Texts in another charset than UTF-8 do not survive in the text of a stash.
  ///
  /// - Parameters:
  ///   - original: The component.
  ///   - fields: The component that the fields give back.
  /// - Returns: The name of the first such part.
  public func altered(of original: Component, heldAs fields: Component) -> String? {
    guard !isEmpty else { return nil }
    guard let stored = ComponentStash(text: text) else { return original.name.canonicalName }
    let back = ComponentParts(stored.splice(into: fields).component, without: Self.bookkeeping)
    return ComponentParts(original, without: Self.bookkeeping).differences(from: back).own.names
      .first
  }

  /// Returns the component that the fields give, with the stashed parts.
  ///
  /// - Parameter fields: The component that the fields give now.
  /// - Returns: The component, and the definitions of the time zones that it uses.
  public func splice(into fields: Component) -> (component: Component, timeZones: [Component]) {
    var parts = ComponentParts(fields, without: [])
    parts.replace(instead, by: added)
    return (parts.component(fields.name), timeZones)
  }
}

/// The parts of a component: properties and nested components, grouped by what they describe.
struct ComponentParts: Sendable {
  /// The subject of a group of parts.
  struct Key: Hashable, Sendable {
    /// The name of the property or component; DTEND for the end in any form.
    let name: String
    /// The address of a person, or the trigger of an alarm.
    var detail = ""
  }

  private enum Element: Hashable, Sendable {
    case property(Property)
    case component(Component)
  }

  /// The parts in order, with their keys.
  private var parts: [(key: Key, part: Element)] = []

  /// Creates an empty list.
  init() {}

  /// Creates the parts of a component without some properties.
  init(_ component: Component, without names: Set<PropertyName>) {
    for property in component.properties where !names.contains(property.name) {
      // It says the same as none (RFC 5545 §3.8.7.4).
      if !names.isEmpty, property.isNamed(.sequence), property.rawValue == "0" { continue }
      parts.append((Self.key(of: property), .property(property)))
    }
    for nested in component.components {
      parts.append((Self.key(of: nested), .component(nested)))
    }
  }

  private static func key(of property: Property) -> Key {
    if property.isNamed(.duration) { return Key(name: "DTEND") }
    let name = property.name.canonicalName
    return property.isNamed(.attendee)
      ? Key(name: name, detail: property.rawValue.lowercased()) : Key(name: name)
  }

  private static func key(of component: Component) -> Key {
    Key(name: component.name.canonicalName, detail: component[.trigger]?.rawValue ?? "")
  }

  var isEmpty: Bool { parts.isEmpty }
  var keys: Set<Key> { Set(parts.map(\.key)) }

  /// The names of the parts, in order.
  var names: [String] {
    parts.map { part in
      switch part.part {
      case .property(let property): property.name.canonicalName
      case .component(let component): component.name.canonicalName
      }
    }
  }

  /// The groups that differ: those of these parts, and those of the other ones.
  func differences(from other: ComponentParts) -> (own: ComponentParts, others: ComponentParts) {
    let (groups, others) = (self.groups, other.groups)
    let differing = keys.union(other.keys).filter { groups[$0] != others[$0] }
    return (only(differing), other.only(differing))
  }

  /// The parts without those of some names.
  func without(_ names: Set<String>) -> ComponentParts {
    only(keys.filter { !names.contains($0.name) })
  }

  private func only(_ keys: Set<Key>) -> ComponentParts {
    var result = ComponentParts()
    result.parts = parts.filter { keys.contains($0.key) }
    return result
  }

  /// The number of each part in each group.
  private var groups: [Key: [Element: Int]] {
    var groups: [Key: [Element: Int]] = [:]
    for (key, part) in parts { groups[key, default: [:]][part, default: 0] += 1 }
    return groups
  }

  /// Replaces the groups that are the same as in `old` by those in `new`, at the same places.
  ///
  /// A group that is in neither `old` nor these parts is added.
  mutating func replace(_ old: ComponentParts, by new: ComponentParts) {
    let (current, before) = (groups, old.groups)
    let replaced = old.keys.union(new.keys).filter { current[$0] == before[$0] }
    let inserted = Dictionary(grouping: new.parts.filter { replaced.contains($0.key) }, by: \.key)
    var (result, seen): ([(key: Key, part: Element)], Set<Key>) = ([], [])
    for entry in parts {
      guard replaced.contains(entry.key) else {
        result.append(entry)
        continue
      }
      if seen.insert(entry.key).inserted { result += inserted[entry.key] ?? [] }
    }
    result += new.parts.filter { replaced.contains($0.key) && !seen.contains($0.key) }
    parts = result
  }

  /// A component with the parts.
  func component(_ name: ComponentName) -> Component {
    var properties: [Property] = []
    var components: [Component] = []
    for entry in parts {
      switch entry.part {
      case .property(let property): properties.append(property)
      case .component(let component): components.append(component)
      }
    }
    return Component(name, properties: properties, components: components)
  }
}
