// SPDX-License-Identifier: Apache-2.0

package import CivilTime
import ICalSyntax
import Recurrence

/// A series with its times in the zone of its start.
struct SeriesView<Content: ItemContent> {
  private(set) var zones: CanonicalZones
  /// The content of the main component.
  let content: Content
  /// The start of the series.
  let start: EventTime
  private let startTime: CanonicalTime
  private let options: RecurrenceOptions

  /// Reads the main component of an item.
  init(
    _ main: Component, of item: CalendarItem, _ resolver: ZoneResolver, _ options: RecurrenceOptions
  ) throws(EditError) {
    try self.init(
      main,
      zones: CanonicalZones(NormalForm(zones: resolver), item.components, item.timeZones), options)
  }

  /// Reads the main component of an item whose TZIDs mean this.
  init(
    _ main: Component, zones: CanonicalZones, _ options: RecurrenceOptions
  ) throws(EditError) {
    var zones = zones
    self.options = options
    content = Content(main)
    guard let start = content.start else {
      throw EditError(.noSeries, "expected a start that can be read, found none")
    }
    self.start = start
    startTime = CanonicalTime(start, &zones)
    self.zones = zones
  }

  /// Converts a time to wall-clock time in the zone of the series; midnight for a date.
  mutating func wall(of time: EventTime) -> CivilDateTime {
    let time = CanonicalTime(time, &zones)
    switch startTime {
    case .date: return CivilDateTime(time.wallTime.date, .midnight)
    case .floating: return time.wallTime
    case .utc: return time.instant?.civil() ?? time.wallTime
    case .zoned(_, let zone):
      guard let instant = time.instant, let rules = zone.rules else { return time.wallTime }
      return rules.civil(at: instant) ?? time.wallTime
    }
  }

  /// Converts a wall-clock time to the form of the start.
  func time(_ wall: CivilDateTime) -> EventTime { start.at(wall) }

  /// Returns the UNTIL value for a last instance (RFC 5545 §3.3.10).
  func until(_ last: CivilDateTime) -> RecurrenceRule.Until {
    switch startTime {
    case .date: return .date(last.date)
    case .floating: return .local(last)
    case .utc: return .utc(last)
    case .zoned(_, let zone):
      return (zone.rules?.instant(of: last).civil()).map { .utc($0) } ?? .local(last)
    }
  }

  /// Returns the instances of a rule from the start of the series, or from another start.
  func expansion(
    of rule: RecurrenceRule, from other: CivilDateTime? = nil
  ) throws(EditError) -> Expansion {
    let wall = other ?? startTime.wallTime
    do throws(ExpansionError) {
      switch startTime {
      case .date: return try Expansion(of: rule, from: wall.date, options: options)
      case .zoned(_, let zone):
        return try Expansion(of: rule, from: wall, zone: zone.rules, options: options)
      case .floating, .utc: return try Expansion(of: rule, from: wall, options: options)
      }
    } catch {
      throw EditError(.unsupported, error.description)
    }
  }

  /// Returns the instances of the series.
  mutating func instances() throws(EditError) -> RecurrenceInstances {
    do throws(ExpansionError) {
      return try recurrenceSet().instances()
    } catch {
      throw EditError(.unsupported, error.description)
    }
  }

  /// Whether every rule ends before the start, so that only single dates take place.
  mutating func endsBeforeStart() -> Bool { recurrenceSet().endsBeforeStart }

  /// Returns the instances of the series and of its excluded dates.
  mutating func instancesBeforeExclusion() throws(ExpansionError) -> RecurrenceInstances {
    var set = recurrenceSet()
    set.excludedDates = []
    return try set.instances()
  }

  /// Returns the instances of the series that are known: the start and the single dates, if its
  /// rules cannot be expanded.
  private mutating func knownInstances() -> RecurrenceInstances? {
    var set = recurrenceSet()
    if let instances = try? set.instances() { return instances }
    (set.rules, set.exclusionRules) = ([], [])
    return try? set.instances()
  }

  private mutating func recurrenceSet() -> RecurrenceSet {
    var set = RecurrenceSet(start: startTime.wallTime, clock: clock, options: options)
    set.rules = content.recurrence.rules
    set.exclusionRules = content.recurrence.exclusionRules
    for date in content.recurrence.dates { set.dates.append(.local(wall(of: date.start))) }
    for time in content.recurrence.excludedDates {
      if case .date(let date) = time, !start.isAllDay {
        set.excludedDates.append(.date(date))
      } else {
        set.excludedDates.append(.local(wall(of: time)))
      }
    }
    return set
  }

