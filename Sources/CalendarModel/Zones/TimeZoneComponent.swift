// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// Creates the definition of a time zone (VTIMEZONE, RFC 5545 §3.6.5).
///
/// The definition is as short as possible for the times in use: it contains the change that is in
/// effect at the first of them, and the later changes. Changes on the same day of each year form
/// one rule, and the zone's final rule has no end. Changes that no rule can express are written as
/// single onsets. Few onsets become an observance each, because some programs do not support lists.
///
/// ```swift
/// let berlin = try database.rules(named: "Europe/Berlin")
/// let component = TimeZoneComponent(rules: berlin, tzID: "Europe/Berlin").component(from: now)
/// ```
public struct TimeZoneComponent: Sendable {
  /// The maximum number of single onsets of one kind that become an observance each.
  private static let singleLimit = 4
  /// The number of years to write if no recurrence rule can express a yearly rule.
  private static let writtenYears = 100

  private let rules: ZoneRules
  private let tzID: String
  private let location: String?

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - rules: The rules of the zone.
  ///   - tzID: The TZID in the calendar.
  ///   - location: The name in the time zone database, which is written if it differs from the
  ///     TZID.
  public init(rules: ZoneRules, tzID: String, location: String? = nil) {
    self.rules = rules
    self.tzID = tzID
    self.location = location == tzID ? nil : location
  }

  /// Creates the component.
  ///
  /// - Parameters:
  ///   - first: The first instant for which the definition must be correct.
  ///   - last: The last instant; nil for no end.
  /// - Returns: A VTIMEZONE with the offsets of the zone at every instant from `first` through
  ///   `last`.
  public func component(from first: Instant, through last: Instant? = nil) -> Component {
    let all = changes(around: first, last)
    // The observance in effect at the first instant started with the preceding change.
    let base = all.last { $0.instant <= first }?.instant
    let start = base ?? first
    func isUsed(_ instant: Instant) -> Bool {
      instant >= start && (last.map { instant <= $0 } ?? true)
    }
    var observances: [(onset: CivilDateTime, component: Component)] = []
    if base == nil {
      observances.append(initial(before: all.first?.wallTimeBefore, from: first))
    }
    var singles: [ZoneChangeRun.Kind: [CivilDateTime]] = [:]
    for run in ZoneChangeRun.runs(of: all, finalRule: rules.finalRule) {
      let isInForce = run.isEndless && last.map { run.instants[0] <= $0 } ?? true
      if isInForce {
        let rule = Property(.rRule, rawValue: run.rule)
        observances.append((run.onsets[0], observance(run.kind, run.onsets[0], [rule])))
        continue
      }
      let used = zip(run.onsets, run.instants).filter { isUsed($0.1) }
      guard let onset = used.first?.0, let end = used.last?.1 else { continue }
      if used.count > 1 {
        let rule = Property(.rRule, rawValue: run.rule(until: end))
        observances.append((onset, observance(run.kind, onset, [rule])))
      } else {
        singles[run.kind, default: []].append(onset)
      }
    }
    for (kind, onsets) in singles { observances += self.observances(kind, onsets) }
    observances.sort {
      ($0.onset, $0.component.name.canonicalName) < ($1.onset, $1.component.name.canonicalName)
    }
    var properties = [Property(.tzID, text: tzID)]
    if let location { properties.append(Property("X-LIC-LOCATION", text: location)) }
    return Component(.timeZone, properties: properties, components: observances.map(\.component))
  }

  /// Returns the changes of the zone, with enough changes of its final rule to detect a run.
  private func changes(around first: Instant, _ last: Instant?) -> [ZoneTransition] {
    let year: Int64 = 366 * 86_400
    let listed = rules.lastListedChange
    let begin = listed == nil ? first.adding(seconds: -2 * year) : nil
    let settled = max(listed ?? first, first)
    var end = settled.adding(seconds: 4 * year) ?? settled
    if let daylight = rules.finalRule?.daylight,
      YearlyDay.day(of: daylight.start) == nil || YearlyDay.day(of: daylight.end) == nil
    {
      end = last ?? settled.adding(seconds: Int64(Self.writtenYears) * year) ?? settled
      end = end.adding(seconds: 1) ?? end
    }
    return Array(rules.transitions(from: begin ?? Instant(secondsSinceEpoch: .min), to: end))
  }

  /// Returns the observance before all changes, or the only one if there are no changes.
  private func initial(
    before change: CivilDateTime?, from first: Instant
  ) -> (onset: CivilDateTime, component: Component) {
    let type = rules.localTimeType(at: Instant(secondsSinceEpoch: .min))
    let wall = first.civil(at: type.offset) ?? CivilDateTime(.first, .midnight)
    let onset = [1970, 1601, 1].lazy
      .compactMap { CivilDateTime(year: $0, month: 1, day: 1, hour: 0, minute: 0) }
      .first { $0 <= wall && (change == nil || $0 < wall) }
    let start = onset ?? CivilDateTime(.first, .midnight)
    return (start, observance(ZoneChangeRun.Kind(before: type, after: type), start, []))
  }

