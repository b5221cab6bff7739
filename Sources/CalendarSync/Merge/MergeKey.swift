// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// What tells the parts of a component apart that are merged one by one.
enum MergeKey: Hashable {
  /// Properties that go together.
  case group(MergeGroup)
  /// The one property of a name.
  case single(PropertyName)
  /// An attendee, by the lower-cased address.
  case person(PropertyName, String)
  /// A day or time of a list, in whatever spelling.
  case moment(PropertyName, OccurrenceKey)
  /// One of several values of a name, by what it means.
  case element(PropertyName, [CanonicalProperty])
  /// What never conflicts.
  case bookkeeping(PropertyName)

  /// Whether only its being there can change, so that edits of both sides never meet.
  var isElement: Bool {
    switch self {
    case .moment, .element: true
    case .group, .single, .person, .bookkeeping: false
    }
  }
}

/// How the properties of a component are told apart, the same for all versions of it.
struct MergeLayout {
  let component: ComponentName
  /// Whether the times are one group; see `MergeGroup.series`.
  let isFused: Bool
  /// Whether some version takes place once, so that what the others say of their ends is read so too.
  private let isOnce: Bool
  /// The names that stand more than once in some version.
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

  /// Whether the values of a property are a list that is merged value by value (RFC 5545 §3.1.1).
  func isList(_ name: PropertyName) -> Bool {
    guard let row = PropertyTable.row(for: name), row.separator == .comma else { return false }
    return row.occurrence(in: ComponentSet(component)) != .upToOne
  }

  /// What the properties of a version mean, in their order.
  func meanings(in version: Component) -> [CanonicalProperty] {
    clock.meanings(in: version, isOnce: isOnce)
  }

  /// The key of a property with one value that means this.
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
      // What no table knows may stand several times.
      let isUnknown = PropertyTable.row(for: name) == nil && repeated.contains(name)
      return isUnknown ? .element(name, meaning) : .single(name)
    }
  }
}
