// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// A stored meeting, in the shape of the examples of RFC 5546 §4, and messages about it.
struct SchedulingScene {
  static let resolver = ZoneResolverTests.resolver

  /// Every day in March 2026 at nine in Vienna, with two guests beside the organizer.
  static let series = [
    "BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260101T000000Z", "SEQUENCE:1",
    "DTSTART;TZID=Europe/Vienna:20260301T090000", "DTEND;TZID=Europe/Vienna:20260301T100000",
    "RRULE:FREQ=DAILY;COUNT=31", "EXDATE;TZID=Europe/Vienna:20260303T090000",
    "ORGANIZER:mailto:a@example.com", "ATTENDEE;CN=Ann:mailto:a@example.com",
    "ATTENDEE;RSVP=TRUE;CN=Ben:mailto:b@example.com",
    "ATTENDEE;RSVP=TRUE;CN=Cleo:Mailto:C@example.com", "SUMMARY:Board meeting",
    "LOCATION:Room 1", "X-OWN;Y=\"z\":1\\,2", "BEGIN:VALARM", "ACTION:DISPLAY",
    "TRIGGER:-PT5M", "DESCRIPTION:go", "END:VALARM", "END:VEVENT",
  ]

  /// The same once.
  static var single: [String] {
    series.filter { !$0.hasPrefix("RRULE") && !$0.hasPrefix("EXDATE") }
  }

  static func item(_ components: [String]...) throws -> CalendarItem {
    try CalendarItem(
      parsing: calendar(components.flatMap { $0 }), normalForm: NormalForm(zones: resolver))
  }

  /// A message with one component of these properties.
  static func message(
    _ method: String, _ properties: [String], kind: String = "VEVENT"
  ) throws -> SchedulingMessage {
    try message(
      method, components: [["BEGIN:\(kind)", "UID:meeting"] + properties + ["END:\(kind)"]])
  }

  static func message(_ method: String, components: [[String]]) throws -> SchedulingMessage {
    SchedulingMessage(
      SchedulingMethod(rawValue: method), try item(components.flatMap { $0 }))
  }

  /// What becomes of an item by messages, and the effects of all of them.
  static func applying(
    _ messages: SchedulingMessage..., to item: CalendarItem?
  ) -> (item: CalendarItem?, outcomes: [SchedulingOutcome]) {
    var scheduled = ScheduledItem(item, zones: resolver)
    let outcomes = messages.flatMap { scheduled.apply($0).map(\.outcome) }
    return (scheduled.item, outcomes)
  }

  /// The lines of a component without its nested ones, unfolded.
  static func lines(_ component: Component?) -> [String] {
    (component?.properties ?? []).map { property in
      let parameters = property.parameters.map { parameter in
        ";\(parameter.name.rawName)=\(parameter.values.joined(separator: ","))"
      }
      return "\(property.name.rawName)\(parameters.joined()):\(property.rawValue)"
    }
  }

  /// The lines that are in one component and not in the other: removed ones, then added ones.
  static func difference(_ before: Component?, _ after: Component?) -> [String] {
    let (before, after) = (lines(before), lines(after))
    return before.filter { !after.contains($0) }.map { "-\($0)" }
      + after.filter { !before.contains($0) }.map { "+\($0)" }
  }
}
