// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("The examples of the RFCs")
struct ExampleTests {
  @Test("RFC 5545 §3.8.5.3 and §3.3.10", arguments: try Example.read("recurrence/rfc5545.txt"))
  func rfc5545(_ example: Example) throws {
    try check(example)
  }

  @Test("RFC 7529 §4.3", arguments: try Example.read("recurrence/rfc7529.txt"))
  func rfc7529(_ example: Example) throws {
    try check(example)
  }

  @Test("What a rule means", arguments: try Example.read("recurrence/semantics.txt"))
  func semantics(_ example: Example) throws {
    try check(example)
  }

  private func check(_ example: Example) throws {
    let rule = try #require(example.rules.first)
    let expansion = try Expansion(
      rule, from: example.start, zone: example.zone,
      options: example.options(calendars: TestCalendar.all))
    let excluded = Set(example.others.filter { $0.name == "EXDATE" }.map(\.value))
    let found = expansion.texts(example.expected.count + 1, asDates: example.startsOnDate)
      .filter { !excluded.contains($0) }
    if example.goesOn {
      #expect(found.count == example.expected.count + 1)
      #expect(Array(found.prefix(example.expected.count)) == example.expected)
    } else {
      #expect(found == example.expected)
    }
  }

  @Test("The files are read whole")
  func counts() throws {
    let examples = try Example.read("recurrence/rfc5545.txt")
    #expect(examples.count == 44)
    #expect(examples.allSatisfy { !$0.expected.isEmpty && $0.zone == "America/New_York" })
    #expect(try Example.read("recurrence/rfc7529.txt").count == 5)
  }
}
