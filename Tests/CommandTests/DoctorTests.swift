// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the doctor asks of a server, and what it hears.
@Suite(.timeLimit(.minutes(20))) struct DoctorTests {
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
