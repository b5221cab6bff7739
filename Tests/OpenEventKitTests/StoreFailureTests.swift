// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

/// A ledger or a calendar that cannot be read looks neither like a refusal nor like no calendars.
@Suite struct StoreFailureTests {
  let scene: StoreScene

  init() throws {
    scene = try StoreScene(
      .all, extra: "\n[calendar.broken]\npath = \"~/broken.ics\"\n")
  }

  /// Replaces the ledger by a file that is no database.
  ///
  /// The file gets its name when it is complete. Otherwise another thread of the store may read a
  /// part of it, or the rest of the old one, each of which has another error.
  private func breakLedger() throws {
    let folder = ".local/state/epact"
    for name in try scene.folder.names(in: folder) where name.hasPrefix("ledger.sqlite-") {
      try scene.remove("\(folder)/\(name)")
    }
    try Data(String(repeating: "no database ", count: 1000).utf8)
      .write(to: URL(filePath: scene.folder.path(of: "\(folder)/ledger.sqlite")), options: .atomic)
  }

  private func error(_ body: () throws -> Void) -> EKError? {
    do {
      try body()
      return nil
    } catch {
      return error as? EKError
    }
  }

  @Test("With a broken ledger, each call that can has its error, and the others report it")
  func ledger() async throws {
    let store = try await scene.store()
    let event = store.newLunch(in: "home")
    try store.save(event, span: .thisEvent)
    let pending = store.newLunch(in: "home")
    try store.save(pending, span: .thisEvent, commit: false)
    let home = try StoreScene.calendar("home", in: store)
    try breakLedger()
    event.title = "Dinner"
    home.title = "House"
    let errors = [
      error { try store.save(event, span: .thisEvent) },
      error { try store.remove(event, span: .thisEvent) },
      error { try store.saveCalendar(home, commit: true) },
      error { try store.removeCalendar(home, commit: true) },
      error { try store.commit() },
    ]
    for error in errors {
      #expect(error?.code == .internalFailure)
      #expect(error?.localizedDescription.contains("ledger.sqlite") == true)
    }
    // Nothing is known to be deleted.
    #expect(event.refresh() && event.title == "Dinner")
    #expect(await store.reminders() == nil)
    #expect(store.lunches.isEmpty && store.calendars(for: .event).isEmpty)
    #expect(store.status(for: .event) == .notDetermined)
    let notes = scene.notes.filter { $0.hasPrefix("the access of the program cannot be read: ") }
    #expect(notes.count == 1, "\(scene.notes)")
    await #expect(throws: EKError.self) { try await store.requestFullAccessToEvents() }
  }

  @Test("A calendar that cannot be read is reported, and the others are shown")
  func calendar() async throws {
    try scene.folder.makeFolder("broken.ics/inside")
    let store = try await scene.store()
    try store.save(store.newLunch(in: "home"), span: .thisEvent)
    #expect(store.lunches.count == 1)
    #expect(store.lunches.count == 1)
    // Some reminders instead of all would look like fewer things to do.
    #expect(await store.reminders() == nil)
    #expect(await store.reminders(in: "tasks") == [])
    let notes = scene.notes.filter { $0.hasPrefix("the calendar \"broken\" cannot be read: ") }
    #expect(notes.count == 1, "\(scene.notes)")
  }
}

extension EKEventStore {
  /// The reminders in the calendar with a name.
  fileprivate func reminders(in name: String) async -> [EKReminder]? {
    let calendars = calendars(for: .reminder).filter { $0.title == name }
    return await reminders(matching: predicateForReminders(in: calendars))
  }
}
