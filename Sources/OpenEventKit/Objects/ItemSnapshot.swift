// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax
import Recurrence

/// The values of an event or a reminder in its file, and the objects made of them.
struct ItemSnapshot: Sendable {
  /// The values that the object shows.
  let fields: ItemFields
  /// The component of the occurrence; nil for an item that was never saved.
  let component: Component?
  /// Whether this is an occurrence of an event with a component of its own.
  let isDetached: Bool
  /// The seconds from the start to the end, for alarms that are relative to the end.
  private let length: TimeInterval
  private let rules: [RecurrenceRule]
  private let ruleStart: RuleStart?

  /// The values of an item that was never saved.
  init(new fields: ItemFields) {
    self.fields = fields
    component = nil
    isDetached = false
    length = 0
    rules = []
    ruleStart = nil
  }

  /// Reads an occurrence of an event.
  ///
  /// - Parameters:
  ///   - occurrence: The content and the component of the occurrence, with its start and end.
  ///   - item: The item.
  ///   - calendar: The identifier of its calendar.
  ///   - zones: The zones.
  init(
    event occurrence: OccurrenceReading<Event>, of item: CalendarItem, in calendar: String,
    _ zones: ItemZones
  ) {
    let event = occurrence.content
    var fields = ItemFields()
    fields.calendar = calendar
    fields.take(event)
    fields.times = EventTimes(event, zones, item.timeZones)
    fields.availability = event.transparency == .opaque ? .busy : .free
    self.init(fields, occurrence.component, of: item, zones)
  }

  /// Reads a reminder, or an occurrence of it.
  ///
  /// - Parameters:
  ///   - occurrence: The content and the component of the reminder.
  ///   - item: The item.
  ///   - calendar: The identifier of its calendar.
  ///   - zones: The zones.
  init(
    reminder occurrence: OccurrenceReading<Reminder>, of item: CalendarItem, in calendar: String,
    _ zones: ItemZones
  ) {
    let reminder = occurrence.content
    var fields = ItemFields()
    fields.calendar = calendar
    fields.take(reminder)
    fields.dates = ReminderDates(reminder, zones, item.timeZones)
    fields.completion = Completion(
      isCompleted: reminder.statedStatus == .completed,
      date: reminder.completed.map { Date($0) })
    fields.priority = reminder.priority
    self.init(fields, occurrence.component, of: item, zones)
  }

  private init(
    _ fields: ItemFields, _ component: Component, of item: CalendarItem, _ zones: ItemZones
  ) {
    let times = fields.times
    length = times.start.flatMap { start in times.end?.timeIntervalSince(start) } ?? 0
    // The rules belong to the series, and every occurrence shows them, except a detached event.
    let main = item.main ?? component
    isDetached =
      component.name == .event && component.isOverride && item.overrides.contains(component)
    rules = isDetached ? [] : Self.rules(of: main)
    let start = Self.start(of: main)
    ruleStart = RuleStart(
      start, in: zones.timeZone(of: start, item.timeZones) ?? zones.viewer)
    self.component = component
    var fields = fields
    let parts = ItemParts(component, length: length, rules: rules, ruleStart)
    fields.take(parts)
    self.fields = fields
  }

  private static func rules(of main: Component) -> [RecurrenceRule] {
    guard main[.rRule] != nil else { return [] }
    return main.name == .reminder
      ? Reminder(main).recurrence.rules : Event(main).recurrence.rules
  }

  private static func start(of main: Component) -> EventTime? {
    guard main.name == .reminder else { return Event(main).start }
    let reminder = Reminder(main)
    return reminder.start ?? reminder.due?.time
  }

  /// New objects for the alarms, the rules and the location.
  func makeParts() -> ItemParts {
    guard let component else { return ItemParts() }
    return ItemParts(component, length: length, rules: rules, ruleStart)
  }
}

/// The alarms, the rules and the location of an item: objects that can be changed in place.
struct ItemParts: Sendable {
  var alarms: [EKAlarm] = []
  var rules: [EKRecurrenceRule] = []
  var location: EKStructuredLocation?

  /// No parts.
  init() {}

