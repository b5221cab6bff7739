// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The meanings of the TZIDs in one item (RFC 5545 §3.2.19).
struct CanonicalZones {
  /// The range in which an endless series is examined, in days: a hundred years.
  private static let horizon = 36_525

  private let form: NormalForm
  private var known: [String: CanonicalZone] = [:]
  private var zones: ComponentZones?

  init(_ form: NormalForm, _ components: [Component], _ definitions: [Component]) {
    self.form = form
    zones = form.zones.map {
      ComponentZones($0, components: components, definitions: definitions)
    }
  }

  /// Returns the zone of a TZID.
  mutating func zone(_ tzID: String) -> CanonicalZone {
    if let zone = known[tzID] { return zone }
    let zone = found(tzID)
    known[tzID] = zone
    return zone
  }

  private mutating func found(_ tzID: String) -> CanonicalZone {
    guard let resolver = form.zones, let zone = zones?.zone(tzID) else {
      return CanonicalZone(name: tzID, rules: nil)
    }
    let rules = try? resolver.rules(of: zone)
    switch zone.meaning {
    case .named(let name): return CanonicalZone(name: zone.canonicalName ?? name, rules: rules)
    case .fixed(let offset): return CanonicalZone(name: "fixed \(offset)", rules: rules)
    case .embedded(let definition):
      let meaning =
        rules.map { offsets(of: $0, for: tzID) } ?? CanonicalForm.digest(of: definition).description
      return CanonicalZone(name: "defined \(meaning)", rules: rules)
    case .floating: return CanonicalZone(name: "unknown \(tzID)", rules: nil)
    }
  }

  /// Returns a digest of the zone's offsets in the range in which the item uses the zone.
  ///
  /// The rules of two definitions may differ before and after it, where programs cut them off.
  private mutating func offsets(of rules: ZoneRules, for tzID: String) -> String {
    guard let use = zones?.use(of: tzID), let first = use.first, let last = use.last else {
      return "unused"
    }
    let days = use.isEndless ? Self.horizon : 2
    let start = Instant(utc: first.adding(days: -1) ?? first)
    let end = Instant(utc: last.adding(days: days) ?? last)
    var form = CanonicalForm()
    form.append(rules.offset(at: start).description)
    for change in rules.transitions(from: start, to: end)
    where change.before.offset != change.after.offset {
      form.append(change.instant.description)
      form.append(change.after.offset.description)
    }
    return SHA256.digest(of: form.bytes).description
  }
}
