// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The clocks of one source: each TZID is resolved once.
struct ZoneTable: Sendable {
  private let resolver: ZoneResolver
  /// The zone of whoever looks.
  let viewer: ZoneRules
  private var known: [String: ZoneRules?] = [:]

  private static let utc = ZoneRules(
    fixed: LocalTimeType(offset: .zero, isDaylight: false, abbreviation: "UTC"), name: "UTC")

  init(resolver: ZoneResolver, viewer: ZoneRules) {
    self.resolver = resolver
    self.viewer = viewer
  }

  /// Forgets what TZIDs mean, because another source may define them differently.
  mutating func beginSource() {
    known.removeAll(keepingCapacity: true)
  }

  /// The clock of whoever looks.
  var viewerClock: SeriesClock { SeriesClock(form: .floating, rules: viewer) }

  /// The clock that a time is read by; a time in an unknown zone is floating.
  mutating func clock(of time: EventTime, definitions: [Component]) -> SeriesClock {
    switch time {
    case .date: return SeriesClock(form: .date, rules: viewer)
    case .floating: return viewerClock
    case .utc: return SeriesClock(form: .utc, rules: Self.utc)
    case .zoned(_, let tzID):
      guard let rules = rules(of: tzID, definitions: definitions) else { return viewerClock }
      return SeriesClock(form: .zoned(tzID: tzID), rules: rules)
    }
  }

  /// What there is to say of the zone of a time if it is not known.
  func objection(to time: EventTime?, at property: Property?) -> Diagnostic? {
    guard let tzID = time?.tzID, let property, case .some(.none) = known[tzID] else { return nil }
    return property.diagnostic(
      aboutName: .warning, .unknownTimeZone,
      "expected a known time zone, found '\(tzID)'; the time is kept as floating",
      reference: "RFC 5545 §3.2.19")
  }

  private mutating func rules(of tzID: String, definitions: [Component]) -> ZoneRules? {
    if let known = known[tzID] { return known }
    let rules = try? resolver.rules(of: resolver.resolve(tzID, definitions: definitions))
    known[tzID] = .some(rules)
    return rules
  }
}