  /// Whether the series has an instance at a wall-clock time.
  mutating func hasInstance(at wall: CivilDateTime) -> Bool { instance(at: wall) != nil }

  /// Returns the instance at a wall-clock time, as the rule or the file specifies it.
  ///
  /// If the rule has the time 00:30 in a gap, it is the instance at 01:30 (RFC 5545 §3.3.5).
  mutating func instance(at wall: CivilDateTime) -> CivilDateTime? {
    var iterator = knownInstances()?.starting(at: wall).makeIterator()
    return iterator?.next().map(\.local).flatMap { shown($0) == wall ? $0 : nil }
  }

  /// Returns the first instance after a wall-clock time.
  mutating func instance(after wall: CivilDateTime) throws(EditError) -> CivilDateTime? {
    guard let next = wall.adding(seconds: 1) else { return nil }
    var iterator = try instances().starting(at: next).makeIterator()
    return iterator.next().map { shown($0.local) }
  }

  /// Whether the series has an instance before a wall-clock time.
  mutating func hasInstance(before wall: CivilDateTime) -> Bool {
    var iterator = knownInstances()?.makeIterator()
    return iterator?.next().map { shown($0.local) < wall } ?? false
  }

  /// The time that the clock shows at an instance, which the rule may have in a gap of the zone.
  mutating func shown(_ local: CivilDateTime) -> CivilDateTime { wall(of: time(local)) }

  /// Returns an end with the same exact distance from a new start (RFC 5545 §3.8.5.3).
  ///
  /// It keeps its form, unless the start becomes floating or is floating no longer.
  mutating func end(_ end: EventEnd?, from old: EventTime, to new: EventTime) -> EventEnd? {
    guard case .time(let time)? = end else { return end }
    let (before, after) = (CanonicalTime(old, &zones), CanonicalTime(new, &zones))
    let last = CanonicalTime(time, &zones)
    if old.isFloating != new.isFloating, !old.isAllDay, !new.isAllDay, !time.isAllDay {
      let distance = time.wallTime.wallSeconds - old.wallTime.wallSeconds
      return after.end(of: new, after: before.exactSeconds(to: last) ?? distance)
    }
    if let seconds = before.exactSeconds(to: last),
      let instant = after.instant?.adding(seconds: seconds)
    {
      switch last {
      case .zoned(_, let zone):
        if let wall = zone.rules?.civil(at: instant) { return .time(time.at(wall)) }
      case .utc: if let wall = instant.civil() { return .time(time.at(wall)) }
      case .date, .floating: break
      }
    }
    let shift = new.wallTime.wallSeconds - old.wallTime.wallSeconds
    return .time(time.at(time.wallTime.adding(seconds: shift) ?? time.wallTime))
  }

  private var clock: RecurrenceClock {
    switch startTime {
    case .date: .date
    case .floating: .floating
    case .utc: .utc
    case .zoned(_, let zone): zone.rules.map { .zone($0) } ?? .floating
    }
  }
}

extension CanonicalTime {
  /// Returns an end in the form of a start, which has this canonical form.
  fileprivate func end(of start: EventTime, after seconds: Int64) -> EventEnd {
    var wall = start.wallTime.adding(seconds: seconds)
    if case .zoned(_, let zone) = self, let end = instant?.adding(seconds: seconds) {
      wall = zone.rules?.civil(at: end) ?? wall
    }
    return .time(start.at(wall ?? start.wallTime))
  }
}

extension EventTime {
  fileprivate var isFloating: Bool {
    if case .floating = self { true } else { false }
  }

  /// Returns a time of the same form at another wall-clock time; a date ignores the time of day.
  package func at(_ wall: CivilDateTime) -> EventTime {
    switch self {
    case .date: .date(wall.date)
    case .floating: .floating(wall)
    case .utc: .utc(wall)
    case .zoned(_, let tzID): .zoned(wall, tzID: tzID)
    }
  }
}

extension CanonicalTime {
  /// Converts the time of a field.
  init(_ time: EventTime, _ zones: inout CanonicalZones) {
    switch time {
    case .date(let date): self = .date(date)
    case .floating(let wall): self = .floating(wall)
    case .utc(let wall): self = .utc(wall)
    case .zoned(let wall, let tzID):
      let zone = zones.zone(tzID)
      self = zone.name == CanonicalZone.utc ? .utc(wall) : .zoned(wall, zone)
    }
  }
}
