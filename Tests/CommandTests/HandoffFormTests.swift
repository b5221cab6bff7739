// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The form of a prepared event, on a terminal of its own.
@Suite(.timeLimit(.minutes(20))) struct HandoffFormTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    _ = try sandbox.run("mkdir -p cals/home cals/work config/epact && chmod 700 config/epact")
    let tables = ["home", "work"].map { "[calendar.\($0)]\npath = \"~/cals/\($0)\"\n" }
    try write(tables.joined(), to: "config/epact/config.toml")
    _ = try sandbox.run("chmod 600 config/epact/config.toml")
    try write(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:lunch\r
      DTSTAMP:20261101T000000Z\r\nDTSTART:20261125T123000\r\nDTEND:20261125T133000\r
      SUMMARY:Lunch with Ana\r\nLOCATION:Café\r\nEND:VEVENT\r\nEND:VCALENDAR\r

      """, to: "lunch.ics")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: sandbox.folder.appending(path: name))
  }

  /// Runs the form on a terminal, and types the answers.
  private func form(_ answers: String, _ environment: String = "") throws -> Sandbox.Result {
    try sandbox.run(
      "printf '\(answers)' | \(environment) script -qec 'epact handoff --form lunch.ics' /dev/null")
  }

  private func saved(in calendar: String) throws -> String {
    try sandbox.run("cat cals/\(calendar)/*.ics 2>/dev/null").output
  }

  @Test("The event is shown, and saved in the default calendar or in another one")
  func saving() throws {
    let result = try form("yes\\n")
    #expect(result.status == 0)
    #expect(result.output.contains("Lunch with Ana"))
    #expect(result.output.contains("Café"))
    #expect(try saved(in: "home").contains("SUMMARY:Lunch with Ana"))
    #expect(try form("work\\n").status == 0)
    #expect(try saved(in: "work").contains("UID:lunch"))
    #expect(try sandbox.run("epact undo 2").status == 0)
    #expect(try saved(in: "work").isEmpty)
  }

  @Test("Nothing is saved if the user answers no, or nothing", arguments: ["no\\n", "\\n"])
  func dismissing(_ answer: String) throws {
    #expect(try form(answer).status == 2)
    #expect(try saved(in: "home").isEmpty)
  }

  @Test("The event can be edited first")
  func editing() throws {
    try write("#!/bin/sh\nsed -i s/Ana/Bea/ \"$1\"\n", to: "editor")
    _ = try sandbox.run("chmod +x editor")
    #expect(try form("edit\\nyes\\n", "EDITOR=./editor").status == 0)
    #expect(try saved(in: "home").contains("SUMMARY:Lunch with Bea"))
  }

  @Test("Without a terminal, without a calendar and for several events there is no form")
  func failures() throws {
    let result = try sandbox.run("epact handoff --form lunch.ics </dev/null")
    #expect(result.status == 2)
    #expect(result.errors.contains("there is no terminal"))
    _ = try sandbox.run("sed 's/UID:lunch/UID:other/' lunch.ics >other.ics")
    #expect(try sandbox.run("epact handoff --form lunch.ics other.ics").status == 64)
    _ = try sandbox.run("rm config/epact/config.toml")
    #expect(try form("yes\\n").status == 78)
  }
}
