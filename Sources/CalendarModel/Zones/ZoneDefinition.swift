// SPDX-License-Identifier: Apache-2.0

import CivilTime
package import ICalSyntax
import Recurrence

/// A time zone definition of a calendar, converted to rules (VTIMEZONE, RFC 5545 §3.6.5).
///
/// Each onset of an observance is an offset change; TZOFFSETFROM applies before the first one. If
/// two endless rules alternate every year, as in nearly all definitions, they become the final rule
/// of the zone. This also applies to definitions whose older rules have no UNTIL: the latest onset
/// applies, and where two of the rules come first each year, the others have no effect. Other rules
/// are expanded up to ``onsetLimit``.
struct ZoneDefinition {
  /// The maximum number of onsets; two a year for 9999 years are fewer.
  private static let onsetLimit = 25_000
  /// The first second of the year 2100, through which every definition must be expanded.
  private static let leastHorizon: Int64 = 4_102_444_800
  /// The seconds of 400 years, the period of yearly rules.
  private static let cycle = Int64(146_097 * 86_400)
  /// The maximum number of observances.
  private static let observanceLimit = 1000

  /// An offset change.
  private struct Onset {
    let second: Int64
    let observance: Int
  }

  private let tzID: String
  private let observances: [ZoneObservance]

  init(_ component: Component) {
    tzID = component[.tzID]?.text ?? ""
    observances = component.components.lazy
      .filter { $0.name == .standard || $0.name == .daylight }
      .prefix(Self.observanceLimit).compactMap { ZoneObservance($0) }
  }

  /// The rules that are equivalent to the definition.
  ///
  /// - Throws: `ZoneResolutionError` if the definition has no usable part, or has more changes than
  ///   any real zone.
  func rules() throws(ZoneResolutionError) -> ZoneRules {
    var yearly = yearlyRule(of: endless)
    var horizon = Int64.max
    if yearly != nil || endless.allSatisfy({ $0.type == endless.first?.type }) {
      horizon = try settled
    } else if let turns = try turns {
      (yearly, horizon) = (turns.rule, turns.start)
    }
    let onsets = try onsets(until: horizon)
    guard let first = onsets.first else {
      throw error("the definition has no observance that can be read (RFC 5545 §3.6.5)")
    }
    var changes: [(second: Int64, type: LocalTimeType)] = []
    for onset in onsets {
      let type = observances[onset.observance].type
      // Of two simultaneous changes, the last one in the file applies.
      if changes.last?.second == onset.second { changes.removeLast() }
      changes.append((onset.second, type))
    }
    guard
      let rules = ZoneRules(
        name: tzID, initial: typeBefore(first.observance), changes: changes, finalRule: yearly)
    else { throw error("the definition has more than 255 kinds of time") }
    return rules
  }

  private var endless: [ZoneObservance] { observances.filter(\.isEndless) }

  /// The combined effect of three or more endless yearly rules, and the second when it starts.
  ///
  /// It is nil if the rules do not result in two changes a year on the same days.
  ///
  /// Programs that do not end older rules write such definitions. Yearly rules repeat after 400
  /// years, so that this period is sufficient.
  private var turns: (rule: POSIXZone, start: Int64)? {
    get throws(ZoneResolutionError) {
      let endless = observances.indices.filter { observances[$0].isEndless }
      guard endless.count > 2, endless.count * 400 < Self.onsetLimit,
        endless.allSatisfy({ observances[$0].yearlyChange != nil })
      else { return nil }
      let start = try settled
      guard start < Self.leastHorizon else { return nil }
      var last: LocalTimeType?
      var changes: [Int] = []
      for onset in try onsets(until: start + Self.cycle) {
        let type = observances[onset.observance].type
        if onset.second > start, type.offset != last?.offset { changes.append(onset.observance) }
        last = type
      }
      guard let first = changes.first, changes.count >= 798, changes[1] != first,
        changes.indices.allSatisfy({ changes[$0] == changes[$0 % 2] }),
        let rule = yearlyRule(of: [observances[first], observances[changes[1]]])
      else { return nil }
      return (rule, start)
    }
  }

  /// The final rule formed by two endless observances.
  private func yearlyRule(of endless: [ZoneObservance]) -> POSIXZone? {
    guard endless.count == 2, let first = endless[0].yearlyChange,
      let second = endless[1].yearlyChange
    else { return nil }
    let types = [endless[0].type, endless[1].type]
    guard types[0].offset != types[1].offset,
      endless[0].offsetBefore ?? types[1].offset == types[1].offset,
      endless[1].offsetBefore ?? types[0].offset == types[0].offset
    else { return nil }
    // If both have the same type, the greater offset is that of daylight time.
    let isFirstDaylight =
      types[0].isDaylight == types[1].isDaylight
      ? types[0].offset > types[1].offset : types[0].isDaylight
    return isFirstDaylight
      ? POSIXZone(
        standard: types[1], daylight: .init(type: types[0], start: first, end: second))
      : POSIXZone(
        standard: types[0], daylight: .init(type: types[1], start: second, end: first))
  }

