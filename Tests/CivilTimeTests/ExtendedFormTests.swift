// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

/// Values in the extended form of ISO 8601, and durations that are built in code.
@Suite struct ExtendedFormTests {
  @Test("Dates and times are read in both forms")
  func forms() throws {
    #expect(try CivilDate(parsing: "2026-11-30") == CivilDate(parsing: "20261130"))
    let time = try CivilDateTime(parsing: "20261130T091500")
    for text in ["2026-11-30T09:15:00", "2026-11-30T09:15"] {
      #expect(try CivilDateTime(parsing: text) == time)
    }
  }

  @Test(
    "An error names the place in the text",
    arguments: [
      ("2026-13-30", 5, "a month from 01 through 12"), ("2026-11-31", 8, nil),
      ("20261330", 4, "a month from 01 through 12"),
    ])
  func errors(_ text: String, _ offset: Int, _ expected: String?) throws {
    let error = try #require(throws: BasicFormatError.self) { try CivilDate(parsing: text) }
    #expect(error.offset == offset)
    if let expected { #expect(error.expected == expected) }
  }

  @Test(
    "Mixed forms are refused", arguments: ["2026-1130", "202611-30", "2026/11/30", "2026-11-3"])
  func mixed(_ text: String) {
    #expect(throws: BasicFormatError.self) { try CivilDate(parsing: text) }
  }

  @Test("A duration is built from one part, with its sign")
  func durations() throws {
    let rows: [(CivilDuration, String)] = [
      (.minutes(10), "PT10M"), (-.minutes(10), "-PT10M"), (.minutes(-10), "-PT10M"),
      (.hours(2), "PT2H"), (.days(1), "P1D"), (.weeks(-3), "-P3W"), (.seconds(0), "PT0S"),
    ]
    for (duration, text) in rows { #expect(try duration == CivilDuration(parsing: text)) }
    #expect(CivilDuration.seconds(.min) == -.seconds(CivilDuration.greatestPart))
  }
}
