// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// The pages of syncs, conflicts, runs, calendars and access.
@Suite struct SyncPageTests {
  private static let disk = """

    [remote.disk]
    kind = "folder"
    path = "~/remote"

    [[sync]]
    name = "disk"
    calendar = "private"
    remote = "disk"

    """

  /// A scene with a sync with a folder, to which it has full access.
  static func scene() async throws -> PageScene {
    let scene = try PageScene()
    try scene.folder.makeFolder("remote")
    try scene.folder.write(
      (PageScene.configuration + disk).utf8, to: ".config/epact/config.toml")
    let set = try SyncSet(try scene.library.file.load(), names: ["disk"], machine: scene.machine)
    try await set.grant(.full, to: "disk", purpose: "To test the pages.")
    return scene
  }

  /// Starts the sync, and waits until the page no longer says that it runs.
  static func run(_ visitor: Visitor) async throws -> HTMLPage {
    let started = try await visitor.submit("/sync", ["name": "disk", "action": "run"])
    #expect(started.notice == ["The sync disk was started."])
    return try await ended(visitor)
  }

  /// The page of the syncs, once no sync is running.
  static func ended(_ visitor: Visitor) async throws -> HTMLPage {
    for _ in 0..<12_000 {
      let page = try await visitor.page("/sync")
      if !page.text.contains("running") { return page }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("the sync did not end in ten minutes")
    return try await visitor.page("/sync")
  }

  static func remote(_ scene: PageScene, _ uid: String) throws -> String {
    String(decoding: try scene.folder.bytes(of: "remote/\(uid).ics"), as: UTF8.self)
  }

  @Test("A dry run writes nothing; a run copies, is in the history, and is undone by its number")
  func runs() async throws {
    let scene = try await Self.scene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let planned = try await visitor.submit("/sync", ["name": "disk", "action": "plan"])
    #expect(
      planned.notice == ["A run of disk would do this:", "add to the remote: Dinner: new here"])
    #expect(throws: (any Error).self) { try Self.remote(scene, "dinner") }

    let page = try await Self.run(visitor)
    #expect(page.text.contains("in order") && page.text.contains("1 items"))
    #expect(try Self.remote(scene, "dinner").contains("SUMMARY:Dinner"))
    let history = try await visitor.page("/history")
    let runs = history.texts("li", class: "ev")
    #expect(runs.contains { $0.contains("Run 1") && $0.contains("disk") })
    let run = try await visitor.page("/history/1")
    #expect(run.text.contains("Dinner"))
    // All items would be deleted there.
    let guarded = try await visitor.submit("/undo", ["run": "1"])
    #expect(guarded.notice.first?.hasPrefix("Nothing was taken back: 1 of 1 items") == true)
    #expect(try Self.remote(scene, "dinner").contains("SUMMARY:Dinner"))
    let undone = try await visitor.submit("/undo", ["run": "1", "allow": "1"])
    #expect(undone.notice.first == "Run 1 is taken back.")
    #expect(throws: (any Error).self) { try Self.remote(scene, "dinner") }
    #expect(try scene.texts().contains("SUMMARY:Dinner"))
  }

  @Test(
    "A conflict waits on the first page, and is settled as chosen", arguments: ["here", "there"])
  func conflict(_ side: String) async throws {
    let scene = try await Self.scene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    _ = try await Self.run(visitor)
    #expect(try await visitor.page("/").text.contains("Conflicts of disk") == false)
    try scene.add("dinner", "SUMMARY:Dinner here")
    let there = try Self.remote(scene, "dinner").replacing("Dinner", with: "Dinner there")
    try scene.folder.write(there.utf8, to: "remote/dinner.ics")
    #expect(try await Self.run(visitor).text.contains("1 in conflict"))
    #expect(try await visitor.page("/").text.contains("Conflicts of disk: 1"))

    let page = try await visitor.page("/conflicts")
    #expect(page.text.contains("Dinner here") && page.text.contains("Dinner there"))
    let wrong = try await visitor.submit(
      "/conflicts", ["uid": "dinner", "sync": "disk", "take": "all"])
    #expect(wrong.notice == ["choose here, there or both, or edit the values"])
    let settled = try await visitor.submit(
      "/conflicts", ["uid": "dinner", "sync": "disk", "take": side])
    #expect(settled.notice == ["The conflict is settled. The next sync sends the choice."])
    let again = try await visitor.submit(
      "/conflicts", ["uid": "dinner", "sync": "disk", "take": side])
    #expect(again.notice == ["the conflict was settled meanwhile"])
    _ = try await Self.run(visitor)
    #expect(try scene.text(of: "dinner").contains("SUMMARY:Dinner \(side)"))
    #expect(try Self.remote(scene, "dinner").contains("SUMMARY:Dinner \(side)"))
    #expect(try await visitor.page("/conflicts").text.contains("No conflicts wait."))
  }

  @Test("A sync without access says so, here and on the first page, and asks for nothing")
  func noAccess() async throws {
    let scene = try await Self.scene()
    try scene.add("dinner", "SUMMARY:Dinner")
    let visitor = try await scene.signIn()
    let access = try await visitor.page("/access")
    #expect(access.text.contains("disk full") && access.text.contains("To test the pages."))
    let revoked = try await visitor.submit("/access", ["remote": "disk"])
    #expect(revoked.notice.first?.hasPrefix("The access to disk is revoked.") == true)
    #expect(try await Self.run(visitor).text.contains("no access is granted"))
    #expect(try await visitor.page("/").text.contains("disk: no access is granted"))
    #expect(throws: (any Error).self) { try Self.remote(scene, "dinner") }
  }

  @Test("A sync that would delete too much is stopped, and goes on with the number that it names")
  func guarded() async throws {
    let scene = try await Self.scene()
    for number in 1...12 { try scene.add("a\(number)", "SUMMARY:Dinner \(number)") }
    let visitor = try await scene.signIn()
    _ = try await Self.run(visitor)
    for number in 1...12 {
      let path = scene.folder.path(of: "calendars/private/a\(number).ics")
      try FileManager.default.removeItem(atPath: path)
    }
    try scene.add("rest", "SUMMARY:Rest")
    #expect(try await Self.run(visitor).text.contains("stopped by the guard"))
    let wrong = try await visitor.submit(
      "/sync", ["name": "disk", "action": "run", "allow": "many"])
    #expect(wrong.notice == ["expected a number of deletions, found \"many\""])
    #expect(try Self.remote(scene, "a1").contains("Dinner 1"))
    _ = try await visitor.submit("/sync", ["name": "disk", "action": "run", "allow": "12"])
    _ = try await Self.ended(visitor)
    #expect(throws: (any Error).self) { try Self.remote(scene, "a1") }
    #expect(try Self.remote(scene, "rest").contains("SUMMARY:Rest"))
  }

  @Test("A calendar is created, and gets a title and a color")
  func calendars() async throws {
    let scene = try await Self.scene()
    let visitor = try await scene.signIn()
    _ = try await visitor.submit("/calendars", ["new": "garden"])
    #expect(try scene.calendar("garden").name == "garden")
    _ = try await visitor.submit(
      "/calendars", ["name": "garden", "title": "Our <b>garden</b>", "color": "#2f7d4f"])
    let page = try await visitor.page("/calendars")
    #expect(page.text.contains("Our <b>garden</b>"))
    #expect(try scene.calendar("garden").color?.lowercased().hasPrefix("#2f7d4f") == true)
    #expect(try scene.calendar("garden").title == "Our <b>garden</b>")
    let wrong = try await visitor.submit("/calendars", ["new": "../../etc"])
    #expect(wrong.notice != [])
  }
}
