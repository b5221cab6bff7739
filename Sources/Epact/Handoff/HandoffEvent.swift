// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// An event as a URL can represent it: one start, one end, and a few texts.
package struct HandoffEvent: Sendable {
  /// A start or an end, in a form that the services support.
  enum Time: Sendable, Hashable {
    /// A whole day.
    case date(CivilDate)
    /// A local time in a zone of the time zone database.
    case zoned(CivilDateTime, zone: String, utc: CivilDateTime)
    /// A time in UTC.
    case utc(CivilDateTime)
    /// A floating time.
    case floating(CivilDateTime)
  }

  let uid: UID
  let title: String
  let start: Time
  let end: Time
  let location: String
  let details: String
  /// The recurrence rule (RFC 5545 §3.3.10), if the services support it.
  let rule: String?
  /// The omissions of the URL, for all services.
  let notes: [String]

  /// Creates a handoff event from an item.
  ///
  /// - Throws: `HandoffRefusal` if the item is not an event, or its times cannot be represented.
  package init(_ item: CalendarItem, zones: ZoneResolver) throws(HandoffRefusal) {
    guard item.kind == .event else {
      let what = item.kind == .reminder ? "a reminder" : "a journal entry"
      throw HandoffRefusal("\(what) cannot be added by a link; the file holds it")
    }
    guard let component = item.main ?? item.components.first else {
      throw HandoffRefusal("it has no component")
    }
    let event = Event(component)
    guard let start = event.start else {
      throw HandoffRefusal("it has no start; the file holds it")
    }
    var reader = TimeReader(zones, item)
    guard let first = reader.time(start), let last = reader.end(of: event, from: start) else {
      throw HandoffRefusal("its times cannot be represented in a link; the file holds it")
    }
    uid = item.uid
    title = event.summary ?? ""
    self.start = first
    end = last
    location = event.location ?? ""
    details = event.descriptionText ?? event.url ?? ""
    let rules = event.recurrence.rules
    // The services support only the Gregorian calendar and a single rule.
    rule = rules.count == 1 && rules[0].rscale == nil ? rules[0].description : nil
    notes = Self.notes(on: event, item, isRuleKnown: rules.isEmpty || rule != nil)
  }

  private static func notes(
    on event: Event, _ item: CalendarItem, isRuleKnown: Bool
  ) -> [String] {
    var notes: [String] = []
    if !isRuleKnown { notes.append("the recurrence rule is left out") }
    if !event.recurrence.dates.isEmpty || !event.recurrence.excludedDates.isEmpty
      || !event.recurrence.exclusionRules.isEmpty || !item.overrides.isEmpty
    {
      notes.append("single occurrences that were changed, added or left out are not in it")
    }
    // The service would send mail to attendees in the URL.
    if !event.attendees.isEmpty { notes.append("the attendees are left out, and are not invited") }
    if !event.alarms.isEmpty { notes.append("the alarms are left out") }
    return notes
  }
}

/// The reason why no link can be created for an item.
package struct HandoffRefusal: Error, Sendable {
  /// The reason for the text output.
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

extension HandoffEvent {
  /// Converts times of a file to a form that the services support.
  private struct TimeReader {
    private let zones: ZoneResolver
    private var meanings: ComponentZones

    init(_ zones: ZoneResolver, _ item: CalendarItem) {
      self.zones = zones
      meanings = ComponentZones(zones, components: item.components, definitions: item.timeZones)
    }

    mutating func time(_ time: EventTime) -> Time? {
      switch time {
      case .date(let date): return .date(date)
      case .floating(let wall): return .floating(Self.withoutLeapSecond(wall))
      case .utc(let wall): return .utc(Self.withoutLeapSecond(wall))
      case .zoned(let written, let tzID):
        let wall = Self.withoutLeapSecond(written)
        let zone = meanings.zone(tzID)
        guard let rules = try? zones.rules(of: zone) else { return .floating(wall) }
        guard let utc = rules.instant(of: wall).civil() else { return nil }
        return zone.name.map { .zoned(wall, zone: $0, utc: utc) } ?? .utc(utc)
      }
    }

    /// The time with second 59 instead of 60, which the services do not know (RFC 5545 §3.3.12).
    private static func withoutLeapSecond(_ wall: CivilDateTime) -> CivilDateTime {
      TimeOfDay(secondOfDay: wall.time.secondOfDay).map { CivilDateTime(wall.date, $0) } ?? wall
    }

    /// The end of an event; without DTEND and DURATION, one day or no time (RFC 5545 §3.6.1).
    mutating func end(of event: Event, from start: EventTime) -> Time? {
      switch event.end {
      case .time(let end): return time(end)
      case .duration(let duration): return time(start, after: duration)
      case nil:
        guard case .date(let date) = start else { return time(start) }
        return date.adding(days: 1).map(Time.date)
      }
    }

    private mutating func time(_ start: EventTime, after duration: CivilDuration) -> Time? {
      switch start {
      case .date(let date): return date.adding(days: duration.nominalDays).map(Time.date)
      case .floating(let wall): return wall.adding(duration).map(Time.floating)
      case .utc(let wall): return wall.adding(duration).map(Time.utc)
      case .zoned(let wall, let tzID):
        let zone = meanings.zone(tzID)
        guard let rules = try? zones.rules(of: zone) else {
          return wall.adding(duration).map(Time.floating)
        }
        guard let end = rules.instant(of: wall, adding: duration), let utc = end.civil() else {
          return nil
        }
        guard let name = zone.name, let local = rules.civil(at: end) else { return .utc(utc) }
        return .zoned(local, zone: name, utc: utc)
      }
    }
  }
}
