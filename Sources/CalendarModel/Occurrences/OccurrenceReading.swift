// SPDX-License-Identifier: Apache-2.0

import CivilTime
public import ICalSyntax
import Recurrence

/// Collects the components of a file into items for a query, in any order.
///
/// The components of an item can be anywhere in a file, and an override can precede its series.
/// Therefore all components are stored until the end of the file. In contrast to an import, items
/// are neither validated nor split: of two components for the same occurrence the later revision is
/// used.
///
/// A file can contain several calendars. Each one defines its own time zones (RFC 5545 §3.6.5).
///
/// ```swift
/// var reading = OccurrenceReading()
/// while let element = reader.next() { reading.take(element) }
/// reading.finish(into: &query, source: 0)
/// ```
public struct OccurrenceReading: Sendable {
  /// The common key of an item's components.
  private struct Key: Hashable {
    let uid: UID
    let kind: ItemKind
  }

  /// A component with the number of its calendar.
  private struct Member: Sendable {
    let component: Component
    let calendar: Int
  }

  /// The VAVAILABILITY components of a calendar (RFC 7953) with its time zone definitions.
  public struct Availabilities: Sendable {
    /// The VAVAILABILITY components, in file order.
    public let components: [Component]
    /// The VTIMEZONE components of the calendar.
    public let timeZones: [Component]
  }

  private var items = Groups<Key, Member>()
  /// The time zone definitions of each calendar, in file order.
  private var timeZones: [Int: [Component]] = [:]
  /// The number of the current calendar; components outside of calendars count as one, too.
  private var calendar = 0
  /// The VFREEBUSY components (RFC 5545 §3.6.4), in file order.
  public private(set) var freeBusy: [Component] = []
  private var availabilityComponents = Groups<Int, Member>()
  /// The number of collected components that are items or parts of items.
  public private(set) var count = 0

  /// The UID of all components; nil if there are several or none.
  package var onlyUID: UID? {
    guard items.all.count == 1 else { return nil }
    return items.all.first?.first?.component.uid
  }

  /// Creates an empty collection.
  public init() {}

  /// Adds an element of a reader.
  ///
  /// A truncated component is omitted; the reader has reported it.
  public mutating func take(_ element: ReaderElement) {
    switch element {
    case .component(let component): take(component)
    case .calendarBegan, .calendarEnded: beginCalendar()
    case .property, .diagnostic: break
    }
  }

  /// Adds a component of the current calendar.
  public mutating func take(_ component: Component) {
    if component.name == .timeZone { timeZones[calendar, default: []].append(component) }
    guard let kind = ItemKind(component.name), component.isWhole else { return }
    count += 1
    let member = Member(component: component, calendar: calendar)
    if kind == .freeBusy { freeBusy.append(component) }
    if kind == .availability { availabilityComponents.add(member, to: calendar) }
    items.add(member, to: component.uid.map { Key(uid: $0, kind: kind) })
  }

  /// Begins another calendar, with its own time zones.
  public mutating func beginCalendar() { calendar += 1 }

  /// The VAVAILABILITY components by calendar, in file order.
  public var availabilities: [Availabilities] {
    availabilityComponents.all.map { members in
      Availabilities(
        components: members.map(\.component),
        timeZones: members.first.flatMap { timeZones[$0.calendar] } ?? [])
    }
  }

  /// Adds the items to a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: The number of the file.
  public func finish(into query: inout some ComponentQuery, source: Int) {
    var last: Int?
    for members in items.all {
      guard let calendar = members.first?.calendar else { continue }
      guard members.allSatisfy({ $0.calendar == calendar }) else {
        last = nil
        add(scattered: members, to: &query, source: source)
        continue
      }
      if calendar != last { query.beginCalendar() }
      last = calendar
      query.add(
        components: members.map(\.component), timeZones: timeZones[calendar] ?? [], source: source)
    }
  }

  /// Adds an item with components in several calendars, whose definitions of a TZID may differ.
  private func add(
    scattered members: [Member], to query: inout some ComponentQuery, source: Int
  ) {
    var scope = ZoneScope(zones: query.zones)
    var components: [Component] = []
    var definitions: [Component] = []
    for member in members {
      let adopted = scope.adopt(
        [member.component], definitions: timeZones[member.calendar] ?? [])
      components += adopted.components
      definitions += adopted.newDefinitions
    }
    query.beginCalendar()
    query.add(components: components, timeZones: definitions, source: source)
  }
}

