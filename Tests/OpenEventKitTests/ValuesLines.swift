// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import EventKit
import Foundation
import ICalSyntax
import OpenEventKit
import Recurrence
import TestSupport
import Testing

/// The component with these lines, the first of which begins it.
func component(_ lines: String...) throws -> Component {
  let calendar =
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//T//EN"] + lines + ["END:VCALENDAR"]
  let bytes = Array(calendar.map { $0 + "\r\n" }.joined().utf8)
  return try #require(try CalendarStream(parsing: bytes).calendars.first?.components.first)
}

/// The components with a name in a fixture.
func components(_ name: ComponentName, in fixture: String) throws -> [Component] {
  let stream = try CalendarStream(parsing: try Fixture(fixture).bytes)
  return stream.calendars.flatMap { $0.components(named: name) }
}

/// The lines of a component, unfolded, without BEGIN and END.
func lines(_ component: Component) -> [String] {
  let text = String(decoding: Serializer().bytes(of: component), as: UTF8.self)
  return text.replacing("\r\n ", with: "").split(separator: "\r\n").dropFirst().dropLast()
    .map(String.init)
}

/// The zone of the tests.
func berlin() throws -> TimeZone { try #require(TimeZone(identifier: "Europe/Berlin")) }

/// The date of a text such as `2026-03-10T09:00:00Z`.
func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
