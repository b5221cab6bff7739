// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import TestSupport
import Testing

/// What the program sends under each tier, seen by the server, and what it says about it itself.
@Suite(.timeLimit(.minutes(60))) struct AccessLogTests {
  /// A line of `epact access --log --json`.
  private struct Line: Decodable {
    var tier: String
    var effect: String
    var action: String
    var target: String
    var count: Int
  }

  private struct Log: Decodable {
    var requests: [Line]
  }

  private static let purpose = "--purpose 'Tells the club which evenings are taken'"

  /// How often each method is in the log.
  private func counts(_ lines: [Line]) -> [String: Int] {
    Dictionary(
      lines.map { (String($0.action.prefix { $0 != " " }), $0.count) }, uniquingKeysWith: +)
  }

  private func methods(_ server: PretendServer) -> [String: Int] {
    Dictionary(server.requests.map { ($0.method, 1) }, uniquingKeysWith: +)
  }

  private func log(_ sandbox: Sandbox) throws -> [Line] {
    let result = try sandbox.run("epact access --log --json")
    #expect(result.status == 0)
    return try JSONDecoder().decode(Log.self, from: Data(result.output.utf8)).requests
  }

  /// A calendar with three events and a reminder, and a server.
  private func scene(_ server: PretendServer) throws -> Sandbox {
    let sandbox = try Sandbox(syncingWith: server)
    for uid in ["a", "b", "c"] { try write(uid, in: sandbox) }
    try write("todo", component: "VTODO", in: sandbox)
    server.write(Self.text("theirs"), at: "/ada/home/theirs.ics")
    return sandbox
  }

  private static func text(
    _ uid: String, component: String = "VEVENT", summary: String = "S"
  ) -> String {
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:\(component)", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260310T090000Z", "SUMMARY:\(summary)",
      "END:\(component)", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  }

  private func write(
    _ uid: String, component: String = "VEVENT", summary: String = "S", in sandbox: Sandbox
  ) throws {
    try Data(Self.text(uid, component: component, summary: summary).utf8)
      .write(to: sandbox.folder.appending(path: "cal/\(uid).ics"))
  }

  @Test(
    "Without access nothing at all is sent, and the log is empty",
    arguments: ["", "--grant none", "restricted"])
  func nothing(answer: String) throws {
    let server = try PretendServer()
    let sandbox = try scene(server)
    var prefix = ""
    if answer == "restricted" {
      let policy = sandbox.folder.appending(path: "policy.toml")
      try Data("decided-by = \"the club\"\nmax-tier = \"none\"\n".utf8).write(to: policy)
      _ = try sandbox.run("epact access club --grant full \(Self.purpose)")
      prefix = "EPACT_POLICY=policy.toml "
    } else if !answer.isEmpty {
      #expect(try sandbox.run("epact access club \(answer)").status == 0)
    }
    for command in ["sync", "sync --dry-run", "access", "access --log", "access club"] {
      let status = try sandbox.run(prefix + "epact \(command)").status
      #expect(command.hasPrefix("sync") ? status == 77 : status == 0 || status == 77)
    }
    #expect(server.requests.isEmpty)
    #expect(try log(sandbox).isEmpty)
    #expect(server.items.count == 1)
  }

  @Test("Under write-only access nothing but conditional additions is sent, and all are in the log")
  func writeOnly() throws {
    let server = try PretendServer()
    let sandbox = try scene(server)
    // The place of one of them is taken, and what it holds cannot be compared.
    server.write(Self.text("b"), at: "/ada/home/b.ics")
    #expect(
      try sandbox.run("epact access club --grant write-only \(Self.purpose)").status == 0)
    let first = try sandbox.run("epact sync")
    // The reminder is left alone, although the sync wants it too.
    #expect(first.status == 1)
    #expect(first.output == "to-club: 2 added to the remote, 1 failed, 1 needs full access.\n")
    #expect(first.errors.contains("reminders need full access"))
    try write("a", summary: "edited here", in: sandbox)
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "cal/c.ics"))
    try write("d", in: sandbox)
    let second = try sandbox.run("epact sync")
    #expect(second.errors.contains("changing it there needs full access"))
    #expect(second.errors.contains("deleting it there needs full access"))
    for command in ["sync", "sync --dry-run", "conflicts", "access"] {
      _ = try sandbox.run("epact \(command)")
    }
    // The event whose place is taken is tried once more.
    #expect(server.requests.count == 5)
    for request in server.requests {
      #expect(request.method == "PUT")
      #expect(request["if-none-match"] == "*")
      #expect(request["if-match"] == nil)
    }
    let lines = try log(sandbox)
    #expect(lines.map(\.action) == ["PUT If-None-Match: *"])
    #expect(lines.map(\.target) == ["item"])
    #expect(lines.map(\.tier) == ["write-only"])
    #expect(counts(lines) == methods(server))
    #expect(server.items["/ada/home/a.ics"]?.contains("edited") == false)
    let expected = ["a", "b", "c", "d", "theirs"].map { "/ada/home/\($0).ics" }
    #expect(server.items.keys.sorted() == expected)
  }

  @Test("Under full access everything may be sent, and the log holds every class of it")
  func full() throws {
    let server = try PretendServer()
    let sandbox = try scene(server)
    #expect(try sandbox.run("epact access club --grant full \(Self.purpose)").status == 0)
    #expect(try sandbox.run("epact sync").status == 0)
    try write("a", summary: "edited here", in: sandbox)
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "cal/b.ics"))
    #expect(try sandbox.run("epact sync").status == 0)
    #expect(server.items["/ada/home/a.ics"]?.contains("edited") == true)
    #expect(server.items["/ada/home/b.ics"] == nil)
    let lines = try log(sandbox)
    #expect(counts(lines) == methods(server))
    #expect(Set(lines.map(\.tier)) == ["full"])
    #expect(Set(lines.map(\.effect)) == ["read", "add", "change"])
    for (method, effect) in [("PROPFIND", "read"), ("REPORT", "read"), ("DELETE", "change")] {
      let effects = lines.filter { $0.action.hasPrefix(method) }.map(\.effect)
      #expect(!effects.isEmpty && Set(effects) == [effect], "\(method)")
    }
    #expect(lines.contains { $0.action == "PUT If-None-Match: *" && $0.effect == "add" })
    #expect(lines.contains { $0.action == "PUT If-Match" && $0.effect == "change" })
    // What a dry run asks is not written down, since a dry run writes nothing.
    _ = try sandbox.run("epact sync --dry-run")
    #expect(counts(try log(sandbox)) == counts(lines))
  }

  @Test("Requests under an earlier grant stay apart from those under a later one")
  func raised() throws {
    let server = try PretendServer()
    let sandbox = try scene(server)
    #expect(
      try sandbox.run("epact access club --grant write-only \(Self.purpose)").status == 0)
    #expect(try sandbox.run("epact sync").status == 1)
    #expect(
      try sandbox.run("epact access club --grant full \(Self.purpose) --yes").status == 0)
    #expect(try sandbox.run("epact sync").status == 0)
    let lines = try log(sandbox)
    #expect(lines.filter { $0.tier == "write-only" }.map(\.action) == ["PUT If-None-Match: *"])
    #expect(lines.contains { $0.tier == "full" && $0.effect == "read" })
    // Everything was matched: what was added is there once, and is here still.
    #expect(server.items.count == 5)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.folder.appending(path: "cal").path)
    #expect(files.count { $0.hasSuffix(".ics") } == 5)
    let text = try sandbox.run("epact access --log club").output
    #expect(text.contains("add     added an item (PUT If-None-Match: *): 3 times"))
    #expect(!text.contains("a.ics") && !text.contains(PretendServer.password))
  }
}