  /// Returns the observances for onsets of one kind without a rule.
  private func observances(
    _ kind: ZoneChangeRun.Kind, _ onsets: [CivilDateTime]
  ) -> [(onset: CivilDateTime, component: Component)] {
    guard onsets.count > Self.singleLimit else {
      return onsets.map { ($0, observance(kind, $0, [])) }
    }
    let dates = onsets.dropFirst().map(\.description).joined(separator: ",")
    return [(onsets[0], observance(kind, onsets[0], [Property(.rDate, rawValue: dates)]))]
  }

  private func observance(
    _ kind: ZoneChangeRun.Kind, _ onset: CivilDateTime, _ recurrence: [Property]
  ) -> Component {
    let offsets = [
      Property(.dtStart, rawValue: onset.description),
      Property(.tzOffsetFrom, rawValue: kind.before.offset.description),
      Property(.tzOffsetTo, rawValue: kind.after.offset.description),
    ]
    let name = Property(.tzName, text: kind.after.abbreviation)
    return Component(Self.name(of: kind), properties: offsets + recurrence + [name])
  }

  /// Returns the name of an observance: STANDARD or DAYLIGHT.
  ///
  /// By Irish law winter time is the exception, and the flags of the database follow the law. Most
  /// programs expect daylight time to have the greater offset, so that the greater offset decides.
  private static func name(of kind: ZoneChangeRun.Kind) -> ComponentName {
    guard kind.before.isDaylight != kind.after.isDaylight, kind.before.offset != kind.after.offset
    else { return kind.after.isDaylight ? .daylight : .standard }
    return kind.after.offset > kind.before.offset ? .daylight : .standard
  }
}

extension ZoneResolver {
  /// Creates a definition for a TZID without one.
  ///
  /// - Parameters:
  ///   - tzID: The TZID.
  ///   - use: The uses of the TZID.
  /// - Returns: A VTIMEZONE that is correct for all of the uses.
  /// - Throws: `ZoneResolutionError` if the TZID is unknown.
  public func makeDefinition(
    of tzID: String, for use: TimeZoneUses.Use
  ) throws(ZoneResolutionError) -> Component {
    let zone = resolve(tzID)
    let rules = try rules(of: zone)
    let writer = TimeZoneComponent(rules: rules, tzID: tzID, location: zone.name)
    let epoch = Instant(secondsSinceEpoch: 0)
    guard let range = use.instants(by: rules, horizon: epoch) else {
      return writer.component(from: epoch)
    }
    return writer.component(from: range.lowerBound, through: use.isEndless ? nil : range.upperBound)
  }
}

/// The definitions of time zones that items use but do not define (RFC 5545 §3.6.5).
///
/// Programs such as Outlook rely on definitions, and cannot interpret the times otherwise.
///
/// ```swift
/// let missing = MissingDefinitions(of: items, zones: ZoneResolver())
/// var export = CalendarExport(timeZones: missing.definitions)
/// ```
public struct MissingDefinitions: Sendable {
  /// A VTIMEZONE for each of the zones, in the order of their TZIDs.
  public private(set) var definitions: [Component] = []
  /// The zones that cannot be defined, because no rules are known for their TZIDs.
  public private(set) var errors: [ZoneResolutionError] = []

  /// Finds the zones and creates their definitions, each correct for all of its uses.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - zones: The resolver of TZIDs.
  public init(of items: some Sequence<CalendarItem>, zones: ZoneResolver) {
    var uses = TimeZoneUses()
    var defined: Set<String> = []
    for item in items {
      for component in item.components { uses.add(component) }
      for timeZone in item.timeZones {
        if let name = timeZone[.tzID]?.text { defined.insert(name) }
      }
    }
    add(uses, except: defined, zones)
  }

  /// Creates the definitions for the components of an item.
  ///
  /// - Parameters:
  ///   - components: The components.
  ///   - defined: The definitions that the item has.
  ///   - zones: The resolver of TZIDs.
  init(of components: [Component], defined: [Component], zones: ZoneResolver) {
    let names = Set(defined.compactMap { $0[.tzID]?.text })
    add(TimeZoneUses(of: components), except: names, zones)
  }

  private mutating func add(
    _ uses: TimeZoneUses, except defined: Set<String>, _ zones: ZoneResolver
  ) {
    for (tzID, use) in uses.uses.sorted(by: { $0.key < $1.key }) where !defined.contains(tzID) {
      do throws(ZoneResolutionError) {
        definitions.append(try zones.makeDefinition(of: tzID, for: use))
      } catch {
        errors.append(error)
      }
    }
  }
}
