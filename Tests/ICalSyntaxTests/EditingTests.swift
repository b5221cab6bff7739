// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// What a change leaves alone, and what it writes.
@Suite("Editing")
struct EditingTests {
  /// A place in a tree: the components on the way down, and a property of the last one.
  private struct Place {
    var path: [Int]
    var property: Int
  }

  @Test("Trees that are made in memory read back as they are, without a word said about them")
  func generatedTrees() {
    forAll(300) { random in
      var generator = ComponentGenerator(random)
      let calendar = generator.calendar()
      let bytes = Serializer().bytes(of: calendar)
      let stream = try CalendarStream(parsing: bytes)
      try promise(stream.calendars == [calendar], "reads back differently")
      try promise(stream.diagnostics.isEmpty, "\(stream.diagnostics)")
      try expectShortLines(bytes)
      let again = try #require(stream.calendars.first)
      try promise(Serializer().bytes(of: again) == bytes, "is written differently")
      try promise(Serializer().bytes(of: rewritten(again)) == bytes, "is rewritten differently")
    }
  }

  @Test(
    "A component that is changed keeps the parameter and the bytes of the lines around it",
    arguments: [
      ("BEGIN;X-A=1:VEVENT", "END:VEVENT"), ("BEGIN:X-A\u{FF}", "END:X-A\u{FF}"),
      ("BEGIN;X-B=a b:X-\u{FF}", "END:X-\u{FF}"), ("BEGIN:x-any", "END:x-any"),
    ])
  func linesAround(begin: String, end: String) throws {
    func bytes(_ summary: String) -> [UInt8] {
      // U+00FF stands for the byte FF, which is not UTF-8.
      let lines = ["BEGIN:VCALENDAR", begin, "SUMMARY:\(summary)", end, "END:VCALENDAR"]
      return lines.flatMap { $0.unicodeScalars.map { UInt8($0.value) } + [0x0D, 0x0A] }
    }
    var calendar = try #require(try CalendarStream(parsing: bytes("old")).calendars.first)
    calendar.components[0][.summary] = Property(.summary, text: "new")
    #expect(Serializer().bytes(of: calendar) == bytes("new"))
  }

  @Test("Changing one property of a tidy file changes the bytes of no other")
  func oneProperty() throws {
    let calendars = try tidyCalendars()
    #expect(calendars.count > 100)
    forAll(600) { random in
      guard let (calendar, bytes) = calendars.randomElement(using: &random),
        let place = Self.places(in: calendar).randomElement(using: &random)
      else { return }
      let old = Self.property(at: place, in: calendar)
      var new = old
      Self.change(&new, using: &random)
      var changed = calendar
      Self.set(new, at: place, in: &changed)
      let start = Self.offset(of: old, in: bytes)
      let length = written(old).count
      let expected = bytes[..<start] + written(new) + bytes[(start + length)...]
      try promise(
        Serializer().bytes(of: changed) == Array(expected),
        "changing \(old.name) in line \(old.position?.line ?? 0) changes more")
      try expectShortLines(written(new))
    }
  }

  @Test("Whatever the file is like, properties and components beside a change keep their bytes")
  func neighbours() throws {
    let calendars = try Fixture.allCalendars().flatMap {
      (try? CalendarStream(parsing: $0.bytes).calendars) ?? []
    }
    forAll(600) { random in
      guard let calendar = calendars.randomElement(using: &random),
        let place = Self.places(in: calendar).randomElement(using: &random)
      else { return }
      var changed = calendar
      var property = Self.property(at: place, in: calendar)
      Self.change(&property, using: &random)
      Self.set(property, at: place, in: &changed)
      let before = Self.places(in: calendar)
      try promise(before.count == Self.places(in: changed).count, "properties came or went")
      for other in before where other.path != place.path || other.property != place.property {
        let left = written(Self.property(at: other, in: calendar))
        try promise(left == written(Self.property(at: other, in: changed)), "another one changed")
      }
    }
  }

  @Test("With line ends normalized, every line of an edited calendar ends in CRLF and is short")
  func normalized() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for calendar in stream.calendars {
        var copy = calendar
        for place in Self.places(in: calendar) {
          var property = Self.property(at: place, in: calendar)
          guard property.isWellFormed else { continue }
          property.text += ""
          Self.set(property, at: place, in: &copy)
        }
        let bytes = Serializer(lineEnds: .normalized).bytes(of: copy)
        let hasJunk = Self.places(in: calendar).contains {
          !Self.property(at: $0, in: calendar).isWellFormed
        }
        if !hasJunk { try expectShortLines(bytes) }
      }
    }
  }

  /// Fixtures whose calendars are written the way that a serializer writes them.
  private func tidyCalendars() throws -> [(Component, [UInt8])] {
    try Fixture.allCalendars().compactMap { fixture in
      guard let stream = try? CalendarStream(parsing: fixture.bytes), stream.calendars.count == 1,
        let calendar = stream.calendars.first,
        Serializer().bytes(of: rewritten(calendar)) == fixture.bytes
      else { return nil }
      return (calendar, fixture.bytes)
    }
  }

  /// The same component, but written from its parts.
  private func rewritten(_ component: Component) -> Component {
    var copy = component
    for index in copy.components.indices {
      copy.components[index] = rewritten(copy.components[index])
    }
    copy.properties.append(Property("X-EPACT", text: "x"))
    copy.properties.removeLast()
    return copy
  }

  private func written(_ property: Property) -> [UInt8] {
    var bytes: [UInt8] = []
    Serializer().write(property, to: &bytes)
    return bytes
  }

  /// Throws unless each line ends in CRLF and has at most 75 octets (RFC 5545 §3.1).
  private func expectShortLines(_ bytes: [UInt8]) throws(OracleFailure) {
    var length = 0
    var previous: UInt8 = 0
    for byte in bytes {
      try promise((byte == 0x0A) == (previous == 0x0D), "a line end that is not CRLF")
      length = byte == 0x0A ? 0 : length + 1
      try promise(length <= 75 || (byte == 0x0D && length == 76), "a line of more than 75 octets")
      previous = byte
    }
    try promise(bytes.isEmpty || previous == 0x0A, "a last line without a line end")
  }

  private static func change(_ property: inout Property, using random: inout SeededGenerator) {
    var generator = ComponentGenerator(random)
    let text = generator.text()
    switch Int.random(in: 0..<4, using: &random) {
    case 0: property[.commonName] = text
    case 1: property.rawValue = "20260102T030405Z"
    case 2: property.parameters = []
    default: property.text = text
    }
  }

  private static func places(in component: Component, path: [Int] = []) -> [Place] {
    component.properties.indices.map { Place(path: path, property: $0) }
      + component.components.indices.flatMap {
        places(in: component.components[$0], path: path + [$0])
      }
  }

  private static func property(at place: Place, in component: Component) -> Property {
    guard let first = place.path.first else { return component.properties[place.property] }
    let rest = Place(path: Array(place.path.dropFirst()), property: place.property)
    return property(at: rest, in: component.components[first])
  }

  private static func set(_ property: Property, at place: Place, in component: inout Component) {
    guard let first = place.path.first else {
      component.properties[place.property] = property
      return
    }
    let rest = Place(path: Array(place.path.dropFirst()), property: place.property)
    set(property, at: rest, in: &component.components[first])
  }

  /// Where the line of a property begins in a file whose lines end in CRLF.
  private static func offset(of property: Property, in bytes: [UInt8]) -> Int {
    var line = 1
    for index in bytes.indices {
      if line == property.position?.line { return index }
      if bytes[index] == 0x0A { line += 1 }
    }
    return bytes.count
  }
}
