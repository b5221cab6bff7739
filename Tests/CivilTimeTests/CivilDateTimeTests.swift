// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct CivilDateTimeTests {
  /// A start, a duration, and the end on the same clock.
  struct Case: CustomTestStringConvertible {
    let start: String
    let duration: String
    let end: String?

    init(_ start: String, _ duration: String, _ end: String?) {
      self.start = start
      self.duration = duration
      self.end = end
    }

    var testDescription: String { "\(start) and \(duration)" }
  }

  static let cases = [
    Case("19970902T090000", "PT0S", "19970902T090000"),
    Case("19970902T090000", "P1D", "19970903T090000"),
    Case("19970902T090000", "-P1D", "19970901T090000"),
    Case("19970902T090000", "P15DT5H0M20S", "19970917T140020"),
    Case("19970902T090000", "PT36H", "19970903T210000"),
    Case("19961231T233000", "PT30M", "19970101T000000"),
    Case("19970301T000000", "-PT1S", "19970228T235959"),
    Case("19970902T090000", "P7W", "19971021T090000"),
    Case("99991231T235959", "PT1S", nil),
    Case("00010101T000000", "-PT1S", nil),
    Case("19970902T090000", "P2147483647W", nil),
    Case("20161231T235960", "PT1S", "20170101T000000"),
    Case("20161231T235960", "PT0S", "20161231T235960"),
  ]

  @Test("Adds durations on the wall clock", arguments: cases)
  func adding(_ example: Case) throws {
    let start = try CivilDateTime(parsing: example.start)
    let end = start.adding(try CivilDuration(parsing: example.duration))
    #expect(end?.description == example.end)
  }

  @Test("Seconds on the wall clock count from 1970 in both directions")
  func wallSeconds() throws {
    for (text, seconds) in [
      ("19700101T000000", 0), ("19691231T235959", -1), ("19691231T000000", -86_400),
      ("19970902T090000", 873_190_800), ("00010101T000000", -62_135_596_800),
      ("99991231T235959", 253_402_300_799),
    ] as [(String, Int64)] {
      let value = try CivilDateTime(parsing: text)
      #expect(value.wallSeconds == seconds)
      #expect(CivilDateTime(wallSeconds: seconds) == value)
    }
    #expect(CivilDateTime(wallSeconds: 253_402_300_800) == nil)
    #expect(CivilDateTime(wallSeconds: .max) == nil)
    #expect(CivilDateTime(wallSeconds: .min) == nil)
  }

  @Test("A leap second is kept as written and counts as the second before")
  func leapSecond() throws {
    let leap = try CivilDateTime(parsing: "20161231T235960")
    let before = try CivilDateTime(parsing: "20161231T235959")
    #expect(leap.description == "20161231T235960")
    #expect(leap.wallSeconds == before.wallSeconds)
    #expect(before < leap)
  }

  @Test("An offset ties a wall clock to a point in time")
  func instants() throws {
    let wall = try CivilDateTime(parsing: "19970902T090000")
    let offset = try UTCOffset(parsing: "-0400")
    let instant = wall.instant(at: offset)
    #expect(instant.description == "19970902T130000Z")
    #expect(instant.civil(at: offset) == wall)
    #expect(Instant(utc: wall).description == "19970902T090000Z")
    #expect(Instant(secondsSinceEpoch: .max).civil(at: .zero) == nil)
    #expect(Instant(secondsSinceEpoch: .min).description == "@-9223372036854775808")
    #expect(Instant(secondsSinceEpoch: .max).adding(seconds: 1) == nil)
  }
}
