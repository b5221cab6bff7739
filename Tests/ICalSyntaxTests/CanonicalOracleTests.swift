// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("The canonical form against the plain way to make it")
struct CanonicalOracleTests {
  private func check(_ bytes: [UInt8]) throws {
    guard let stream = try? CalendarStream(parsing: bytes) else { return }
    for calendar in stream.calendars { try CanonicalOracle.check(calendar) }
    try CanonicalOracle.check(stream.strays)
  }

  @Test("Every fixture")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      do {
        try check(fixture.bytes)
      } catch {
        Issue.record("\(fixture.path): \(error)")
      }
    }
  }

  @Test("Fixtures with random edits")
  func edits() throws {
    let fixtures = try Fixture.allCalendars()
    forAll(200) { random in
      guard var bytes = fixtures.randomElement(using: &random)?.bytes else { return }
      bytes.mutate(upTo: 20, using: &random)
      try check(bytes)
    }
  }

  @Test("Generated calendars, in memory, read, and read with other line ends")
  func generated() {
    forAll(100) { random in
      var generator = ComponentGenerator(random)
      let calendar = generator.calendar()
      try CanonicalOracle.check(calendar)
      let bytes = Serializer().bytes(of: calendar)
      try check(bytes)
      try check(bytes.filter { $0 != 0x0D })
      try check(Serializer(form: .canonical).bytes(of: calendar))
    }
  }

  @Test("Texts full of escapes, which are looked at 64 bytes at a time")
  func escapes() {
    forAll(200) { random in
      // Runs of backslashes, and what they escape, up to and across each multiple of 64.
      let before = String(repeating: "x", count: Int.random(in: 0..<130, using: &random))
      var value = ""
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        value +=
          [#"\"#, #"\\\\"#, "n", "N", ",", ";", "xyz", #"\n"#].randomElement(using: &random) ?? ""
      }
      let name = ["DESCRIPTION", "CATEGORIES", "REQUEST-STATUS", "X-NOTE"].randomElement(
        using: &random)
      let line = "\(name ?? ""):\(before)\(value)"
      for text in [line, line + "\\", line + "\\n"] {
        try check(Array("BEGIN:VCALENDAR\r\n\(text)\r\nEND:VCALENDAR\r\n".utf8))
      }
    }
  }

  @Test("Components whose UIDs begin alike, or say nothing else")
  func uids() {
    forAll(66) { random in
      let starts = ["", "a", "aaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaaa"]
      var text = "BEGIN:VCALENDAR\r\n"
      for _ in 0..<Int.random(in: 2..<60, using: &random) {
        let name =
          ["VEVENT", "VEVENT", "VTODO", "VAVAILABILITY"].randomElement(using: &random) ?? ""
        text += "BEGIN:\(name)\r\n"
        if Bool.random(using: &random) {
          text += "SUMMARY:\(Int.random(in: 0..<9, using: &random))\r\n"
        }
        if Int.random(in: 0..<8, using: &random) > 0 {
          let start = starts.randomElement(using: &random) ?? ""
          text += "UID:\(start)\(Int.random(in: 0..<30, using: &random))\r\n"
        }
        text += "END:\(name)\r\n"
      }
      try check(Array((text + "END:VCALENDAR\r\n").utf8))
    }
  }

  @Test("Components of several files, and changed ones, side by side")
  func mixed() throws {
    let fixtures = try Fixture.allCalendars().map(\.bytes)
    forAll(33) { random in
      var calendar = Component(.calendar)
      for _ in 0..<3 {
        guard let bytes = fixtures.randomElement(using: &random),
          let stream = try? CalendarStream(parsing: bytes)
        else { continue }
        let components = stream.calendars.flatMap { $0.components.prefix(5) }
        calendar.components += components.shuffled(using: &random)
      }
      for index in calendar.components.indices where Bool.random(using: &random) {
        calendar.components[index][.summary] = Property(.summary, text: "Changed; twice, \(index)")
      }
      try CanonicalOracle.check(calendar)
    }
  }

  @Test("A file that is folded as it should be, or at one octet more or less")
  func folds() throws {
    for length in 60...80 {
      for part in ["x", "ü", "🦊", #"\n"#, #"\\"#, "a\\,b"] {
        let value = String(repeating: "y", count: length - 60) + String(repeating: part, count: 150)
        let line = "DESCRIPTION:\(value)"
        var folded = ""
        var count = 0
        for scalar in line.unicodeScalars {
          count += String(scalar).utf8.count
          if count > length {
            folded += "\r\n "
            count = 1 + String(scalar).utf8.count
          }
          folded.unicodeScalars.append(scalar)
        }
        try check(Array("BEGIN:VCALENDAR\r\n\(folded)\r\nEND:VCALENDAR\r\n".utf8))
      }
    }
  }
}
