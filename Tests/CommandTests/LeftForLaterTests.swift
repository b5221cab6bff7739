// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What a sync tells, and how it ends, if not all could be done.
@Suite struct LeftForLaterTests {
  private static func text(_ uid: String, _ summary: String) -> String {
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260310T090000Z", "SUMMARY:\(summary)",
      "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  }

  private func write(_ uid: String, _ summary: String, to folder: String, _ sandbox: Sandbox) throws
  {
    try Data(Self.text(uid, summary).utf8).write(
      to: sandbox.folder.appending(path: "\(folder)/\(uid).ics"))
  }

  @Test(
    "What changed meanwhile is left for the next run, and the exit status is 75 until it is done")
  func deferred() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    for uid in ["a", "b"] { try write(uid, "Before", to: "cal", sandbox) }
    _ = try sandbox.run(
      "epact access club --grant full --purpose 'Tells the club which evenings are taken'")
    #expect(try sandbox.run("epact sync").status == 0)
    for uid in ["a", "b"] { try write(uid, "After", to: "cal", sandbox) }
    server.everything.contested = ["/ada/home/a.ics"]
    for _ in 1...2 {
      let result = try sandbox.run("epact sync")
      #expect(result.status == 75)
      #expect(result.output.contains("1 left for the next run"))
      #expect(server.items["/ada/home/a.ics"] == Self.text("a", "Before"))
      #expect(server.items["/ada/home/b.ics"] == Self.text("b", "After"))
      let json = try sandbox.run("epact sync --json -q").output
      #expect(json.replacing(" ", with: "").contains("\"exit\":75"))
      #expect(try sandbox.run("epact status").status == 75)
    }
    server.everything.contested = []
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(server.items["/ada/home/a.ics"] == Self.text("a", "After"))
    #expect(try sandbox.run("epact status").status == 0)
  }

  @Test("A download needs no more open files than there may be")
  func fewOpenFiles() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    for number in 1...150 {
      server.write(Self.text("\(number)", "There"), at: "/ada/home/\(number).ics")
    }
    _ = try sandbox.run(
      "epact access club --grant full --purpose 'Tells the club which evenings are taken'")
    let result = try sandbox.run("ulimit -n 64; epact sync")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("150 downloaded"))
  }

  @Test("A UID in two calendars of one account is told of with both places, and stays")
  func twoCalendars() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    try sandbox.add(
      "to-office", of: "work", in: "work", with: "office", at: "\(server.address)/ada/work/")
    for remote in ["club", "office"] {
      _ = try sandbox.run(
        "epact access \(remote) --grant full --purpose 'Tells the club which evenings are taken'")
    }
    try write("a", "At home", to: "cal", sandbox)
    try write("b", "At work", to: "work", sandbox)
    let apart = try sandbox.run("epact sync")
    #expect(apart.status == 0)
    #expect(!apart.errors.contains("two calendars"))
    try write("a", "At work, too", to: "work", sandbox)
    let result = try sandbox.run("epact sync")
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "warning: the UID a is in two calendars of one account, /ada/home/a.ics (to-club) and "
          + "/ada/work/a.ics (to-office): some servers refuse that"), "\(result.errors)")
    #expect(server.items.count == 3)
  }
}
