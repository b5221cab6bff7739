// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

/// What the doctor asks of a server, and what it hears.
@Suite(.timeLimit(.minutes(60))) struct DoctorTests {
  private func grant(_ tier: String, in sandbox: Sandbox) throws {
    let command =
      "epact access club --grant \(tier) --purpose 'Tells the club what is planned here'"
    #expect(try sandbox.run(command).status == 0)
  }

  @Test(arguments: ["", "none", "write-only", "full --offline"])
  func nothingIsAskedThatTheAccessDoesNotAllow(words: String) throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    let tier = words.prefix { $0 != " " }
    if !tier.isEmpty { try grant(String(tier), in: sandbox) }
    let result = try sandbox.run("epact doctor\(words.dropFirst(tier.count))")
    // A sync that wants full access does less under less.
    #expect(result.status == (["full", "none"].contains(tier) ? 0 : 4))
    #expect(result.output.contains("access club"))
    #expect(server.requests.isEmpty)
    let log = try sandbox.run("epact access --log --json").output
    #expect(log.contains("\"requests\": [],") && log.contains("\"uses\": []"))
  }

  @Test("A feed is requested, and one that is gone or no calendar is an error")
  func feeds() throws {
    let answer = Mutex((status: 200, body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"))
    let server = try LoopbackServer { _ in
      let (status, body) = answer.withLock { $0 }
      return [.answer("\(status) Answer", body: body)]
    }
    defer { server.stop() }
    let sandbox = try Sandbox()
    let address = "http://127.0.0.1:\(server.port)/a.ics"
    #expect(try sandbox.run("epact subscribe \(address) --name a --yes && epact sync").status == 0)
    let good = try sandbox.run("epact doctor")
    #expect(good.status == 0 && good.output.contains("the feed is there, with 0 items"))
    for (status, body) in [(404, "gone"), (200, "<html>Login</html>"), (500, "")] {
      answer.withLock { $0 = (status, body) }
      let bad = try sandbox.run("epact doctor")
      #expect(
        bad.status != 0 && !bad.output.contains("the feed is there"), "\(status): \(bad.output)")
    }
    server.stop()
    #expect(try sandbox.run("epact doctor").status == 75)
  }

  @Test("Calendars with one folder and syncs that mix calendars in one remote are named")
  func shared() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(
      """
      mkdir -p config/epact cals/home cals/work disk; chmod 700 config/epact
      for name in home house work; do printf '[calendar.%s]\npath = "~/cals/%s"\n' $name \
      $(echo $name | sed s/house/home/); done > config/epact/config.toml
      for name in home work; do printf '[[sync]]\nname = "%s"\ncalendar = "%s"\nremote = "disk"\n' \
      $name $name; done >> config/epact/config.toml
      printf '[remote.disk]\nkind = "folder"\npath = "~/disk"\n' >> config/epact/config.toml
      chmod 600 config/epact/config.toml
      epact access disk --grant full --purpose 'Keeps a copy on a disk'; epact doctor --offline
      """)
    #expect(result.output.contains("the calendars home and house have the same folder"))
    #expect(result.output.contains("the syncs home and work have the same remote"))
  }

  @Test func aWriteOfTheLedgerThatWasCutOffIsTakenBack() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run(
      """
      mkdir -p config/epact cals/home disk; chmod 700 config/epact; printf '[calendar.home]\npath = \
      "~/cals/home"\n[remote.disk]\nkind = "folder"\npath = "~/disk"\n[[sync]]\nname = "disk"\n\
      calendar = "home"\nremote = "disk"\n' > config/epact/config.toml; chmod 600 config/epact/config.toml
      epact access disk --grant full --purpose 'Keeps a copy on a disk'; epact sync
      """)
    let code = """
      import os, sqlite3
      database = sqlite3.connect("state/epact/ledger.sqlite")
      database.isolation_level = None
      database.execute("PRAGMA journal_mode = PERSIST")
      database.execute("PRAGMA cache_size = 2")
      database.execute("BEGIN IMMEDIATE")
      database.execute("CREATE TABLE filler (bytes)")
      for _ in range(200): database.execute("INSERT INTO filler VALUES (zeroblob(10000))")
      os.kill(os.getpid(), 9)
      """
    try Data(code.utf8).write(to: sandbox.folder.appending(path: "kill.py"))
    for command in ["status", "history", "access --log", "doctor --offline"] {
      let before = try sandbox.run("epact \(command)").output
      let result = try sandbox.run("python3 kill.py 2>/dev/null; epact \(command)")
      #expect(result.status == 0, "\(command): \(result.errors)\(result.output)")
      #expect(!result.errors.contains("interrupted"), "\(command): \(result.errors)")
      #expect(result.output.contains("clock") || result.output == before, "\(command)")
    }
  }

  @Test func aRestrictionThatKeepsASyncFromWorkingIsAnError() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    try grant("full", in: sandbox)
    for (most, status) in [("none", Int32(77)), ("write-only", 4)] {
      let policy =
        "printf 'decided-by = \"the club\"\\nmax-tier = \"\(most)\"\\n' > policy.toml; "
        + "export EPACT_POLICY=policy.toml"
      let result = try sandbox.run("\(policy); epact doctor")
      #expect(result.status == status)
      #expect(!result.output.contains("ok       access club"))
      #expect(result.output.contains("restricted to \(most) by the club"))
      guard most == "none" else { continue }
      #expect(try sandbox.run("\(policy); epact sync").status == status)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func underFullAccessTheServerIsAskedAndHeard() throws {
    let server = try PretendServer(fields: [
      "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Server: SOGo/5.8 \u{9B}2J",
    ])
    let sandbox = try Sandbox(syncingWith: server)
    try grant("full", in: sandbox)
    let result = try sandbox.run("epact doctor")
    // A clock that is wrong is a finding; no sync depends on it.
    #expect(result.status == 4)
    #expect(result.output.contains("reachability club: the calendar is there"))
    #expect(result.output.contains("ahead of the server"))
    #expect(result.output.contains("replaces and deletes whatever the conditions"))
    #expect(!result.output.contains("\u{9B}"))
    #expect(!server.requests.isEmpty)
    #expect(server.requests.allSatisfy { $0.method == "PROPFIND" })
    #expect(try sandbox.run("epact access --log").output.contains("calendar (PROPFIND"))
  }

  @Test func aServerBehindAnotherIsKnownByItsOwnHeader() throws {
    let server = try PretendServer(fields: [
      "Server: Apache/2.4.66 (Debian)", "X-DAViCal-Version: DAViCal/1.1.12; DB/1.3.5",
    ])
    let sandbox = try Sandbox(syncingWith: server)
    try grant("full", in: sandbox)
    let result = try sandbox.run("epact doctor")
    #expect(result.output.contains("DAViCal/1.1.12"))
    #expect(result.output.contains("answers a sync token that it does not know with everything"))
  }

  @Test func aRefusedPasswordIsToldWithoutIt() throws {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server, password: "wrong-horse")
    try grant("full", in: sandbox)
    let result = try sandbox.run("epact doctor -vv")
    #expect(result.status == 77)
    #expect(result.output.contains("error    reachability club"))
    #expect(!(result.output + result.errors).contains("wrong-horse"))
  }
}
