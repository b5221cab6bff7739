// SPDX-License-Identifier: Apache-2.0

import Epact
import EventKit
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Programs without a terminal, whose forms `epact` and `epact-serve` show in the browser.
@Suite("Forms in the browser", .timeLimit(.minutes(60)))
struct HandoffPageProcessTests {
  /// A scene in which the built programs are in `PATH`, and a script is the browser.
  private struct Scene {
    let store: StoreScene
    let machine: Machine
    let browser: FakeBrowser

    init() throws {
      store = try StoreScene()
      browser = try FakeBrowser(in: store.folder)
      var machine = store.machine
      let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path
      machine.environment = [
        "HOME": store.folder.path, "PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C",
        "TZ": "Europe/Berlin", "BROWSER": browser.command,
      ]
      self.machine = machine
    }

    var process: HandoffProcess { HandoffProcess(machine: machine, hasTerminal: false) }

    func newStore() -> EKEventStore {
      EKEventStore(machine: machine, program: store.program, prompt: store.prompt)
    }

    /// The entries of the log of programs' access.
    func uses() throws -> [ProgramLogEntry] {
      try ProgramDecisions(machine: machine).uses(by: StoreScene.identifier)
    }
  }

  /// Remembers the action of an editor.
  private final class Delegate: EKEventEditViewDelegate, @unchecked Sendable {
    private let actions = AsyncStream<EKEventEditViewAction>.makeStream()

    func eventEditViewController(
      _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction
    ) {
      actions.continuation.yield(action)
    }

    func next() async -> EKEventEditViewAction? {
      for await action in actions.stream { return action }
      return nil
    }
  }

  private func controller(_ scene: Scene, _ delegate: Delegate) -> EKEventEditViewController {
    let store = scene.newStore()
    let event = store.newLunch()
    event.location = "Café <b>"
    let controller = EKEventEditViewController()
    controller.eventStore = store
    controller.event = event
    controller.editViewDelegate = delegate
    return controller
  }

  @Test("70 to 73: an event is saved by the user in the browser, without any access")
  func saving() async throws {
    let (scene, delegate) = (try Scene(), Delegate())
    let editor = controller(scene, delegate)
    editor.present(in: scene.process, completion: nil)
    let client = try await FormClient(opening: try await scene.browser.address())
    #expect(try await client.get("/").contains("Lunch"))
    let answer = try await client.send(["action": "save", "title": "Lunch with Bea"])
    #expect(answer.hasPrefix("HTTP/1.1 303"), "\(answer)")
    #expect(try await client.get("/done").contains("You can close this window."))
    #expect(await delegate.next() == .saved)
    let names = try scene.store.names(in: "home")
    let text = String(
      decoding: try scene.store.folder.bytes(of: "home/\(try #require(names.first)).ics"),
      as: UTF8.self)
    #expect(names.count == 1 && text.contains("SUMMARY:Lunch with Bea"))
    #expect(text.contains("LOCATION:Café <b>"))
    #expect(editor.event?.title == "Lunch" && editor.event?.isNew == true)
    #expect(scene.store.prompt.count == 0)
    #expect(try scene.uses().isEmpty)
    #expect(scene.store.status(for: .event) == .notDetermined)
    await #expect(throws: LoopbackClient.Failure.self) { try await client.get("/done") }
  }

  @Test("73: an event is not saved if the user cancels, or the program dismisses the form")
  func cancelling() async throws {
    for isDismissed in [false, true] {
      let (scene, delegate) = (try Scene(), Delegate())
      let editor = controller(scene, delegate)
      editor.present(in: scene.process, completion: nil)
      let client = try await FormClient(opening: try await scene.browser.address())
      if isDismissed {
        editor.cancelEditing()
      } else {
        _ = try await client.send(["action": "cancel"])
        _ = try? await client.get("/done")
      }
      #expect(await delegate.next() == .canceled)
      #expect(try scene.store.names(in: "home").isEmpty)
      let left = try FileManager.default.contentsOfDirectory(
        atPath: "\(scene.machine.stateFolder)/handoff")
      #expect(left == [], "the prepared event does not stay")
    }
  }

  @Test("74: a calendar is chosen in the browser")
  func choosing() async throws {
    let scene = try Scene()
    try await scene.store.grant(.writeOnly, for: .event)
    let chooser = EKCalendarChooser(
      selectionStyle: .single, displayStyle: .allCalendars, entityType: .event,
      eventStore: scene.newStore())
    let work = try scene.store.identifier(of: "work")
    async let chosen = withCheckedContinuation { continuation in
      chooser.present(in: scene.process) { continuation.resume(returning: $0) }
    }
    let client = try await FormClient(opening: try await scene.browser.address())
    _ = try await client.send(["action": "choose", "calendar": work])
    _ = try? await client.get("/done")
    #expect(await chosen?.map(\.calendarIdentifier) == [work])
    #expect(await chosen?.map(\.title) == ["Calendar"])
  }

  @Test("75: an event is shown and deleted in the browser, with full access alone")
  func showing() async throws {
    let scene = try Scene()
    try scene.store.write("daily", to: "home", rule: "FREQ=DAILY;COUNT=3")
    try await scene.store.grant(.full, for: .event)
    let store = scene.newStore()
    let event = try #require(store.lunches.max { $0.startDate < $1.startDate })
    let controller = EKEventViewController()
    controller.event = event
    controller.allowsEditing = true
    func present() async -> EKEventViewAction {
      await withCheckedContinuation { continuation in
        controller.present(in: scene.process) { continuation.resume(returning: $0) }
      }
    }
    async let deleted = present()
    let client = try await FormClient(opening: try await scene.browser.address())
    _ = try await client.send(["action": "delete"], to: "/edit?part=this")
    _ = try? await client.get("/done")
    #expect(await deleted == .deleted)
    let text = String(
      decoding: try scene.store.folder.bytes(of: "home/daily.ics"), as: UTF8.self)
    #expect(text.contains("EXDATE"))
    try scene.store.revoke()
    #expect(await present() == .done, "nothing is opened")
  }
}
