// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// The bytes of these content lines, each ended by CRLF.
func lines(_ lines: [String]) -> [UInt8] {
  Array(lines.map { $0 + "\r\n" }.joined().utf8)
}

/// A calendar with these content lines between its own.
func calendar(_ content: [String]) -> [UInt8] {
  lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//T//T//EN"] + content + ["END:VCALENDAR"])
}

/// A component read from these content lines, the first of which begins it.
func component(_ content: [String]) throws -> Component {
  let stream = try CalendarStream(parsing: calendar(content))
  return try #require(stream.calendars.first?.components.first)
}

/// An event with these properties.
func event(_ properties: [String]) throws -> Component {
  try component(["BEGIN:VEVENT"] + properties + ["END:VEVENT"])
}

/// The component as text.
func text(_ component: Component) -> String {
  String(decoding: Serializer().bytes(of: component), as: UTF8.self)
}

/// A small generator of random numbers that gives the same ones for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
