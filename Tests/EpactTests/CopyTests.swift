// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Copies beside a file with the same UID: all readers take the file that the sync knows.
struct CopyTests {
  private static let copies = [
    "a (copy).ics", "a-HOST.ics", "0.ics", "a (conflicted copy 2026-11-26 165400).ics",
  ]

  /// A scene whose sync knows the item `a`, and whose copy appeared then on a side.
  private func scene(_ copy: String, on side: String) async throws -> (SyncScene, SyncSet) {
    let scene = try SyncScene(local: ["a", "b", "c", "d"])
    let set = try await scene.granted()
    _ = try await set.run()
    let text = try scene.text("a", in: side).replacing("SUMMARY:a", with: "SUMMARY:Old")
    try scene.folder.write(text.utf8, to: "\(side)/\(copy)")
    return (scene, set)
  }

  @Test(arguments: copies, ["local", "remote"])
  func editsOfTheKnownFileTravel(copy: String, side: String) async throws {
    let (scene, set) = try await scene(copy, on: side)
    let other = side == "local" ? "remote" : "local"
    for _ in 1...2 {
      let result = try #require(try await set.run().syncs.first)
      #expect(result.summary.failed == 1)
      #expect(result.summary.uploaded + result.summary.downloaded == 0)
      #expect(try scene.text("a", in: other).contains("SUMMARY:a\r\n"))
    }
    try scene.write("a", titled: "New here", to: side)
    _ = try await set.run()
    #expect(try scene.text("a", in: other).contains("SUMMARY:New here"))
    try scene.write("a", titled: "New there", to: other)
    _ = try await set.run()
    #expect(try scene.text("a", in: side).contains("SUMMARY:New there"))
    let copied = try scene.folder.bytes(of: "\(side)/\(copy)")
    #expect(String(decoding: copied, as: UTF8.self).contains("SUMMARY:Old"))
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "\(side)/\(copy)"))
    let last = try await set.run().syncs
    #expect(last.map(\.summary) == [RunSummary()])
  }

  @Test func aFileThatCannotBeReadIsRemoved() async throws {
    let scene = try SyncScene(local: ["a", "b", "c", "d"])
    let set = try await scene.granted()
    _ = try await set.run()
    for name in ["a.ics", "new.ics"] {
      try scene.folder.write("garbage".utf8, to: "remote/\(name)")
      for _ in 1...2 {
        #expect(try await set.run().syncs.map(\.summary.deletedLocally) == [0])
        #expect(try scene.text("a", in: "local").contains("SUMMARY:a\r\n"))
      }
      try FileManager.default.removeItem(atPath: scene.folder.path(of: "remote/\(name)"))
      var summary = RunSummary()
      summary.deletedLocally = name == "a.ics" ? 1 : 0
      let last = try await set.run().syncs.map(\.summary)
      #expect(last == [summary], "\(name)")
      if name == "a.ics" { try scene.write("a", titled: "a", to: "local") }
      _ = try await set.run()
    }
  }

  @Test(arguments: copies, ["local", "remote"])
  func anOldTextInThePlaceOfTheKnownFileIsAConflict(copy: String, side: String) async throws {
    let (scene, set) = try await scene(copy, on: side)
    let other = side == "local" ? "remote" : "local"
    _ = try await set.run()
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "\(side)/a.ics"))
    for _ in 1...2 {
      let result = try #require(try await set.run().syncs.first)
      #expect(result.summary.conflicts == 1)
      #expect(result.summary.uploaded + result.summary.downloaded == 0)
      #expect(try scene.text("a", in: other).contains("SUMMARY:a\r\n"))
      let left = try scene.folder.bytes(of: "\(side)/\(copy)")
      #expect(String(decoding: left, as: UTF8.self).contains("SUMMARY:Old"))
    }
  }

  @Test(arguments: copies)
  func aDeletionThereWaits(copy: String) async throws {
    let (scene, set) = try await scene(copy, on: "local")
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "remote/a.ics"))
    for _ in 1...2 {
      let result = try #require(try await set.run().syncs.first)
      #expect(result.summary.failed == 2)
      #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: "remote/a.ics")))
      #expect(try scene.text("a", in: "local").contains("SUMMARY:a\r\n"))
    }
  }

  @Test(arguments: copies)
  func aDeletionHereWaitsForTheCopyThere(copy: String) async throws {
    let (scene, set) = try await scene(copy, on: "remote")
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "local/a.ics"))
    for _ in 1...2 {
      _ = try await set.run()
      #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: "local/a.ics")))
      #expect(try scene.text("a", in: "remote").contains("SUMMARY:a\r\n"))
    }
  }

  // MARK: Readers

  /// A scene of the user's configuration, with a sync that knows `a` under a name.
  private func library(knowing name: String) async throws -> LibraryScene {
    let scene = try LibraryScene(isLater: false)
    let ledger = try LedgerFolder(machine: scene.machine, isReadOnly: false).openDatabase()
    let location = PathResolver.canonical(scene.folder.path(of: "calendars/private"))
    let binding = SyncBinding(
      name: "x", local: location, remote: RemoteIdentity(kind: "caldav", location: "x"))
    let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: 0))
    let entry = LedgerEntry(
      uid: UID("a"), localName: name, localBase: Fingerprint("1"), href: Href("a"), etag: nil,
      remoteBase: Fingerprint("1"), base: nil)
    try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry))], in: run)
    for (file, title) in [(name, "New"), ("a.ics", "Old"), ("a (1).ics", "Older")] {
      try scene.folder.write(
        TestItem.text(uid: "a", summary: title).utf8, to: "calendars/private/\(file)")
    }
    return scene
  }

  @Test(arguments: ["a-HOST.ics", "z.ics"])
  func theLibraryTakesTheKnownFile(name: String) async throws {
    let scene = try await library(knowing: name)
    let calendar = try #require(try scene.library.calendars().first { $0.name == "private" })
    #expect(try scene.library.entry(UID("a"), of: calendar)?.item.title == "New")
    #expect(try scene.library.contents(of: calendar).entries[UID("a")]?.name == name)
    #expect(Set(scene.library.unreadable(of: calendar).map(\.name)) == ["a.ics", "a (1).ics"])
    // A new copy, and a change of one, change nothing.
    for title in ["Oldest", "Another"] {
      try scene.folder.write(
        TestItem.text(uid: "a", summary: title).utf8, to: "calendars/private/0.ics")
      #expect(try scene.library.entry(UID("a"), of: calendar)?.item.title == "New")
    }
    let export = try await CalendarWriting(of: calendar.location, machine: scene.machine)
    #expect(export.unreadable.count == 3)
  }

  @Test(arguments: ["a-HOST.ics", "z.ics"], ["2026-03-01", "2026-03-02"])
  func aViewShowsTheKnownFileAndReportsTheOthers(name: String, day: String) async throws {
    let scene = try await library(knowing: name)
    let berlin = try scene.machine.viewerZone("Europe/Berlin")
    let first = try Moment(parsing: day).instant(in: berlin)
    let last = try #require(first.adding(seconds: 86_400))
    let calendar = CalendarLocation(path: scene.folder.path(of: "calendars/private"))
    // On the second day, only an old text has an occurrence, which is not shown either.
    try scene.folder.write(
      TestItem.text(uid: "a", summary: "Older").replacing("0301T", with: "0302T").utf8,
      to: "calendars/private/a (1).ics")
    var events: [FileEvent] = []
    let view = try OccurrenceView(
      ViewRequest([calendar], in: first..<last, viewer: berlin), machine: scene.machine
    ) { events.append($0) }
    let titles = Array(view.occurrences()).map { $0.component[.summary]?.text ?? "" }
    #expect(titles == (day == "2026-03-01" ? ["New"] : []))
    let reported = events.compactMap { event in
      if case .unreadable(let path, let reason) = event { "\(path): \(reason)" } else { nil }
    }
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.hasSuffix("holds the UID 'a', which \(name) holds already") })
    #expect(view.outcome == .partial)
  }

  // MARK: Properties

  @Test func restoreBringsPropertiesBack() async throws {
    let scene = try SyncScene(local: ["a"])
    try scene.folder.write("Home\n".utf8, to: "local/displayname")
    try scene.folder.write("#102030".utf8, to: "local/color")
    var set = try await scene.granted()
    _ = try await set.run()
    #expect(try scene.folder.bytes(of: "remote/displayname") == Array("Home".utf8))
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "local"))
    try PrivateFolder.make(scene.folder.path(of: "local"))
    set.options.isDryRun = true
    #expect(
      try await set.restore("home", isNewPlaceAllowed: true).properties == [.name, .color])
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: "local/color")))
    set.options.isDryRun = false
    let restored = try await set.restore("home", isNewPlaceAllowed: true)
    #expect(restored.properties == [.name, .color])
    #expect(restored.items.count == 1)
    _ = try await set.run()
    for side in ["local", "remote"] {
      #expect(try scene.folder.bytes(of: "\(side)/displayname") == Array("Home".utf8))
      #expect(try scene.folder.bytes(of: "\(side)/color") == Array("#102030".utf8))
    }
    #expect(try await set.restore("home").properties == [])
  }

  @Test func aFolderThatWasMadeAnewRemovesNoProperty() async throws {
    let scene = try SyncScene(local: ["a"])
    try scene.folder.write("Home".utf8, to: "local/displayname")
    try scene.folder.write("#102030".utf8, to: "local/color")
    let set = try await scene.granted()
    _ = try await set.run()
    let text = try scene.text("a", in: "local")
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "local"))
    try PrivateFolder.make(scene.folder.path(of: "local"))
    #expect(try await set.run().syncs.map(\.summary.stoppedByGuard) == [true])
    try scene.folder.write(text.utf8, to: "local/a.ics")
    for _ in 1...2 { _ = try await set.run() }
    for side in ["local", "remote"] {
      #expect(try scene.folder.bytes(of: "\(side)/displayname") == Array("Home".utf8))
    }
  }
}