extension ComponentQuery {
  /// Adds the items of a file, whose components may be in any order.
  ///
  /// - Parameters:
  ///   - stream: The contents of the file.
  ///   - source: A number chosen by the caller; results and findings contain it to identify their
  ///     source.
  public mutating func add(_ stream: CalendarStream, source: Int = 0) {
    var reading = OccurrenceReading()
    for calendar in stream.calendars {
      reading.beginCalendar()
      for component in calendar.components { reading.take(component) }
    }
    reading.finish(into: &self, source: source)
  }
}

/// The time-related properties of a component, as in the file.
struct ComponentTimes: Sendable {
  let component: Component
  let kind: ItemKind
  /// The start; for a reminder without a start, its due time.
  let start: EventTime?
  /// The end or the due time.
  let end: EventEnd?
  /// The overridden occurrence, or nil for the main component.
  let recurrenceID: RecurrenceID?
  let isCancelled: Bool

  /// Reads a component, or returns nil for a kind without a time.
  init?(_ component: Component, diagnostics: inout [Diagnostic]) {
    guard let kind = ItemKind(component.name) else { return nil }
    func time(_ name: PropertyName) -> EventTime? {
      component[name].flatMap { PropertyCodec.time.read($0, &diagnostics) }
    }
    var start = time(.dtStart)
    let end: EventEnd?
    switch kind {
    case .event: end = time(.dtEnd).map { .time($0) }
    case .reminder: end = time(.due).map { .time($0) }
    case .journal: end = nil
    case .freeBusy, .availability: return nil
    }
    // Lenient: DUE is later than DTSTART (RFC 5545 §3.8.2.3). Otherwise a single reminder counts by
    // when it is due, which people wait for. In different zones the days decide.
    if kind == .reminder, let first = start, let due = end?.time, due.isBefore(first),
      component[.rRule] == nil, component[.rDate] == nil
    {
      start = nil
    }
    self.component = component
    self.kind = kind
    self.start = start ?? (kind == .reminder ? end?.time : nil)
    let duration = kind == .journal ? nil : component[.duration]
    self.end =
      end
      ?? duration.flatMap { PropertyCodec.duration.read($0, &diagnostics) }.map { .duration($0) }
    recurrenceID = component[.recurrenceID].flatMap {
      PropertyCodec.recurrenceID.read($0, &diagnostics)
    }
    isCancelled =
      component[.status].map { $0.text.asciiUppercased == EventStatus.cancelled.rawValue } ?? false
  }

  /// The indices of the names of the recurrence properties.
  private static let recurrenceNames = [PropertyName.rRule, .exRule, .rDate, .exDate]
    .compactMap(\.index)

  /// Returns the recurrence properties; only those of main components count (RFC 5545 §3.8.4.4).
  func recurrence(_ diagnostics: inout [Diagnostic]) -> RecurrenceProperties {
    var result = RecurrenceProperties()
    component.forEachKnownProperty { name, property in
      guard Self.recurrenceNames.contains(name) else { return }
      if property.isNamed(.rRule) {
        if let rule = PropertyCodec.rule.read(property, &diagnostics) { result.rules.append(rule) }
      } else if property.isNamed(.exRule) {
        if let rule = PropertyCodec.rule.read(property, &diagnostics) {
          result.exclusionRules.append(rule)
        }
      } else if property.isNamed(.rDate) {
        ListCodec.recurrenceDates.read(property, &diagnostics) { date in
          if let date { result.dates.append(date) }
        }
      } else if property.isNamed(.exDate) {
        ListCodec.times.read(property, &diagnostics) { time in
          if let time { result.excludedDates.append(time) }
        }
      }
    }
    return result
  }
}

/// The duration of a component's occurrences (RFC 5545 §3.6.1, §3.8.5.3).
///
/// An end time fixes an exact duration for all occurrences. A DURATION is nominal: each of its days
/// can have 23 or 25 hours.
enum Extent: Hashable, Sendable {
  /// A number of days.
  case days(Int)
  /// An exact number of seconds.
  case exact(Int64)
  /// A nominal duration in the time zone of the start.
  case nominal(CivilDuration)
  /// The due day of a reminder that starts at a time: a number of days after the date of the start.
  case dueDay(Int, on: SeriesClock)
  /// The due time of a reminder that starts on a day: a number of days later, at a time of day.
  case dueTime(Int, TimeOfDay, on: SeriesClock)

