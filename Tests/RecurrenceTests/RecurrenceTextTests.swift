// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import Recurrence
import Testing

/// Texts as people copy them from files: a rule with its name, or with its start.
@Suite("Rules as text")
struct RecurrenceTextTests {
  @Test("The name of the property may precede a rule", arguments: ["RRULE:", "rrule:", ""])
  func name(_ name: String) throws {
    let rule = try RecurrenceRule(parsing: name + "FREQ=WEEKLY;BYDAY=MO")
    #expect(rule == RecurrenceRule(.weekly, on: [.monday]))
  }

  @Test("Only one name may precede it")
  func twoNames() {
    #expect(throws: RecurrenceRuleIssue.self) {
      try RecurrenceRule(parsing: "RRULE:RRULE:FREQ=DAILY")
    }
  }

  private func times(_ lines: String...) throws -> [String] {
    try RecurrenceSet(parsing: lines.joined(separator: "\n")).instances().prefix(5)
      .map { $0.local.description }
  }

  @Test("A start, rules, dates and exclusions")
  func sets() throws {
    #expect(
      try times(
        "DTSTART;TZID=Europe/Berlin:20261130T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3",
        "EXDATE;TZID=Europe/Berlin:20261207T090000", "RDATE:20261201T110000Z")
        == ["20261130T090000", "20261201T120000", "20261214T090000"])
    #expect(
      try times("DTSTART;VALUE=DATE:20261130", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20261130")
        == ["20261201T000000"])
    #expect(
      try times("DTSTART:20261130T090000Z\r", "RDATE:20261201T090000Z,20261202T090000Z").count == 3)
  }

  @Test(
    "An error names its line",
    arguments: [
      ("RRULE:FREQ=DAILY", "line 1: expected one DTSTART line, found none"),
      ("DTSTART:20261130T090000\nSUMMARY:Tea", "line 2: expected DTSTART, RRULE,"),
      ("DTSTART:20261130T090000\nRRULE:FREQ=OFTEN", "line 2: expected "),
      ("DTSTART:tomorrow", "line 1: expected "),
      ("DTSTART;TZID=Nowhere/City:20261130T090000", "line 1: time zone \"Nowhere/City\""),
      ("DTSTART", "line 1: expected a colon after the name, found \"DTSTART\""),
    ])
  func errors(_ text: String, _ message: String) {
    let error = #expect(throws: RecurrenceTextError.self) { try RecurrenceSet(parsing: text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
  }

  @Test("A rule is coded as its canonical text")
  func coding() throws {
    let rule = RecurrenceRule(.weekly, on: [.monday], count: 10)
    let data = try JSONEncoder().encode([rule])
    #expect(String(decoding: data, as: UTF8.self) == #"["FREQ=WEEKLY;COUNT=10;BYDAY=MO"]"#)
    #expect(try JSONDecoder().decode([RecurrenceRule].self, from: data) == [rule])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RecurrenceRule].self, from: Data(#"["FREQ=OFTEN"]"#.utf8))
    }
  }
}
