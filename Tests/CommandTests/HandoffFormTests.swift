// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The form of a prepared event, on a terminal of its own.
@Suite(.timeLimit(.minutes(60))) struct HandoffFormTests {
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

  @Test("The values of the event can be edited first, until they can be read")
  func editing() throws {
    try write("#!/bin/sh\nsed -i s/Ana/Bea/ \"$1\"\n", to: "editor")
    _ = try sandbox.run("chmod +x editor")
    #expect(try form("edit\\nyes\\n", "EDITOR=./editor").status == 0)
    #expect(try saved(in: "home").contains("SUMMARY:Lunch with Bea"))
    // The second text has the error of the first one at its begin.
    try write(
      """
      #!/bin/sh
      grep -q '^# error' "$1" && sed -i 's/^when:.*/when: 2026-11-26 18:00-19:00/' "$1" && exit
      sed -i 's/^when:.*/when: some day/' "$1"

      """, to: "editor")
    #expect(try form("edit\\nwork\\n", "EDITOR=./editor").status == 0)
    #expect(try saved(in: "work").contains("DTSTART:20261126T180000"))
  }

  /// Runs another form on a terminal, types the answers, and returns the standard output.
  private func output(
    of options: String, _ answers: String
  ) throws -> (status: Int32, screen: String, lines: [String]) {
    let result = try sandbox.run(
      "printf '\(answers)' | script -qec 'epact handoff \(options) >out' /dev/null")
    let out = try sandbox.run("cat out").output
    return (result.status, result.output, out.split(separator: "\n").map(String.init))
  }

  @Test("The user chooses calendars by number or name, and the program gets their identifiers")
  func choosing() throws {
    let home = try output(of: "--choose events", "1\\n")
    #expect(home.status == 0 && home.lines.count == 1 && home.lines[0].count == 36)
    #expect(home.screen.contains("home") && home.screen.contains("On This Computer"))
    let work = try output(of: "--choose events --writable", "work\\n")
    #expect(work.lines.count == 1 && work.lines != home.lines)
    let both = try output(of: "--choose reminders --several", "2, 1\\n")
    #expect(both.lines == home.lines + work.lines)
    #expect(try output(of: "--choose events --several", "all\\n").lines == both.lines)
    // Several numbers are no answer to the question for one calendar.
    let refused = try output(of: "--choose events", "1 2\\nno\\n")
    #expect(refused.status == 2 && refused.lines.isEmpty)
  }

  @Test("An event or an occurrence is shown until the user closes it")
  func showing() throws {
    try write(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nBEGIN:VEVENT\r\nUID:daily\r
      DTSTAMP:20261101T000000Z\r\nDTSTART:20261125T123000Z\r\nDTEND:20261125T133000Z\r
      SUMMARY:Stand-up\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\nEND:VCALENDAR\r

      """, to: "cals/home/daily.ics")
    let series = try output(of: "--show daily --calendar home", "\\n")
    #expect(series.status == 0 && series.lines.isEmpty)
    #expect(series.screen.contains("Stand-up") && series.screen.contains("25"))
    let later = try output(of: "--show daily --calendar home --at 20261127T123000Z", "\\n")
    #expect(later.screen.contains("27") && !later.screen.contains("It repeats"))
    #expect(try output(of: "--show other --calendar home", "\\n").status == 2)
    #expect(try output(of: "--show daily --calendar work", "\\n").status == 2)
    #expect(
      try output(of: "--show daily --calendar home --at 20261127T100000Z", "\\n").status == 2)
  }

  @Test("An event is changed or deleted if that is allowed, and the program learns of a deletion")
  func editable() throws {
    _ = try sandbox.run("cp lunch.ics cals/home/lunch.ics")
    try write("#!/bin/sh\nsed -i s/Ana/Bea/ \"$1\"\n", to: "editor")
    _ = try sandbox.run("chmod +x editor")
    let options = "--show lunch --calendar home --editable"
    let closed = try output(of: options, "\\n")
    #expect(closed.status == 0 && closed.lines.isEmpty)
    let result = try sandbox.run(
      "printf 'edit\\n' | EDITOR=./editor script -qec 'epact handoff \(options) >out' /dev/null")
    #expect(result.status == 0)
    #expect(try sandbox.run("cat out").output == "")
    #expect(try saved(in: "home").contains("SUMMARY:Lunch with Bea"))
    let deleted = try output(of: options, "delete\\n")
    #expect(deleted.status == 0 && deleted.lines == ["deleted"])
    #expect(try saved(in: "home").isEmpty)
  }

  @Test(
    "Options of different forms are not combined",
    arguments: [
      "", "--choose events --show a --calendar b", "--choose events x.ics", "--show a", "--several",
      "--show a --calendar b --at never", "--choose events --json", "--calendar b", "--editable",
      "--choose events --editable",
    ])
  func combinations(_ options: String) throws {
    #expect(try sandbox.run("epact handoff \(options) </dev/null").status == 64)
  }

  @Test("Without a terminal, the form is a page, whose address the browser gets")
  func page() throws {
    try write("#!/bin/sh\necho \"$1\" >address\nkill -TERM $PPID\n", to: "browser")
    _ = try sandbox.run("chmod +x browser")
    let result = try sandbox.run("BROWSER=$DIR/browser epact handoff --form lunch.ics </dev/null")
    #expect(result.status == 2, "a signal is no answer")
    #expect(result.output.isEmpty)
    let address = try sandbox.run("cat address").output
    #expect(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/\?key=[0-9a-f]{64}\n/) != nil)
    #expect(result.errors.contains("the form is at \(address)"))
    let missing = try sandbox.run(
      "BROWSER=$DIR/browser epact handoff --show x --calendar home </dev/null")
    #expect(missing.status == 2 && missing.errors == "epact: there is no such event\n")
    _ = try sandbox.run("rm config/epact/config.toml")
    let none = try sandbox.run("BROWSER=$DIR/browser epact handoff --form - <lunch.ics")
    #expect(none.status == 78 && none.errors.contains("no calendar"))
  }

  @Test("Without a terminal, without a calendar and for several events there is no form")
  func failures() throws {
    let result = try sandbox.run("epact handoff --form lunch.ics </dev/null")
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "there is no terminal to show the form on, and no browser to open"))
    for options in ["--choose events", "--show lunch --calendar home"] {
      let other = try sandbox.run("epact handoff \(options) </dev/null")
      #expect(other.status == 2 && other.errors.contains("no browser to open"))
    }
    _ = try sandbox.run("sed 's/UID:lunch/UID:other/' lunch.ics >other.ics")
    #expect(try sandbox.run("epact handoff --form lunch.ics other.ics").status == 64)
    _ = try sandbox.run("rm config/epact/config.toml")
    #expect(try form("yes\\n").status == 78)
  }
}
