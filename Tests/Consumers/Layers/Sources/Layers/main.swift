// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax
import Recurrence

// Build an event that takes place every Monday.
var event = Event()
event.uid = UID("lunch@example.org")
event.stamp = Instant(Date(timeIntervalSince1970: 1_764_547_200))
event.start = .zoned(try CivilDateTime(parsing: "20261130T123000"), tzID: "Europe/Berlin")
event.end = .duration(try CivilDuration(parsing: "PT45M"))
event.summary = "Lunch"
event.recurrence.rules = [try RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=MO;COUNT=3")]
event.webURL = URL(string: "https://example.org/canteen")
let bytes = try CalendarItem(event).serialized()

// Read it again, and list the occurrences of December.
let stream = try CalendarStream(parsing: bytes)
for diagnostic in stream.diagnostics { print(diagnostic.formatted(path: "lunch.ics")) }
let zones = ZoneResolver()
let berlin = try zones.rules(of: zones.resolve("Europe/Berlin"))
let december = try ["20261201T000000", "20270101T000000"].map {
  berlin.instant(of: try CivilDateTime(parsing: $0))
}
var query = OccurrenceQuery(in: december[0]..<december[1], viewer: berlin, zones: zones)
query.add(stream)
for occurrence in query.occurrences() {
  print(occurrence.start.rfc3339, Event(occurrence.component).summary ?? "no title")
}
