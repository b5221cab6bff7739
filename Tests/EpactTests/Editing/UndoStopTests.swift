// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// What an undo of the last change does if that cannot be undone: it says so once, and goes on.
struct UndoStopTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private func write(_ uid: String, _ title: String, in calendar: String = "private") throws {
    try world.scene.folder.write(
      TestItem.text(uid: uid, summary: title).utf8, to: "calendars/\(calendar)/\(uid).ics")
  }

  private func retitle(_ uid: String, _ title: String) throws {
    var details = ItemDetails()
    details.title = title
    try world.editor.changing(try world.item(uid), details, .all).commit()
  }

  private func title(_ uid: String) throws -> String { try world.item(uid).item.title }

  /// The change at which an undo stops.
  private func stop() async throws -> CalendarChange? {
    do {
      try await world.undo()
      return nil
    } catch let error as EpactError {
      guard case .undoEarlier(let change, let isThere)? = error.remedy else { throw error }
      #expect(isThere == (try world.library.calendars().contains { $0.name == change.calendar }))
      return change
    }
  }

  @Test func anUndoLeavesAnItemThatIsInSeveralFiles() async throws {
    try write("a", "First")
    try retitle("a", "Mine")
    let folder = world.scene.folder
    let copy = try folder.bytes(of: "calendars/private/a.ics")
    try folder.write(copy, to: "calendars/private/a copy.ics")
    let before = try world.files()
    let result = try await world.undo()
    #expect(result.items.map(\.obstacle) == [.notUndone(.severalFiles)])
    #expect(try world.files() == before)
  }

  @Test func anUndoStopsOnceAtACalendarThatWasCreated() async throws {
    try write("a", "First")
    try retitle("a", "Mine")
    let name = try await world.library.createCalendar("trip", in: nil, title: nil, color: nil)
    #expect(try await stop() == CalendarChange(.created, of: name))
    #expect(try title("a") == "Mine")
    #expect(try await world.undo().outcome == .done)
    #expect(try title("a") == "First")
  }

  @Test func anUndoStopsOnceAtACalendarThatWasRemovedWithItsItems() async throws {
    try write("a", "First")
    let name = try await world.library.createCalendar("trip", in: nil, title: nil, color: nil)
    try retitle("a", "Mine")
    #expect(try world.library.removeCalendar(name, withItems: true) == 0)
    #expect(try await stop() == CalendarChange(.removed, of: name))
    #expect(try title("a") == "Mine")
    #expect(try await world.undo().undo?.items.map(\.title) == ["First"])
    #expect(try await stop() == CalendarChange(.created, of: name))
    // Nothing else is left, and a new change is undone first again.
    try retitle("a", "Again")
    #expect(try await world.undo().outcome == .done)
    #expect(try title("a") == "First")
  }

  @Test func anUndoThatStopsNamesWhatItPassedOver() async throws {
    _ = try world.library.changeCalendar("private", title: "Home")
    for title in ["One", "Two"] {
      var details = ItemDetails()
      details.title = title
      details.start = try world.dates.newTime("2026-12-10 10:00")
      try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    }
    for title in ["One", "Two"] {
      let entry = try world.item(title)
      try FileManager.default.removeItem(
        atPath: world.scene.folder.path(of: "calendars/private/\(entry.entry.name)"))
    }
    let error = await #expect(throws: EpactError.self) { try await world.undo() }
    #expect(
      error?.details == ["nothing is left here of run 3", "nothing is left here of run 2"])
  }

  @Test func anUndoStopsOnceAtATitleOrAColor() async throws {
    try write("a", "First")
    try retitle("a", "Mine")
    _ = try world.library.changeCalendar("private", title: "Home")
    _ = try world.library.changeCalendar("private", color: "#112233")
    #expect(try await stop() == CalendarChange(.colored, of: "private"))
    #expect(try await stop() == CalendarChange(.renamed, of: "private"))
    #expect(try await world.undo().outcome == .done)
  }

  @Test func aChangeThatAnotherProgramEditedSinceIsRefusedOnce() async throws {
    for uid in ["a", "b", "c"] { try write(uid, "First \(uid)") }
    for uid in ["c", "a", "b"] { try retitle(uid, "Mine \(uid)") }
    try write("b", "Theirs")
    let refused = try await world.undo()
    #expect(refused.outcome == .someFailed)
    #expect(refused.undo?.isRefused == true)
    #expect(try await world.undo().undo?.items.map(\.title) == ["First a"])
    // The refusal is kept while further changes are undone.
    #expect(try await world.undo().undo?.items.map(\.title) == ["First c"])
    #expect(try title("b") == "Theirs")
    // A redo makes the undone changes again.
    try await world.redo()
    try await world.redo()
    #expect(try [title("a"), title("b"), title("c")] == ["Mine a", "Theirs", "Mine c"])
  }

  @Test func aDryRunDoesNotCount() async throws {
    try write("a", "First")
    try retitle("a", "Mine")
    try write("a", "Theirs")
    let configuration = try ConfigurationFile(machine: world.scene.machine).load()
    var set = try SyncSet(configuration, machine: world.scene.machine)
    set.options.isDryRun = true
    #expect(try await set.undo().undo?.isRefused == true)
    #expect(try await world.undo().undo?.isRefused == true)
  }

  @Test func aChangeInACalendarThatIsGoneIsRefusedOnce() async throws {
    try write("a", "First")
    try write("t", "Task", in: "tasks")
    try retitle("a", "Mine")
    try retitle("t", "Mine, too")
    try FileManager.default.removeItem(atPath: world.scene.folder.path(of: "calendars/tasks"))
    #expect(try await world.undo().undo?.isRefused == true)
    #expect(try await world.undo().undo?.items.map(\.title) == ["First"])
  }
}
