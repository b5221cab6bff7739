// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import ICalSyntax

/// The identity of the separately merged parts of a component.
enum MergeKey: Hashable {
  /// A group of properties.
  case group(MergeGroup)
  /// The only property with a name.
  case single(PropertyName)
  /// An attendee, by the lower-cased address.
  case person(PropertyName, String)
  /// A date or time in a list, regardless of its notation.
  case moment(PropertyName, OccurrenceKey)
  /// One of several values of a name, by its meaning.
  case element(PropertyName, [CanonicalProperty])
  /// A property that never conflicts.
  case bookkeeping(PropertyName)

  /// Whether the part can only be present or absent, so that edits of both sides never conflict.
  var isElement: Bool {
    switch self {
    case .moment, .element: true
    case .group, .single, .person, .bookkeeping: false
    }
  }
}

/// The rules for identifying the properties of a component, common to all its versions.
struct MergeLayout {
  let component: ComponentName
  /// Whether all times are one group; see `MergeGroup.series`.
  let isFused: Bool
  /// Whether some version does not recur, which affects the interpretation of all ends.
  private let isOnce: Bool
  /// The names that occur several times in some version.
  private let repeated: Set<PropertyName>
  let clock: MergeClock

  init(
    of versions: [Component], component: ComponentName, isFused: Bool, clock: MergeClock
  ) {
    self.component = component
    self.isFused = isFused
    self.clock = clock
    var repeated: Set<PropertyName> = []
    for version in versions {
      var seen: Set<PropertyName> = []
      for property in version.properties where !seen.insert(property.name).inserted {
        repeated.insert(property.name)
      }
    }
    self.repeated = repeated
    isOnce = !versions.allSatisfy(\.isSeries)
  }

  /// Whether the values of a property are merged individually as a list (RFC 5545 §3.1.1).
  func isList(_ name: PropertyName) -> Bool {
    guard let row = PropertyTable.row(for: name), row.separator == .comma else { return false }
    return row.occurrence(in: ComponentSet(component)) != .upToOne
  }

  /// The meanings of the properties of a version, in order.
  func meanings(in version: Component) -> [CanonicalProperty] {
    clock.meanings(in: version, isOnce: isOnce)
  }

  /// The key of a property with a single value of this meaning.
  func key(of property: Property, meaning: [CanonicalProperty]) -> MergeKey {
    let name = property.name
    if let group = MergeGroup.group(of: name, isFused: isFused) { return .group(group) }
    switch MergeIdentity.of(name, in: component) {
    case .bookkeeping: return .bookkeeping(name)
    case .address: return .person(name, property.rawValue.lowercased())
    case .moment:
      return clock.occurrence(named: property).map { .moment(name, $0) } ?? .element(name, meaning)
    case .value where name == .descriptionText && !repeated.contains(name): return .single(name)
    case .listValue, .value: return .element(name, meaning)
    case .group, .name:
      // An unknown property may occur several times.
      let isUnknown = PropertyTable.row(for: name) == nil && repeated.contains(name)
      return isUnknown ? .element(name, meaning) : .single(name)
    }
  }
}

/// The identity of separately merged properties in a component.
package enum MergeIdentity: Hashable, Sendable, CaseIterable {
  /// The name; the property never conflicts.
  case bookkeeping
  /// The group, which is taken as a whole.
  case group
  /// The calendar address, in lower case (RFC 5545 §3.8.4.1).
  case address
  /// The date or time, regardless of its zone.
  case moment
  /// The value in a list (RFC 5545 §3.1.1).
  case listValue
  /// The value of a property that may occur several times.
  case value
  /// The name.
  case name

  /// The identity of a property in a component.
  package static func of(_ name: PropertyName, in component: ComponentName) -> MergeIdentity {
    if MergeBookkeeping.rule(for: name) != nil { return .bookkeeping }
    if MergeGroup.group(of: name, isFused: false) != nil { return .group }
    if name == .attendee { return .address }
    if name == .exDate || name == .rDate { return .moment }
    guard let row = PropertyTable.row(for: name),
      let occurrence = row.occurrence(in: ComponentSet(component))
    else { return .name }
    if row.separator == .comma, occurrence != .upToOne { return .listValue }
    return occurrence == .any ? .value : .name
  }
}

/// Properties with a common meaning, which are always taken from one side as a whole.
package enum MergeGroup: String, Hashable, Sendable, CaseIterable {
  /// The time: a start of one side with an end of the other would be a time that no side chose.
  case time
  /// The recurrence rules: the rules of both sides would form a series that no side chose.
  case rule
  /// The time together with all recurrence properties.
  ///
  /// It replaces the groups `time` and `rule` if a side moved the start to another day, zone or
  /// type, because rules and dates depend on the start (RFC 5545 §3.8.5).
  case series
  /// The progress: completed, cancelled, a percentage.
  case progress
  /// The organizer; SEQUENCE follows it according to the bookkeeping rules.
  case organizer

  /// The properties of the group.
  package var names: [PropertyName] {
    switch self {
    case .time: [.dtStart, .dtEnd, .duration, .due]
    case .rule: [.rRule, .exRule]
    case .series: MergeGroup.time.names + MergeGroup.rule.names + [.rDate, .exDate]
    case .progress: [.status, .completed, .percentComplete]
    case .organizer: [.organizer]
    }
  }

  /// The group of a property; `isFused` states whether all times of the component are one group.
  static func group(of name: PropertyName, isFused: Bool) -> MergeGroup? {
    let table = isFused ? fused : apart
    guard let index = name.index, table.indices.contains(index) else { return nil }
    return table[index]
  }

  private static let apart = table(of: [.time, .rule, .progress, .organizer])
  private static let fused = table(of: [.series, .progress, .organizer])

  /// The groups of all known properties, by property index.
  private static func table(of groups: [MergeGroup]) -> [MergeGroup?] {
    var table: [MergeGroup?] = []
    for group in groups {
      for index in group.names.compactMap(\.index) {
        while table.count <= index { table.append(nil) }
        table[index] = group
      }
    }
    return table
  }
}

/// Properties that describe the writing of an item instead of its contents.
///
/// They never conflict, and changing them is not an edit.
package enum MergeBookkeeping: String, Hashable, Sendable, CaseIterable {
  /// The later of the two times in UTC.
  case latest
  /// The earlier of the two times in UTC.
  case earliest
  /// The greater of the two numbers.
  case greatest
  /// The local value.
  case kept

  /// The rule of each property, in the order of the documentation.
  package static let rules: [(name: PropertyName, rule: MergeBookkeeping)] = [
    (.dtStamp, .latest), (.lastModified, .latest), (.created, .earliest), (.sequence, .greatest),
    (.acknowledged, .latest), (.productID, .kept), ("X-MOZ-LASTACK", .latest),
    ("X-MOZ-GENERATION", .greatest),
  ]

  /// The rule of a property, or nil if it is not a bookkeeping property.
  package static func rule(for name: PropertyName) -> MergeBookkeeping? {
    rules.first { $0.name == name }?.rule
  }

  /// Whether the rule prefers the remote value to the local one.
  func prefersRemote(_ remote: Property, to local: Property) -> Bool {
    switch self {
    // UTC times have a fixed format, so that their text order is their time order.
    case .latest: remote.rawValue > local.rawValue
    case .earliest: remote.rawValue < local.rawValue
    case .greatest: Self.number(remote) > Self.number(local)
    case .kept: false
    }
  }

  /// The number in a property, or 0 if it is not a number.
  static func number(_ property: Property) -> Int { Int(property.rawValue) ?? 0 }
}
