// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The schedule of syncs, mirrors among them, and the restoration of lost items.
struct SyncStateTests {
  // MARK: Schedule

  private static func install(
    _ words: String, unit: String = "epact", active: Bool = true, in scene: PageScene
  ) throws {
    try scene.addProgram("systemctl", active ? "echo active" : "echo inactive; exit 3")
    let folder = ".config/systemd/user"
    try scene.folder.makeFolder(folder)
    try scene.folder.write(
      "[Service]\nExecStart=/usr/bin/epact \(words)\n".utf8, to: "\(folder)/\(unit).service")
    guard unit == "epact" else { return }
    try scene.folder.write(
      "[Timer]\nOnCalendar=*-*-* 03:15:00\nRandomizedDelaySec=20min\n".utf8,
      to: "\(folder)/epact.timer")
  }

  /// The line of the state of each sync.
  private static func states(_ scene: PageScene) async throws -> [String: String] {
    let page = try await scene.signIn().page("/sync")
    let rows = page.indices("section", class: "sync").map { page.text(in: $0) }
    return Dictionary(rows.map { ($0.split(separator: " ").first.map(String.init) ?? "", $0) }) {
      $0 + $1
    }
  }

  @Test("Each sync has its next run, and none without a schedule")
  func nextRun() async throws {
    let scene = try await SyncPageTests.scene()
    #expect(try await Self.states(scene)["disk"]?.contains("next run") == false)
    try Self.install("sync --quiet", in: scene)
    let words = "next run 2026-12-02 03:15, up to 20 min later"
    let states = try await Self.states(scene)
    #expect(states["disk"]?.contains(words) == true && states["holidays"]?.contains(words) == true)
  }

  @Test("A job has its syncs, and belongs to its configuration")
  func jobsOfSyncs() async throws {
    let scene = try await SyncPageTests.scene()
    try Self.install("sync --quiet disk", in: scene)
    let states = try await Self.states(scene)
    #expect(states["disk"]?.contains("next run") == true)
    #expect(states["holidays"]?.contains("next run") == false)
    try Self.install("sync --quiet --config \"/else where/config.toml\" disk", in: scene)
    #expect(try await Self.states(scene)["disk"]?.contains("next run") == false)
    let own = scene.folder.path(of: ".config/epact/config.toml")
    try Self.install("sync --quiet --config \(own) disk", in: scene)
    #expect(try await Self.states(scene)["disk"]?.contains("next run") == true)
  }

  @Test("A timer that does not run, and a service that watches, have words of their own")
  func otherStates() async throws {
    let scene = try await SyncPageTests.scene()
    try Self.install("sync --quiet", active: false, in: scene)
    #expect(try await Self.states(scene)["disk"]?.contains("scheduled, and not active") == true)
    try FileManager.default.removeItem(
      atPath: scene.folder.path(of: ".config/systemd/user/epact.timer"))
    try Self.install("watch --quiet", unit: "epact-watch", in: scene)
    #expect(try await Self.states(scene)["disk"]?.contains("· watching ·") == true)
  }

  @Test("A line of crontab is a schedule")
  func crontab() async throws {
    let scene = try await SyncPageTests.scene()
    try scene.addProgram(
      "crontab",
      """
      echo '# epact schedule: this line and the next belong together'
      echo '*/30 * * * * /usr/bin/epact sync --quiet disk'
      """)
    let states = try await Self.states(scene)
    #expect(states["disk"]?.contains("next run 2026-12-01 10:30 ·") == true, "\(states)")
    #expect(states["holidays"]?.contains("next run") == false)
  }

  // MARK: Mirrors

  private static func mirrorScene(_ settings: String = "") throws -> PageScene {
    let scene = try PageScene()
    let mirror = """

      [calendar.shared]
      path = "~/calendars/shared"

      [[mirror]]
      name = "busy"
      from = ["private", "family"]
      to = "shared"
      show = "busy"
      \(settings)

      """
    try scene.folder.makeFolder("calendars/shared")
    try scene.folder.write(
      (PageScene.configuration + mirror).utf8, to: ".config/epact/config.toml")
    return scene
  }

  @Test("Mirrors are a part of the syncs, with what they show")
  func mirrors() async throws {
    let scene = try Self.mirrorScene()
    let visitor = try await scene.signIn()
    let page = try await visitor.page("/sync")
    #expect(page.texts("h2") == ["holidays with holidays", "Mirrors"])
    #expect(page.texts("h3") == ["busy shows busy time of private, family in shared"])
    #expect(page.values("id", of: "h2").contains("mirrors"))
    let answer = try await visitor.get("/mirrors")
    #expect(answer.status == 303 || answer.status == 302)
    #expect(answer.headers[.location] == "/sync#mirrors")
    #expect(try await PageScene().signIn().page("/sync").texts("h2") == ["holidays with holidays"])
  }

