// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A definition of a time zone in a calendar, made into rules (RFC 5545 §3.6.5, VTIMEZONE).
///
/// Each onset of each observance is a change of the clocks; before the first one they have its
/// TZOFFSETFROM. If two rules without end take turns every year, as nearly all do, the rules of the zone
/// end in them. So do those of a definition whose older rules have no UNTIL: the latest onset applies, and
/// where two of the rules come first each year, the others change nothing. What follows no such rule is
/// followed as far as ``onsetLimit`` reaches.
struct ZoneDefinition {
  /// The most onsets that are looked at; two a year for 9999 years are fewer.
  private static let onsetLimit = 25_000
  /// The first second of the year 2100, up to which at least a definition has to be followed.
  private static let leastHorizon: Int64 = 4_102_444_800
  /// The seconds of 400 years, after which yearly rules do the same again.
  private static let cycle = Int64(146_097 * 86_400)
  /// The most observances that are looked at.
  private static let observanceLimit = 1000

  /// A change of the clocks.
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

  /// The rules that the definition amounts to.
  ///
  /// - Throws: `ZoneResolutionError` if there is nothing in the definition that can be used, or it
  ///   changes the clocks more often than any zone does.
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
      // Of two changes at once the one that stands last in the file holds.
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

  /// What three or more yearly rules without end come to, and the second from which on they do; nil if
  /// that is not two changes a year on the same days.
  ///
  /// Programs that do not end older rules write such definitions. After 400 years yearly rules repeat
  /// themselves, and so it is enough to look at these.
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

  /// The rule of every year that two observances without end make together.
  private func yearlyRule(of endless: [ZoneObservance]) -> POSIXZone? {
    guard endless.count == 2, let first = endless[0].yearlyChange,
      let second = endless[1].yearlyChange
    else { return nil }
    let types = [endless[0].type, endless[1].type]
    guard types[0].offset != types[1].offset,
      endless[0].offsetBefore ?? types[1].offset == types[1].offset,
      endless[1].offsetBefore ?? types[0].offset == types[0].offset
    else { return nil }
    // Both may call themselves the same; then the clocks that are ahead are those of daylight time.
    let isFirstDaylight =
      types[0].isDaylight == types[1].isDaylight
      ? types[0].offset > types[1].offset : types[0].isDaylight
    return isFirstDaylight
      ? POSIXZone(
        standard: types[1], daylight: .init(type: types[0], start: first, end: second))
      : POSIXZone(
        standard: types[0], daylight: .init(type: types[1], start: second, end: first))
  }

  /// A second after which nothing happens but the rules without end, each of which has had its say
  /// since all others ended.
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

  /// All onsets, in the order of time, up to a second, or as far as the limit reaches.
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

  /// The offset before the onsets of an observance; lenient: if it does not say, that of the first
  /// other one with another offset.
  private func offsetBefore(_ place: Int) -> UTCOffset {
    let own = observances[place]
    return own.offsetBefore
      ?? observances.first { $0.type.offset != own.type.offset }?.type.offset ?? own.type.offset
  }

  /// What the clocks do before the first onset, which is one of this observance.
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
