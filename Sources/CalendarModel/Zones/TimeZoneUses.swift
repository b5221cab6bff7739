// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax
import Recurrence

/// The time zones that components use, with the local times (RFC 5545 §3.2.19).
///
/// ```swift
/// var uses = TimeZoneUses()
/// for component in item.components { uses.add(component) }
/// uses["Europe/Berlin"]?.first   // 20260302T090000
/// ```
public struct TimeZoneUses: Sendable {
  /// The uses of one time zone.
  public struct Use: Hashable, Sendable {
    /// The first property that uses it, in the order in which the components were added.
    public let property: Property
    /// The earliest local time; nil if no time is readable.
    public fileprivate(set) var first: CivilDateTime?
    /// The latest local time; nil if no time is readable.
    ///
    /// For recurring components it is at or after the last instance.
    public fileprivate(set) var last: CivilDateTime?
    /// Whether a recurrence in the zone is endless, so that there is no last time.
    public fileprivate(set) var isEndless = false

    fileprivate mutating func add(_ time: CivilDateTime) {
      first = min(first ?? time, time)
      last = max(last ?? time, time)
    }
  }

  /// The maximum number of time zones; typical calendars have a few dozen.
  private static let limit = 1000
  /// The maximum number of instances that are expanded to find the last one.
  private static let instanceLimit = 10_000
  /// The maximum difference of UTC and local time in seconds, with a margin.
  private static let reach: Int64 = 100_000

  /// The uses by their TZIDs.
  public private(set) var uses: [String: Use] = [:]

  /// Creates an empty list.
  public init() {}

  /// Creates the list for components.
  init(of components: [Component]) {
    for component in components { add(component) }
  }

  /// The uses of a time zone, or nil if it is not used.
  public subscript(tzID: String) -> Use? { uses[tzID] }

  /// Adds the uses of a component and its nested components.
  public mutating func add(_ component: Component) {
    for property in component.properties where property.hasParameters {
      guard let tzID = property[.tzID], uses[tzID] != nil || uses.count < Self.limit else {
        continue
      }
      var use = uses[tzID] ?? Use(property: property)
      for value in property.typedValues.values {
        for time in Self.times(in: value) { use.add(time) }
      }
      uses[tzID] = use
    }
    addInstances(of: component)
    for nested in component.components { add(nested) }
  }

  /// Adds the times of recurrences of a component.
  private mutating func addInstances(of component: Component) {
    let rules = component.properties(named: .rRule)
    guard !rules.isEmpty, let property = component[.dtStart], let tzID = property[.tzID],
      let start = property.typedValues.first.flatMap({ Self.times(in: $0).first })
    else { return }
    let length = Self.length(of: component, from: start)
    for property in rules {
      guard case .recurrence(let rule)? = property.typedValues.first else { continue }
      if let last = Self.last(of: rule, from: start) {
        uses[tzID]?.add(last.adding(seconds: length) ?? last)
      } else {
        uses[tzID]?.isEndless = true
      }
    }
  }

  /// A time at or after all instances of a rule; nil if the rule is endless or very long.
  private static func last(of rule: RecurrenceRule, from start: CivilDateTime) -> CivilDateTime? {
    switch rule.until {
    case .date(let date)?: return CivilDateTime(date, .midnight).adding(seconds: reach)
    case .local(let time)?, .utc(let time)?: return time.adding(seconds: reach) ?? time
    case nil: break
    }
    guard let count = rule.count, count <= instanceLimit else { return nil }
    var set = RecurrenceSet(start: start, clock: .floating)
    set.rules = [rule]
    var last = start
    for instance in (try? set.instances()).map({ Array($0.prefix(count + 1)) }) ?? [] {
      last = instance.local
    }
    return last.adding(seconds: reach) ?? last
  }

  /// The duration of a component in local seconds, at least 0.
  private static func length(of component: Component, from start: CivilDateTime) -> Int64 {
    let end = (component[.dtEnd] ?? component[.due])?.typedValues.first
    if let end = end.flatMap({ times(in: $0).first }) {
      return max(0, end.wallSeconds - start.wallSeconds)
    }
    guard case .duration(let duration)? = component[.duration]?.typedValues.first else { return 0 }
    return max(0, Int64(duration.nominalDays) * 86_400 + duration.exactSeconds)
  }

  /// The local times in a value.
  private static func times(in value: Value) -> [CivilDateTime] {
    switch value {
    case .date(let date): return [CivilDateTime(date, .midnight)]
    case .dateTime(let time, isUTC: false): return [time]
    case .period(let period) where !period.isUTC:
      switch period.end {
      case .dateTime(let end, _): return [period.start, end]
      case .duration(let duration):
        return [period.start, period.start.adding(duration)].compactMap(\.self)
      }
    default: return []
    }
  }
}

extension TimeZoneUses.Use {
  /// The range of instants for which the zone is used.
  ///
  /// - Parameters:
  ///   - rules: The rules of the zone.
  ///   - horizon: The end for endless recurrences, but at least a year after the first time.
  /// - Returns: The instants from the first through the last one, or nil if no time is readable.
  public func instants(by rules: ZoneRules, horizon: Instant) -> Range<Instant>? {
    guard let first, let last else { return nil }
    let start = rules.instant(of: first)
    var end = rules.instant(of: last)
    if isEndless { end = max(end, horizon, start.adding(seconds: 366 * 86_400) ?? end) }
    return start..<max(end.adding(seconds: 1) ?? end, start)
  }
}

/// The resolution of TZIDs in some components, such as those of one item.
///
/// It includes comparisons with definitions over the times in use.
///
/// ```swift
/// var zones = ComponentZones(resolver, components: item.components, definitions: item.timeZones)
/// zones.zone("Mountain Standard Time (Mexico)").canonicalName   // "America/Mazatlan"
/// ```
public struct ComponentZones: Sendable {
  private let resolver: ZoneResolver
  private let components: [Component]
  private let definitions: [Component]
  /// The definitions by name, created on demand.
  private var definitionsByName: ZoneDefinitions?
  /// The uses of zones in the components, created on demand for a comparison.
  private var uses: TimeZoneUses?

  /// Creates a resolution for components.
  ///
  /// - Parameters:
  ///   - resolver: The resolver of names.
  ///   - components: The components that use the zones.
  ///   - definitions: The VTIMEZONE components of the file.
  public init(_ resolver: ZoneResolver, components: [Component], definitions: [Component]) {
    self.resolver = resolver
    self.components = components
    self.definitions = definitions
  }

  /// Creates a resolution with indexed definitions.
  init(_ resolver: ZoneResolver, components: [Component], among definitions: ZoneDefinitions) {
    self.init(resolver, components: components, definitions: [])
    definitionsByName = definitions
  }

  /// The zone of a TZID.
  public mutating func zone(_ tzID: String) -> ResolvedZone {
    let index = definitionsByName ?? ZoneDefinitions(definitions)
    definitionsByName = index
    let zone = resolver.resolve(tzID, among: index)
    guard resolver.contender(of: zone, among: index) != nil else { return zone }
    return resolver.resolve(tzID, among: index, use: use(of: tzID))
  }

  /// The uses of a zone in the components; nil if they do not use it.
  mutating func use(of tzID: String) -> TimeZoneUses.Use? {
    if let uses { return uses[tzID] }
    let uses = TimeZoneUses(of: components)
    self.uses = uses
    return uses[tzID]
  }
}
