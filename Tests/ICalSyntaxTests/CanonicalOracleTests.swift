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
    forAll(600) { random in
      guard var bytes = fixtures.randomElement(using: &random)?.bytes else { return }
      bytes.mutate(upTo: 20, using: &random)
      try check(bytes)
    }
  }

  @Test("Generated calendars, in memory, read, and read with other line ends")
  func generated() {
    forAll(300) { random in
      var generator = ComponentGenerator(random)
      let calendar = generator.calendar()
      try CanonicalOracle.check(calendar)
      let bytes = Serializer().bytes(of: calendar)
      try check(bytes)
      try check(bytes.filter { $0 != 0x0D })
      try check(Serializer(form: .canonical).bytes(of: calendar))
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
