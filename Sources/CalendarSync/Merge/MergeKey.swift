// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

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
    case .listValue, .value: return .element(name, meaning)
    case .group, .name:
      // An unknown property may occur several times.
      let isUnknown = PropertyTable.row(for: name) == nil && repeated.contains(name)
      return isUnknown ? .element(name, meaning) : .single(name)
    }
  }
}
