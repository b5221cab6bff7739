// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What is said of a sync that a signal ended, then and later.
@Suite(.timeLimit(.minutes(60))) struct InterruptionTests {
  private func scene() throws -> (PretendServer, Sandbox) {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    for uid in ["a", "b", "c"] {
      try Data(KillScene.text(uid, "Planned").utf8).write(
        to: sandbox.folder.appending(path: "cal/\(uid).ics"))
    }
    _ = try sandbox.run("epact access club --grant full --purpose 'Keeps a copy on a server'")
    server.everything.stalled = ["/ada/home/c.ics"]
    server.everything.mark = sandbox.folder.appending(path: "stalled").path
    return (server, sandbox)
  }

  /// Waits until the server has what it does not answer.
  private static let untilStalled =
    "for i in $(seq 12000); do [ -e stalled ] && break; sleep 0.05; done"

  /// Starts a sync, and ends it once the server got what it does not answer.
  private func interrupt(
    _ server: PretendServer, _ sandbox: Sandbox, by signal: String
  ) throws -> Sandbox.Result {
    try sandbox.run(
      """
      epact sync --jobs 1 & epact=$!
      \(Self.untilStalled); kill -\(signal) $epact; wait $epact; status=$?
      rm stalled; exit $status
      """)
  }

  @Test(arguments: ["INT", "TERM"])
  func anInterruptedFirstRunSaysSoInOneLineAndIsCalledThat(signal: String) throws {
    let (server, sandbox) = try scene()
    let result = try interrupt(server, sandbox, by: signal)
    #expect(result.status == 130)
    #expect(
      result.errors
        == "error: interrupted: what was done until then stays, and the next sync goes on\n")
    let status = try sandbox.run("epact status")
    #expect(status.output.contains("to-club: interrupted; last run"))
    #expect(status.status == 130)
    let history = try sandbox.run("epact history")
    #expect(history.output.contains("interrupted"))
    #expect(try sandbox.run("epact history --json").output.contains("\"endedAt\": null"))
    server.waitUntilIdle()
    server.everything.stalled = []
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(server.items.count == 3)
    #expect(try sandbox.run("epact status").output.contains("to-club: in order"))
  }

  @Test func aKilledFirstRunIsCalledInterruptedToo() throws {
    let (server, sandbox) = try scene()
    let result = try interrupt(server, sandbox, by: "KILL")
    #expect(result.status == 137)
    let status = try sandbox.run("epact status")
    #expect(status.output.contains("to-club: interrupted; last run began"))
    #expect(status.status == 130)
    #expect(try sandbox.run("epact history").output.contains("interrupted"))
    server.waitUntilIdle()
  }

  @Test func aRunThatGoesOnIsNotCalledInterrupted() throws {
    let (server, sandbox) = try scene()
    let result = try sandbox.run(
      "epact sync -q & \(Self.untilStalled); epact status; epact history; rm stalled; wait")
    #expect(result.output.contains("to-club: running since"))
    #expect(result.output.contains("not finished"))
    #expect(!result.output.contains("interrupted"))
    server.waitUntilIdle()
  }

  /// Runs a command, sends it a signal a second after it has begun, and kills it when it does not end.
  private func endings(_ sandbox: Sandbox, of command: String, by signal: String) throws -> String {
    try sandbox.run(
      """
      mkfifo full empty; sleep 900 <full & reader=$!
      \(command) & epact=$!
      (\(Sandbox.untilItEndsBySignals); sleep 1; kill -\(signal) $epact; sleep 300
        kill -KILL $epact) >killed 2>&1 & killer=$!
      wait $epact; status=$?; kill $killer $reader; echo "status $status"
      """
    ).output
  }

  @Test(arguments: ["INT", "TERM"])
  func aRunThatIsStuckEndsAfterASignalToo(signal: String) throws {
    let day = "--from 2026-01-01 --to 2027-01-01"
    let commands = [
      // The reader of the output reads nothing.
      "epact occurrences seconds.ics \(day) >full", "epact convert many.ics --to jcal >full",
      // A named pipe has no writer.
      "epact check empty", "epact agenda ./empty", "epact freebusy ./empty",
      "epact diff empty many.ics",
      "epact merge empty empty empty", "epact status --config empty",
    ]
    for command in commands {
      let sandbox = try Sandbox()
      let start = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n"
      let event = "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:x\r\n"
      let seconds = event + "DTSTART:20260101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nEND:VEVENT\r\n"
      let single = event + "DTSTART:20260101T000000Z\r\nEND:VEVENT\r\n"
      try Data((start + seconds + "END:VCALENDAR\r\n").utf8).write(
        to: sandbox.folder.appending(path: "seconds.ics"))
      let many = String(repeating: single, count: 5_000)
      try Data((start + many + "END:VCALENDAR\r\n").utf8).write(
        to: sandbox.folder.appending(path: "many.ics"))
      #expect(
        try endings(sandbox, of: command, by: signal).hasSuffix("status 130\n"), "\(command)")
    }
  }

  @Test(arguments: ["INT", "TERM"])
  func aRunEndsAfterASignalWhileAnAnswerNeverEnds(signal: String) throws {
    let start =
      "HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\nDAV: 1, calendar-access\r\n"
    let root = "Connection: close\r\n\r\n<d:multistatus xmlns:d=\"DAV:\">"
    let response = "<d:response><d:href>/c/a.ics</d:href></d:response>"
    for piece in ["<d:x/>", "<d:x>", "text", "<!---->", "<d:x><![CDATA[<>]]></d:x>", response] {
      let large = LoopbackServer.Step.send(
        String(repeating: piece, count: 4_000_000 / piece.utf8.count))
      let small = [LoopbackServer.Step.pause(milliseconds: 20), .send(piece)]
      let server = try LoopbackServer { _ in
        [.send(start + root), large] + (0..<2_000).flatMap { _ in small } + [.close]
      }
      defer { server.stop() }
      let sandbox = try Sandbox()
      try sandbox.add(
        "to-club", of: "mine", in: "cal", with: "club", at: "http://127.0.0.1:\(server.port)/c/")
      _ = try sandbox.run("epact access club --grant full --purpose 'Keeps a copy on a server'")
      let ending = try endings(sandbox, of: "epact sync", by: signal)
      #expect(ending.hasSuffix("status 130\n"), "\(piece): \(ending)")
      #expect(!server.requests.isEmpty)
    }
  }
}