  /// A second after which only the endless rules have onsets.
  ///
  /// Each of them has had an onset since the end of all others.
  private var settled: Int64 {
    get throws(ZoneResolutionError) {
      var last = Int64.min
      for place in observances.indices {
        guard let instances = observances[place].onsets(after: offsetBefore(place)) else {
          continue
        }
        var count = 0
        for instance in instances {
          last = max(last, instance.instant?.secondsSinceEpoch ?? .min)
          count += 1
          guard count <= Self.onsetLimit else { throw tooMany }
          if observances[place].isEndless { break }
        }
      }
      var next = last
      for place in observances.indices where observances[place].isEndless {
        let later = Instant(secondsSinceEpoch: last).adding(seconds: 1)
        guard let later, let instances = observances[place].onsets(after: offsetBefore(place)),
          let first = instances.starting(at: later).first(where: { _ in true })
        else { continue }
        next = max(next, first.instant?.secondsSinceEpoch ?? .min)
      }
      return next
    }
  }

  /// All onsets in chronological order, up to a second or the limit.
  private func onsets(until last: Int64) throws(ZoneResolutionError) -> [Onset] {
    var onsets: [Onset] = []
    var horizon = last
    var finite = 0
    let share = Self.onsetLimit / max(endless.count, 1)
    for place in observances.indices {
      guard let instances = observances[place].onsets(after: offsetBefore(place)) else { continue }
      var count = 0
      for instance in instances {
        guard let second = instance.instant?.secondsSinceEpoch, second <= horizon else { break }
        onsets.append(Onset(second: second, observance: place))
        count += 1
        if observances[place].isEndless {
          guard count < share else {
            horizon = second
            break
          }
        } else {
          finite += 1
          guard finite <= Self.onsetLimit else { throw tooMany }
        }
      }
    }
    if horizon < last {
      guard horizon >= Self.leastHorizon else { throw tooMany }
      onsets.removeAll { $0.second > horizon }
    }
    return onsets.sorted { ($0.second, $0.observance) < ($1.second, $1.observance) }
  }

  /// The offset before the onsets of an observance.
  ///
  /// Lenient: if it is missing, it is that of the first observance with another offset.
  private func offsetBefore(_ place: Int) -> UTCOffset {
    let own = observances[place]
    return own.offsetBefore
      ?? observances.first { $0.type.offset != own.type.offset }?.type.offset ?? own.type.offset
  }

  /// The local time type before the first onset, which belongs to this observance.
  private func typeBefore(_ place: Int) -> LocalTimeType {
    let offset = offsetBefore(place)
    let known = observances.map(\.type).filter { $0.offset == offset }
    return known.first { !$0.isDaylight } ?? known.first
      ?? LocalTimeType(offset: offset, isDaylight: false, abbreviation: offset.description)
  }

  private var tooMany: ZoneResolutionError {
    error("the definition changes the clocks more than \(Self.onsetLimit) times")
  }

  private func error(_ message: String) -> ZoneResolutionError {
    ZoneResolutionError(.badDefinition, tzID: tzID, message: message)
  }
}

/// The VTIMEZONE components of one calendar by their TZIDs (RFC 5545 §3.8.3.1).
///
/// If a TZID has two definitions, the first one applies.
package struct ZoneDefinitions: Sendable {
  private let components: [String: Component]

  /// Indexes definitions; those without a TZID are ignored.
  package init(_ definitions: [Component]) {
    var components: [String: Component] = [:]
    for definition in definitions {
      guard let name = definition[.tzID]?.text, components[name] == nil else { continue }
      components[name] = definition
    }
    self.components = components
  }

  /// The definition of a TZID, or nil if there is none.
  package subscript(tzID: String) -> Component? { components[tzID] }

  /// The definition of a TZID as a list, empty if there is none.
  fileprivate func all(named tzID: String) -> [Component] { components[tzID].map { [$0] } ?? [] }
}

extension ZoneResolver {
  /// Resolves a TZID with indexed definitions, for files with many of them.
  package func resolve(
    _ tzID: String, among definitions: ZoneDefinitions, use: TimeZoneUses.Use? = nil
  ) -> ResolvedZone {
    resolve(tzID, definitions: definitions.all(named: tzID), use: use)
  }

  /// The definition that overrules the name if they disagree; nil if the name takes precedence.
  func contender(of zone: ResolvedZone, among definitions: ZoneDefinitions) -> Component? {
    contender(of: zone, definitions.all(named: zone.tzID))
  }
}
