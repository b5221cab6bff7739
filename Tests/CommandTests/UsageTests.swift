// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EpactConsole
import Testing

@testable import EpactCommands

/// Command lines that the parser of arguments accepts, and that do not say what is meant.
struct UsageTests {
  @Test(arguments: [
    ["delete", "gym", "--this", "2026-12-03", "--this", "2026-12-04"],
    ["edit", "gym", "--start", "8:00", "--start=9:00"],
    ["agenda", "--where", "title:a", "--where", "title:b"],
    ["export", "home", "-o", "a.ics", "--output", "b.ics", "-o", "c.ics"],
    ["calendars", "create", "c", "--config", "a", "--config", "b"],
  ])
  func anOptionWithOneValueIsGivenOnce(_ words: [String]) throws {
    let failure = try #require(throws: Failure.self) { try Usage.parse(words) }
    #expect(failure.status == .usage)
    #expect("\(failure)".contains("is given more than once, and takes one value"))
  }

  @Test(arguments: [
    [
      "new", "Gym", "fri", "9:00", "--alarm", "15m", "--alarm", "1d", "--category", "a",
      "--category", "b",
    ],
    ["sync", "-v", "-v", "--verbose"],
    ["agenda", "--where", "title:--where"],
  ])
  func repeatableOptionsAndValuesMayOccurTwice(_ words: [String]) {
    #expect(throws: Never.self) { try Usage.parse(words) }
  }

  @Test func aTitleOfSeveralWordsBesideACalendarIsNamed() {
    let words = ["move", "lunch", "with", "--to", "work"]
    let error = #expect(throws: (any Error).self) { try Usage.parse(words) }
    let message = error.map { EpactCommand.fullMessage(for: $0) } ?? ""
    #expect(message.contains("a title of several words is in quotation marks"))
  }
}
