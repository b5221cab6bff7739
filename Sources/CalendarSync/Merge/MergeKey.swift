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
  /// One of several values of a name.
  case element(PropertyName, Fingerprint)
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
  }

  /// Whether the values of a property are a list that is merged value by value (RFC 5545 §3.1.1).
  func isList(_ name: PropertyName) -> Bool {
    guard let row = PropertyTable.row(for: name), row.separator == .comma else { return false }
    return row.occurrence(in: ComponentSet(component)) != .upToOne
  }

  /// The key of a property with one value.
  func key(of property: Property) -> MergeKey {
    let name = property.name
    if let group = MergeGroup.group(of: name, isFused: isFused) { return .group(group) }
    switch MergeIdentity.of(name, in: component) {
    case .bookkeeping: return .bookkeeping(name)
    case .address: return .person(name, property.rawValue.lowercased())
    case .moment: return .moment(name, clock.occurrence(of: property))
    case .listValue, .value: return .element(name, form(of: [property]))
    case .group, .name:
      // What no table knows may stand several times.
      let isUnknown = PropertyTable.row(for: name) == nil && repeated.contains(name)
      return isUnknown ? .element(name, form(of: [property])) : .single(name)
    }
  }

  /// What properties mean, however they are spelled; the same for what is absent and what goes
  /// without saying.
  func form(of properties: [Property]) -> Fingerprint {
    clock.form(of: [Component(component, properties: properties)])
  }
}