  @Test(
    "A copy says from which mirror it is, and what becomes of an edit",
    arguments: [
      ("", "The next run of the mirror takes an edit of it back."),
      ("on-edit = \"release\"", "If it is edited, it no longer follows its original."),
    ])
  func copies(_ settings: String, words: String) async throws {
    let scene = try Self.mirrorScene(settings)
    try scene.add("dinner", "SUMMARY:Dinner")
    try scene.add("own", to: "shared", "SUMMARY:Own")
    let set = try SyncSet(try scene.library.file.load(), names: ["busy"], machine: scene.machine)
    #expect(try await set.run().syncs.first?.summary.downloaded == 1)
    let visitor = try await scene.signIn()
    let links = try await visitor.page("/agenda").values("href", of: "a")
      .filter { $0.hasPrefix("/item/shared/") }
    #expect(links.count == 2)
    for link in links {
      let page = try await visitor.page(link)
      let sentence = "This is a copy that the mirror \"busy\" made from private, family. \(words)"
      #expect(page.text.contains(sentence) == !link.hasSuffix("/own"), "\(link): \(page.text)")
    }
    #expect(try await visitor.page("/item/private/dinner").text.contains("copy") == false)
  }

  // MARK: Restoring

  /// A scene whose sync has 13 items on both sides.
  private static func syncedScene() async throws -> (PageScene, Visitor) {
    let scene = try await SyncPageTests.scene()
    for number in 1...12 { try scene.add("a\(number)", "SUMMARY:Dinner \(number)") }
    try scene.add("rest", "SUMMARY:Rest")
    let visitor = try await scene.signIn()
    let page = try await SyncPageTests.run(visitor)
    #expect(!page.texts("button").contains("Restore here"))
    return (scene, visitor)
  }

  private static func lose(_ folder: String, _ scene: PageScene) throws {
    for number in 1...12 {
      try FileManager.default.removeItem(
        atPath: scene.folder.path(of: "\(folder)/a\(number).ics"))
    }
  }

  @Test("What is lost here is restored after its number is confirmed, and that can be undone")
  func restoring() async throws {
    let (scene, visitor) = try await Self.syncedScene()
    try Self.lose("calendars/private", scene)
    let stopped = try await SyncPageTests.run(visitor)
    #expect(stopped.texts("button").contains("Restore here"))
    for number in ["", "3"] {
      let page = try await visitor.submit(
        "/sync", ["name": "disk", "action": "restore", "items": number])
      #expect(page.notice.first == "A restoration of disk here would do this:")
      #expect(page.notice.contains("add here: Dinner 7"))
      #expect(page.notice.last == "Nothing was changed. To do it, confirm the number: 12")
      #expect(throws: (any Error).self) { try scene.text(of: "a7") }
    }
    let wrong = try await visitor.submit(
      "/sync", ["name": "disk", "action": "restore", "items": "all"])
    #expect(wrong.notice == ["expected a number of items, found \"all\""])
    let page = try await visitor.submit(
      "/sync", ["name": "disk", "action": "restore", "items": "12"])
    #expect(page.notice.first == "The calendar of disk is restored.")
    #expect(page.texts("button").contains("Undo"))
    #expect(try scene.text(of: "a7").contains("SUMMARY:Dinner 7"))
    let again = try await SyncPageTests.run(visitor)
    #expect(again.text.contains("in order") && !again.texts("button").contains("Restore here"))
  }

  @Test("What is lost on the remote is sent again after its number is confirmed")
  func pushing() async throws {
    let (scene, visitor) = try await Self.syncedScene()
    try Self.lose("remote", scene)
    _ = try await SyncPageTests.run(visitor)
    let asked = try await visitor.submit("/sync", ["name": "disk", "action": "push"])
    #expect(asked.notice.first == "A restoration of disk on the remote would do this:")
    #expect(asked.notice.contains("add to the remote: Dinner 7"))
    #expect(asked.notice.last == "Nothing was changed. To do it, confirm the number: 12")
    #expect(throws: (any Error).self) { try SyncPageTests.remote(scene, "a7") }
    let started = try await visitor.submit(
      "/sync", ["name": "disk", "action": "push", "items": "12"])
    #expect(started.notice == ["The restoration on the remote of disk was started."])
    #expect(try await SyncPageTests.ended(visitor).text.contains("in order"))
    #expect(try SyncPageTests.remote(scene, "a7").contains("SUMMARY:Dinner 7"))
    #expect(try scene.text(of: "a7").contains("SUMMARY:Dinner 7"))
  }
}
