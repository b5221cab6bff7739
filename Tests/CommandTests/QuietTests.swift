// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A quiet run may be silent only if it ends with 0.
@Suite(.timeLimit(.minutes(60))) struct QuietTests {
  private static let grant = "epact access club --purpose 'Keeps a copy on a server' -q --grant"

  private func scene() throws -> (PretendServer, Sandbox) {
    let server = try PretendServer()
    let sandbox = try Sandbox(syncingWith: server)
    try Data(KillScene.text("a", "Planned").utf8).write(
      to: sandbox.folder.appending(path: "cal/a.ics"))
    return (server, sandbox)
  }

  @Test(arguments: ["full", "write-only"])
  func anUnreadableItemIsNamed(tier: String) throws {
    let (server, sandbox) = try scene()
    defer { server.waitUntilIdle() }
    _ = try sandbox.run("\(Self.grant) \(tier); echo nothing > cal/odd.ics")
    let result = try sandbox.run("epact sync -q")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.contains("odd.ics"))
  }

  @Test func anItemLeftForTheNextRunIsNamed() throws {
    let (server, sandbox) = try scene()
    _ = try sandbox.run("\(Self.grant) full; epact sync -q")
    try Data(KillScene.text("a", "Moved").utf8).write(
      to: sandbox.folder.appending(path: "cal/a.ics"))
    server.everything.contested = ["/ada/home/a.ics"]
    let result = try sandbox.run("epact sync -q")
    #expect(result.status == 75)
    #expect(result.output == "")
    #expect(result.errors.contains("\"Moved\" (a): it changed meanwhile"))
  }

  @Test func whatNeedsMoreAccessIsCounted() throws {
    let (server, sandbox) = try scene()
    defer { server.waitUntilIdle() }
    _ = try sandbox.run("\(Self.grant) write-only; epact sync -q")
    try Data(KillScene.text("a", "Moved").utf8).write(
      to: sandbox.folder.appending(path: "cal/a.ics"))
    let result = try sandbox.run("epact sync -q")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.contains("1 needs full access"))
  }

  @Test func aTakenPlaceIsNamedInEachRunWithACommandForACopy() throws {
    let (server, sandbox) = try scene()
    defer { server.waitUntilIdle() }
    let theirs = KillScene.text("a", "Theirs")
    server.everything.items["/ada/home/a.ics"] = theirs
    _ = try sandbox.run("\(Self.grant) write-only")
    for _ in 1...3 {
      let result = try sandbox.run("epact sync -q")
      #expect(result.status == 1)
      #expect(result.output == "")
      #expect(result.errors.contains("\"Planned\" (a): "))
      #expect(result.errors.contains("epact copy a CALENDAR"))
    }
    #expect(server.items["/ada/home/a.ics"] == theirs)
  }

  @Test func aDifferenceIsToldByTheStatusAlone() throws {
    let (_, sandbox) = try scene()
    try Data(KillScene.text("a", "Other").utf8).write(
      to: sandbox.folder.appending(path: "other.ics"))
    let result = try sandbox.run("epact diff --quiet cal/a.ics other.ics")
    #expect(result.status == 4)
    #expect(result.output + result.errors == "")
    #expect(try sandbox.run("epact diff cal/a.ics other.ics").output.contains("Other"))
    let json = try sandbox.run("epact diff --quiet --json cal/a.ics other.ics")
    #expect(json.status == 4)
    #expect(json.output.contains("Other"))
  }
}