  fileprivate init(
    _ component: Component, length: TimeInterval, rules: [RecurrenceRule], _ start: RuleStart?
  ) {
    alarms = component.components(named: .alarm).compactMap { EKAlarm($0, length: length) }
    if let start { self.rules = rules.map { EKRecurrenceRule($0, start: start) } }
    location = EKStructuredLocation(of: component)
  }
}

extension ItemFields {
  /// Takes the values of the parts, which may have changed in place.
  mutating func take(_ parts: ItemParts) {
    alarms = parts.alarms.map(\.value)
    rules = parts.rules.map(\.value)
    location = parts.location?.value
  }

  fileprivate mutating func take(_ content: some ItemContent) {
    title = content.summary ?? ""
    url = content.webURL
    switch content {
    case let event as Event: notes = event.descriptionText
    case let reminder as Reminder: notes = reminder.descriptionText
    default: break
    }
  }
}

extension EventTimes {
  /// Reads the times of an occurrence.
  init(_ event: Event, _ zones: ItemZones, _ definitions: [Component]) {
    guard let first = event.start else { return }
    isAllDay = first.isAllDay
    timeZone = zones.timeZone(of: first, definitions)
    let instant = zones.instant(of: first, definitions)
    start = Date(instant)
    switch event.end {
    case .time(let time)? where isAllDay:
      // The end of a file is the day after the last one; a time of day is within the last one.
      let isInside = !time.isAllDay && time.wallTime.time != .midnight
      end = zones.end(of: (isInside ? nil : time.date.adding(days: -1)) ?? time.date, from: first)
    case .time(let time)?:
      // A date or a floating time is on the clock of the start.
      let isOwn = zones.timeZone(of: time, definitions) == nil
      end = Date(zones.instant(of: isOwn ? first.at(time.wallTime) : time, definitions))
    case .duration(let duration)? where isAllDay:
      let days = duration.nominalDays + Int((duration.exactSeconds + 86_399) / 86_400)
      end = zones.end(of: first.date.adding(days: days - 1) ?? first.date, from: first)
    case .duration(let duration)?:
      end = zones.instant(of: first, adding: duration, definitions).map { Date($0) }
    case nil: end = isAllDay ? zones.end(of: Date(instant)) : Date(instant)
    }
    // An event does not end before its start, as in queries.
    end = end.map { max($0, Date(instant)) }
  }
}

extension ItemZones {
  /// The end of an event that begins on a day and lasts through another one; at least a day.
  fileprivate func end(of day: CivilDate, from start: EventTime) -> Date {
    end(of: Date(viewerRules.instant(of: CivilDateTime(max(day, start.date), .midnight))))
  }
}

extension ItemZones {
  /// The instant at the end of a duration (RFC 5545 §3.3.6).
  fileprivate func instant(
    of time: EventTime, adding duration: CivilDuration, _ definitions: [Component]
  ) -> Instant? {
    switch time {
    case .utc(let wall): wall.adding(duration).map { Instant(utc: $0) }
    case .zoned(let wall, let tzID):
      (zone(of: tzID, definitions)?.rules ?? viewerRules).instant(of: wall, adding: duration)
    case .date, .floating: viewerRules.instant(of: time.wallTime, adding: duration)
    }
  }
}

extension ReminderDates {
  /// Reads the times of a reminder.
  init(_ reminder: Reminder, _ zones: ItemZones, _ definitions: [Component]) {
    start = reminder.start.map { DateComponents($0, zones, definitions) }
    switch reminder.due {
    case .time(let time)?: due = DateComponents(time, zones, definitions)
    case .duration(let duration)?:
      guard let time = reminder.start, let end = zones.due(of: time, after: duration, definitions)
      else { return }
      due = DateComponents(end, zones, definitions)
    case nil: break
    }
  }
}

extension ItemZones {
  /// The time at the end of a duration, in the form of its start.
  func due(
    of start: EventTime, after duration: CivilDuration, _ definitions: [Component]
  ) -> EventTime? {
    if case .date(let date) = start {
      let days = duration.nominalDays + Int((duration.exactSeconds + 86_399) / 86_400)
      return date.adding(days: days).map { .date($0) }
    }
    return instant(of: start, adding: duration, definitions).flatMap {
      time(of: Date($0), like: start, definitions)
    }
  }
}

/// The content and the component of an occurrence, with its start and its end.
struct OccurrenceReading<Content: ItemContent>: Sendable {
  let content: Content
  let component: Component
}
