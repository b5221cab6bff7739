// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

extension SyncScene {
  fileprivate func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(of: name))
  }
}

/// Items that are missing here come back, and nothing else changes.
struct RestoreTests {
  private static let titles = ["Dentist", "Lunch", "Trip"]

  /// A scene whose sync ran, and then lost its local files.
  private func loss() async throws -> (SyncScene, SyncSet) {
    let scene = try SyncScene(local: Self.titles)
    let set = try await scene.granted()
    _ = try await set.run()
    for title in Self.titles { try scene.remove("local/\(title).ics") }
    return (scene, set)
  }

  private func files(_ scene: SyncScene, _ side: String = "local") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.folder.path(of: side))
      .map { "\(side)/\($0)" }.sorted()
  }

  @Test func afterTheGuardTheFilesComeBackAndUndoTakesThemAway() async throws {
    let scene = try SyncScene(local: Self.titles)
    var set = try await scene.granted()
    _ = try await set.run()
    let before = try Self.titles.map { try scene.text($0, in: "local") }
    for title in Self.titles { try scene.remove("local/\(title).ics") }
    #expect(try await set.run().syncs.map(\.summary.stoppedByGuard) == [true])

    set.options.isDryRun = true
    let planned = try await set.restore("home")
    #expect(planned.items.map(\.uid.rawValue) == Self.titles)
    #expect(planned.run == nil)
    #expect(try files(scene) == [])

    set.options.isDryRun = false
    let restored = try await set.restore("home")
    #expect(restored.items == planned.items)
    #expect(restored.items.map(\.source) == [.ledger, .ledger, .ledger])
    #expect(try Self.titles.map { try scene.text($0, in: "local") } == before)
    let next = try await set.run()
    #expect(next.syncs.map(\.summary) == [RunSummary()])

    let undone = try await set.undo(restored.run)
    #expect(undone.summary.deletedLocally == 3)
    let (local, remote) = try (files(scene), files(scene, "remote"))
    #expect(local == [])
    #expect(remote == Self.titles.map { "remote/\($0).ics" })
  }

  @Test func namedItemsComeBackByUIDOrTitle() async throws {
    let (scene, set) = try await loss()
    await #expect(throws: EpactError.self) { try await set.restore("home", only: ["Concert"]) }
    #expect(try await set.restore("home", only: ["lun", "Trip"]).items.count == 2)
    #expect(try files(scene) == ["local/Lunch.ics", "local/Trip.ics"])
  }

  @Test func noFileIsOverwritten() async throws {
    let (scene, set) = try await loss()
    try scene.write("Other", titled: "Other", to: "local")
    let other = try scene.text("Other", in: "local")
    try scene.remove("local/Other.ics")
    try scene.folder.write(other.utf8, to: "local/Dentist.ics")
    let result = try await set.restore("home")
    #expect(result.items.count == 3)
    #expect(try scene.text("Dentist", in: "local") == other)
    #expect(try files(scene).count == 4)
    try scene.remove("local/Lunch.ics")
    try scene.folder.write("BEGIN:VCALENDAR\r\n".utf8, to: "local/Lunch.ics")
    let second = try await set.restore("home")
    #expect(second.items.isEmpty)
    #expect(second.left.map(\.isFailure) == [true])
    #expect(try scene.text("Lunch", in: "local") == "BEGIN:VCALENDAR\r\n")
  }

  @Test func aDeletionThatWasSyncedIsNotTakenBack() async throws {
    let scene = try SyncScene(local: Self.titles)
    let set = try await scene.granted()
    _ = try await set.run()
    try scene.remove("local/Lunch.ics")
    _ = try await set.run()
    #expect(!(try files(scene, "remote").contains("remote/Lunch.ics")))
    #expect(try await set.restore("home").items.isEmpty)
  }

  @Test func aMissingFolderIsMadeOnlyIfAllowed() async throws {
    let (scene, set) = try await loss()
    try scene.remove("local")
    let error = await #expect(throws: EpactError.self) { try await set.restore("home") }
    #expect(error?.remedy == .restoreInNewPlace(sync: "home"))
    #expect(!(try scene.folder.names().contains("local")))
    #expect(try await set.restore("home", isNewPlaceAllowed: true).items.count == 3)
    #expect(try files(scene).count == 3)
  }

  /// The sync of the scene, and one of the calendar "other".
  private static func twoSyncs(_ scene: SyncScene) -> SyncSet {
    SyncSet(
      [
        Sync(
          "home", local: .folder("local"), remote: .folder(path: scene.folder.path(of: "remote"))),
        Sync(
          "work", local: .folder("other"), remote: .folder(path: scene.folder.path(of: "away"))),
      ], ledger: "state", machine: scene.machine)
  }

  @Test func anItemThatMovedToAnotherCalendarStaysThere() async throws {
    let (scene, _) = try await loss()
    try PrivateFolder.make(scene.folder.path(of: "other"))
    try scene.write("Trip", titled: "Trip", to: "other")
    let result = try await Self.twoSyncs(scene).restore("home")
    #expect(result.items.map(\.uid.rawValue) == ["Dentist", "Lunch"])
    #expect(result.left.map(\.uid.rawValue) == ["Trip"])
    #expect(result.left.first?.reason.contains("\"work\"") == true)
  }

  @Test func anItemThatWasInBothCalendarsComesBack() async throws {
    let scene = try SyncScene(local: Self.titles)
    try PrivateFolder.make(scene.folder.path(of: "other"))
    try PrivateFolder.make(scene.folder.path(of: "away"))
    try scene.write("Trip", titled: "Trip", to: "other")
    let set = Self.twoSyncs(scene)
    for name in ["home", "work"] {
      var access = try await set.access(to: name)
      try await access.store(.full, purpose: "Keeps a copy of my calendar on a disk.")
    }
    _ = try await set.run()
    try scene.remove("local/Trip.ics")
    let result = try await set.restore("home")
    #expect(result.items.map(\.uid.rawValue) == ["Trip"])
    #expect(result.left.isEmpty)
  }

  @Test func aCopyInACalendarWithoutASyncIsNoMove() async throws {
    let scene = try LibraryScene(isLater: false)
    let item = TestItem.text(uid: "milk", summary: "Milk", kind: .reminder)
    for folder in ["calendars/tasks", "calendars/private"] {
      try scene.folder.write(item.utf8, to: "\(folder)/milk.ics")
    }
    let set = try SyncSet(
      ConfigurationFile(machine: scene.machine).load(), names: ["disk"], machine: scene.machine)
    var access = try await set.access(to: "disk")
    try await access.store(.full, purpose: "Keeps a copy of my calendar on a disk.")
    _ = try await set.run()
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "calendars/tasks/milk.ics"))
    #expect(try await set.restore("disk").items.map(\.uid.rawValue) == ["milk"])
  }

  @Test func aCalendarInOneFileIsRestored() async throws {
    let scene = try SyncScene(local: [], remote: Self.titles)
    let set = SyncSet(
      [
        Sync(
          "home", local: .file("mine.ics"),
          remote: .folder(path: scene.folder.path(of: "remote")))
      ], ledger: "state", machine: scene.machine)
    var access = try await set.access(to: "home")
    try await access.store(.full, purpose: SyncScene.purpose)
    _ = try await set.run()
    let whole = try scene.folder.bytes(of: "mine.ics")
    try scene.folder.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8, to: "mine.ics")
    #expect(try await set.restore("home").items.count == 3)
    let restored = try scene.folder.bytes(of: "mine.ics")
    #expect(restored.count >= whole.count - 64)
    #expect(try await set.run().syncs.map(\.summary) == [RunSummary()])
  }

  @Test func underWriteOnlyAccessOnlyNamedItemsComeBackWithoutRequests() async throws {
    let scene = try SyncScene(local: Self.titles)
    let set = SyncSet(
      [
        Sync(
          "home", local: .folder("local"), remote: .folder(path: scene.folder.path(of: "remote")),
          access: .writeOnly)
      ], ledger: "state", machine: scene.machine)
    var access = try await set.access(to: "home")
    try await access.store(.writeOnly, purpose: SyncScene.purpose)
    _ = try await set.run()
    for title in Self.titles { try scene.remove("local/\(title).ics") }
    try scene.remove("remote/Lunch.ics")
    let all = try await set.restore("home")
    #expect(all.items.isEmpty)
    #expect(all.left.map(\.isFailure) == [false, false, false])
    let one = try await set.restore("home", only: ["Lunch"])
    #expect(one.items.map(\.source) == [.history])
    #expect(try files(scene) == ["local/Lunch.ics"])
  }

  @Test func aTextThatIsNotStoredIsFetchedUnderFullAccess() async throws {
    let (scene, set) = try await loss()
    let ledger = try LedgerDatabase(path: scene.folder.path(of: "state/ledger.sqlite"))
    let binding = try #require(try await ledger.runs(of: "home").first?.binding)
    var entry = try #require(try await ledger.entries(of: binding, for: [UID("Trip")]).first)
    entry.base = nil
    // After 40 days, the history has no texts of that run either.
    let later = try #require(scene.machine.now().adding(seconds: 40 * 86_400))
    let run = try await ledger.beginRun(of: binding, at: later)
    try await ledger.settle([Settlement(uid: UID("Trip"), change: .record(entry))], in: run)
    try await ledger.endRun(run, summary: RunSummary(), at: later)
    let result = try await set.restore("home", only: ["Trip"])
    #expect(result.items.map(\.uid.rawValue) == ["Trip"])
    #expect(result.items.map(\.source) == [.remote])
    #expect(try files(scene) == ["local/Trip.ics"])
  }
}
