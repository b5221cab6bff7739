// SPDX-License-Identifier: Apache-2.0

import EpactConsole
import Testing

/// The lines of pages, and the failures of commands.
struct MessageTests {
  @Test("Elements above a limit are counted")
  func limited() {
    #expect([1, 2, 3, 4].limited(to: 2) { -$0 } == [1, 2, -2])
    #expect([1, 2].limited(to: 2) { -$0 } == [1, 2])
  }

  @Test("A failure with a subject keeps its status and its hint")
  func prefixedFailure() {
    let failure = Failure(.unavailable, "the server is down", hint: "Try again.").prefixed("home")
    #expect(failure.status == .unavailable)
    #expect(failure.hint?.plain == "Try again.")
    #expect(failure.line.plain == "home: the server is down. Try again.")
  }

  @Test("The problems of a rule have a caret below their position")
  func ruleProblem() throws {
    let (reading, problems) = RuleText("RRULE:FREQ=DAYLY").read(leniently: false)
    #expect(reading == nil)
    let lines = try #require(problems.first).plain.split(separator: "\n")
    #expect(lines.first?.hasPrefix("RRULE:1:12: error: ") == true)
    #expect(lines.dropFirst() == ["RRULE:FREQ=DAYLY", "           ^"])
  }
}
