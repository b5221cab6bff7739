// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A migration of each kind of storage, with the status of the real vdirsyncer.
@Suite(.timeLimit(.minutes(60))) struct VdirsyncerStorageTests {
  private static let program = Sandbox.fixtures.deletingLastPathComponent()
    .appending(path: ".build/servers/bin/vdirsyncer").path

  private let server: ServerProcess
  private let sandbox: Sandbox

  init() async throws {
    server = try await ServerProcess(.radicale)
    sandbox = try Sandbox()
  }

  private func run(_ command: String) throws -> String {
    let result = try sandbox.run(command)
    try #require(result.status == 0, "\(command): \(result.output) \(result.errors)")
    return result.output + result.errors
  }

  private func write(_ uids: String..., to name: String) throws {
    let file = sandbox.folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let texts = uids.map { KillScene.text($0, $0.capitalized) }
    try Data(texts.joined().utf8).write(to: file)
  }

  /// A pair with its storages, as `type` and further lines.
  private static func pair(
    _ name: String, _ collections: String, _ first: String, _ second: String
  ) -> String {
    """
    [pair \(name)]
    a = "\(name)_a"
    b = "\(name)_b"
    collections = \(collections)
    [storage \(name)_a]
    type = \(first)
    [storage \(name)_b]
    type = \(second)

    """
  }

  private static func folder(_ path: String) -> String {
    "\"filesystem\"\npath = \"~/\(path)\"\nfileext = \".ics\""
  }

  private func remote(_ type: String, _ path: String = "") -> String {
    """
    "\(type)"
    url = "\(server.root)\(path)"
    username = "\(ServerProcess.user)"
    password = "\(ServerProcess.password)"
    """
  }

  /// Writes the configuration of vdirsyncer, and syncs twice with it.
  private func sync(_ pairs: String...) throws {
    let text = "[general]\nstatus_path = \"~/status/\"\n" + pairs.joined()
    _ = try run("mkdir -p config/vdirsyncer")
    try Data(text.utf8).write(to: sandbox.folder.appending(path: "config/vdirsyncer/config"))
    _ = try run(
      "yes | \(Self.program) discover && \(Self.program) sync && \(Self.program) sync")
  }

  /// The writes that the server received from this program.
  private func writes() -> [String] {
    server.log.split(separator: "\n").filter {
      ($0.contains("PUT request for") || $0.contains("DELETE request for"))
        && $0.contains("epact")
    }.map(String.init)
  }

  private func ask(_ method: String, _ path: String, _ options: String = "") throws {
    _ = try run(
      "curl -sSf -A other/0 -u \(ServerProcess.user):\(ServerProcess.password) -X \(method) "
        + "\(options) '\(server.root)\(path)'")
  }

  @Test func aPublishedCalendarAndOneInAFileAreMatched() throws {
    for path in ["alice/feed/", "alice/exact/", "alice/x/"] { try ask("MKCALENDAR", path) }
    for name in ["one", "two"] {
      try write(name, to: "feed.ics")
      try ask(
        "PUT", "alice/feed/\(name).ics", "-H 'Content-Type: text/calendar' --data-binary @feed.ics")
    }
    try write("single", "double", to: "cal/single.ics")
    try write("x", to: "cal/files/x.ics")
    _ = try run("mkdir -p cal/feed")
    try sync(
      Self.pair("feed", "null", remote("http", "alice/feed/"), Self.folder("cal/feed")),
      Self.pair(
        "single", "null", "\"singlefile\"\npath = \"~/cal/single.ics\"",
        remote("caldav", "alice/exact/")),
      Self.pair(
        "files", "[\"x\"]", "\"singlefile\"\npath = \"~/cal/files/%s.ics\"", remote("caldav")))
    let taken = try sandbox.run("epact init --from-vdirsyncer --yes")
    let output = taken.output
    // The copies of the feed have UIDs that the feed does not have.
    #expect(taken.status == 5)
    #expect(
      taken.errors.contains(
        "feed: vdirsyncer replaced the UIDs of 2 items; the first sync deletes these copies here, and "
          + "adds the items of the feed: epact sync feed --allow-delete 2"), "\(taken.errors)")
    #expect(output.contains("feed: 2 unchanged here since vdirsyncer's last run"), "\(output)")
    let settings = try run("cat config/epact/config.toml")
    for lines in [
      "[remote.feed]\nkind = \"webcal\"\nurl = \"\(server.root)alice/feed/\"\n",
      "path = \"~/cal/single.ics\"\n\n[remote.single]\nkind = \"caldav\"",
      "path = \"~/cal/files/x.ics\"\n\n[remote.files-x]\nkind = \"caldav\"\n"
        + "url = \"\(server.root)alice/x/\"\n",
    ] {
      #expect(settings.contains(lines), "\(settings)")
    }
    #expect(
      try run("epact sync feed --allow-delete 2").contains("feed: 2 downloaded, 2 deleted here."))
    #expect(try run("cat cal/feed/*.ics | grep -c UID:one") == "1\n")
    let contents = "cat cal/feed/*.ics cal/single.ics cal/files/x.ics | grep -v PRODID | sort"
    let before = try run(contents)
    let first = try run("epact sync")
    #expect(!first.contains("downloaded") && !first.contains("uploaded"), "\(first)")
    #expect(try run(contents) == before)
    #expect(writes() == [])
    // Each goes on with its edits: the feed is read, and the files are sent.
    try ask("DELETE", "alice/feed/one.ics")
    try write("single", "double", "triple", to: "cal/single.ics")
    let second = try run("epact sync")
    #expect(second.contains("feed: 1 deleted here."), "\(second)")
    #expect(second.contains("single: 1 uploaded."), "\(second)")
  }

  @Test func twoFoldersAndATripleKeepTheirPlaces() throws {
    try write("left", to: "cal/left/1.ics")
    try write("right", to: "cal/right/2.ics")
    try write("a", to: "cal/lefts/a/a.ics")
    try write("t", to: "cal/triple/here/t.ics")
    try sync(
      Self.pair("disks", "null", Self.folder("cal/left"), Self.folder("cal/right")),
      Self.pair("many", "[\"from a\"]", Self.folder("cal/lefts"), Self.folder("cal/rights")),
      Self.pair(
        "triple", "[[\"mine\", \"there\", \"here\"]]", remote("caldav"),
        Self.folder("cal/triple")))
    let output = try run("epact init --from-vdirsyncer --yes")
    for line in [
      "disks: 2 unchanged here", "many-a: 1 unchanged here", "triple-mine: 1 unchanged here",
    ] {
      #expect(output.contains(line), "\(output)")
    }
    let settings = try run("cat config/epact/config.toml")
    for lines in [
      "path = \"~/cal/left\"\n\n[remote.disks]\nkind = \"folder\"\npath = \"~/cal/right\"",
      "path = \"~/cal/lefts/a\"\n\n[remote.many-a]\nkind = \"folder\"\n"
        + "path = \"~/cal/rights/a\"",
      "path = \"~/cal/triple/here\"\n\n[remote.triple-mine]\nkind = \"caldav\"\n"
        + "url = \"\(server.root)alice/there/\"",
    ] {
      #expect(settings.contains(lines), "\(settings)")
    }
    _ = try run("rm cal/right/2.ics")
    let synced = try run("epact sync")
    #expect(synced.contains("disks: 1 deleted here."), "\(synced)")
    #expect(writes() == [])
    #expect(try run("ls cal/left cal/right").split(separator: "\n").count == 4)
  }

  @Test("A folder of two pairs is one calendar with two syncs")
  func sharedFolder() throws {
    try ask("MKCALENDAR", "alice/there/")
    try write("one", to: "cal/mine/1.ics")
    _ = try run("mkdir -p cal/stick")
    try sync(
      Self.pair("stick", "null", Self.folder("cal/mine"), Self.folder("cal/stick")),
      Self.pair("net", "null", Self.folder("cal/mine"), remote("caldav", "alice/there/")))
    let output = try run("epact init --from-vdirsyncer --yes")
    for name in ["stick", "net"] {
      #expect(output.contains("\(name): 1 unchanged here"), "\(output)")
    }
    let settings = try run("cat config/epact/config.toml")
    #expect(settings.components(separatedBy: "[calendar.").count == 2, "\(settings)")
    #expect(settings.contains("name = \"net\"\ncalendar = \"stick\"\nremote = \"net\"\n"))
    #expect(try run("epact agenda --from 2026-03-01 --days 60 | grep -c One") == "1\n")
    try write("two", to: "cal/mine/2.ics")
    _ = try run("epact sync")
    #expect(try run("ls cal/stick").split(separator: "\n").count == 2)
    #expect(writes().count == 1)
  }

  @Test func aPairWithAReadOnlySideIsLeft() throws {
    try ask("MKCALENDAR", "alice/there/")
    _ = try run("mkdir -p cal/ro/there cal/both/there")
    try sync(
      Self.pair(
        "there", "[\"there\"]", Self.folder("cal/ro"), remote("caldav") + "\nread_only = true"),
      Self.pair(
        "here", "[\"there\"]", Self.folder("cal/both") + "\nread_only = true", remote("caldav")),
      Self.pair(
        "feed", "null", remote("http", "alice/there/") + "\nread_only = true",
        Self.folder("cal/both/there")))
    let output = try run("epact init --from-vdirsyncer --yes")
    #expect(output.contains("pair there: there_b is read-only, and a sync would write to it"))
    #expect(output.contains("pair here: here_a is read-only, and a sync would write to it"))
    let settings = try run("cat config/epact/config.toml")
    #expect(settings.contains("[remote.feed]"))
    #expect(!settings.contains("[remote.there") && !settings.contains("[remote.here"))
    // A calendar without items has nothing to report.
    #expect(!output.contains("feed: \n"), "\(output)")
  }
}