  /// Creates the extent from a start and an end, or the default of the kind if there is no end.
  ///
  /// Lenient: an end before the start, or of another value type, is used as far as possible.
  init(
    from start: OccurrenceTime, on clock: SeriesClock, to end: EventEnd?, endClock: SeriesClock?,
    kind: ItemKind
  ) {
    // A reminder can be due on the day of its start; other items last at least a day.
    let least = kind == .reminder ? 0 : 1
    switch end {
    case nil: self = clock.isDate ? .days(least) : .exact(0)
    case .time(let time)? where kind == .reminder && time.isAllDay != clock.isDate:
      // Lenient: DUE has the value type of DTSTART (RFC 5545 §3.8.2.3), but programs write both.
      let days = max(0, time.date.dayNumber - start.time.date.dayNumber)
      let due = endClock ?? clock
      self =
        time.isAllDay ? .dueDay(days, on: due) : .dueTime(days, time.wallTime.time, on: due)
    case .time(let time)? where clock.isDate:
      // If an all-day event ends at a time, the day of the end is included, except at midnight.
      let isInside = !time.isAllDay && kind == .event && time.wallTime.time != .midnight
      let days = time.date.dayNumber - start.time.date.dayNumber + (isInside ? 1 : 0)
      self = .days(max(least, days))
    case .time(let time)?:
      // If the end of a timed item is a date or a floating time, the time zone of the start
      // applies.
      let isOnOwnClock = time.isAllDay || endClock?.form == .floating
      let end = (isOnOwnClock ? clock : endClock ?? clock).rules.instant(of: time.wallTime)
      self = .exact(max(0, end.secondsSinceEpoch - start.instant.secondsSinceEpoch))
    case .duration(let duration)? where clock.isDate:
      let days = duration.nominalDays + Int((duration.exactSeconds + 86_399) / 86_400)
      self = .days(max(least, days))
    case .duration(let duration)?:
      self = duration.isNegative ? .exact(0) : .nominal(duration)
    }
  }

  /// Returns the end of an occurrence; its start if the end is outside the years 1 through 9999.
  func end(of start: OccurrenceTime, on clock: SeriesClock) -> OccurrenceTime {
    switch self {
    case .days(let days): return clock.day(start.time.date.adding(days: days) ?? .last)
    case .dueDay(let days, let due):
      return due.day(start.time.date.adding(days: days) ?? .last)
    case .dueTime(let days, let time, let due):
      return due.time(of: CivilDateTime(start.time.date.adding(days: days) ?? .last, time))
    case .exact(0): return start
    case .exact(let seconds):
      return start.instant.adding(seconds: seconds).flatMap(clock.time(at:)) ?? start
    case .nominal(let duration):
      guard duration.nominalDays != 0 else {
        return Extent.exact(duration.exactSeconds).end(of: start, on: clock)
      }
      let end = clock.rules.instant(of: start.time.wallTime, adding: duration)
      return end.flatMap(clock.time(at:)) ?? start
    }
  }

  /// The clock of an end that is on another one than the start; nil if it is on the same clock.
  var endClock: SeriesClock? {
    switch self {
    case .dueDay(_, let clock), .dueTime(_, _, let clock): clock
    case .days, .exact, .nominal: nil
    }
  }

  /// The maximum number of seconds from the start to the end, including possible offset changes.
  var longest: Int64 {
    switch self {
    case .days(let days), .dueDay(let days, _), .dueTime(let days, _, _):
      Int64(days) * 86_400 + 2 * 86_400
    case .exact(let seconds): seconds
    case .nominal(let duration):
      Int64(duration.nominalDays) * 86_400 + duration.exactSeconds + 2 * 86_400
    }
  }
}

extension CalendarItem {
  /// Whether a time that places the item in a view cannot be read: DTSTART, or DUE of a reminder
  /// (RFC 5545 §3.8.2.3, §3.8.2.4).
  ///
  /// Views by days do not show such a component.
  public var hasUnreadableTime: Bool {
    components.contains { component in
      let names: [PropertyName] =
        switch ItemKind(component.name) {
        case .event, .journal: [.dtStart]
        case .reminder: [.dtStart, .due]
        case .freeBusy, .availability, nil: []
        }
      var problems: [Diagnostic] = []
      return names.contains { name in
        component[name].map { PropertyCodec.time.read($0, &problems) == nil } ?? false
      }
    }
  }

  /// Whether an event has no start, so that it takes place at no time (RFC 5545 §3.6.1).
  public var hasEventWithoutStart: Bool {
    components.contains { ItemKind($0.name) == .event && $0[.dtStart] == nil }
  }
}

extension EventTime {
  /// Whether a time is before another one for sure: on an earlier day, or earlier on the same clock.
  fileprivate func isBefore(_ other: EventTime) -> Bool {
    if date != other.date { return date < other.date }
    switch (self, other) {
    case (.floating(let wall), .floating(let later)), (.utc(let wall), .utc(let later)):
      return wall < later
    case (.zoned(let wall, let zone), .zoned(let later, let other)):
      return zone == other && wall < later
    default: return false
    }
  }
}
