// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

/// The scenarios of `Fixtures/sync/`: the contents of each side and the resulting plan.
@Suite("Scenarios of a sync")
struct SyncFixtureTests {
  /// As the program compares: with the time zones of the machine.
  private static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))

  /// The folders below `Fixtures/sync/` that hold calendars, as `edited-here` or `merge/availability`.
  static func scenarios() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: Fixture.root.appending(path: "sync").path)
    let folders = paths.filter { $0.hasSuffix(".ics") }
      .map { $0.split(separator: "/").dropLast().joined(separator: "/") }
    return Set(folders).sorted()
  }

  @Test("There are scenarios")
  func isComplete() throws {
    #expect(try Self.scenarios().count >= 170)
  }

  @Test(
    "The plan is the one that is kept, and the one that is carried out", arguments: try scenarios())
  func plan(_ name: String) async throws {
    let base = try Self.items("sync/\(name)/base.ics").items
    let rewritten = try Self.items("sync/\(name)/remote-base.ics").items
    let local = try Self.items("sync/\(name)/local.ics")
    let remote = try Self.items("sync/\(name)/remote.ics")
    var scene = SyncScene()
    scene.merge = ThreeWayMerge(normalForm: Self.form)
    // The folders `pull` and `push` hold the scenarios of one-way syncs.
    scene.options.direction =
      name.split(separator: "/").first.flatMap { SyncDirection(rawValue: String($0)) } ?? .both
    for item in local.items { scene.local.write(item) }
    for file in local.unreadable { scene.local.write(file.bytes, as: file.name) }
    for item in remote.items {
      scene.remote.write(item, at: Self.href(item.uid).rawValue, tag: Self.tag(item))
    }
    for file in remote.unreadable { scene.remote.write(file.bytes, at: "/\(file.name)") }
    try await scene.remember(
      base.map { item in
        let theirs = rewritten.first { $0.uid == item.uid }
        return LedgerEntry(
          uid: item.uid, localName: ItemName(of: item.uid).rawValue, localBase: item.fingerprint,
          href: Self.href(item.uid), etag: Self.tag(theirs ?? item),
          remoteBase: (theirs ?? item).fingerprint, base: item.serialized(),
          remoteContent: theirs?.serialized())
      })
    let text = try await scene.plan().description
    try Golden("sync/\(name)/plan.txt").expect(text.isEmpty ? "nothing to do\n" : text + "\n")
    #expect(try await scene.sync().plan == text)
  }

  /// The items of a calendar, one an object; a file that is absent is an empty calendar.
  ///
  /// An object that is no item stands for a file that cannot be read; its X-NAME is the file's name.
  private static func items(
    _ path: String
  ) throws -> (items: [CalendarItem], unreadable: [(name: String, bytes: [UInt8])]) {
    guard FileManager.default.fileExists(atPath: Fixture.root.appending(path: path).path) else {
      return ([], [])
    }
    let text = String(decoding: try Fixture(path).bytes, as: UTF8.self)
    var items: [CalendarItem] = []
    var unreadable: [(name: String, bytes: [UInt8])] = []
    let end = "END:VCALENDAR" + (text.contains("\r\n") ? "\r\n" : "\n")
    for part in text.split(separator: end) {
      let object = part + end
      do {
        items.append(try CalendarItem(parsing: Array(object.utf8)))
      } catch {
        let name = object.split(separator: "\r\n").first { $0.hasPrefix("X-NAME:") }
        unreadable.append((String(try #require(name).dropFirst(7)), Array(object.utf8)))
      }
    }
    return (items, unreadable)
  }

  private static func href(_ uid: UID) -> Href { Href("/" + ItemName(of: uid).rawValue) }

  /// The tag is made of the bytes, as most servers do.
  private static func tag(_ item: CalendarItem) -> EntityTag {
    EntityTag("\"\(SHA256.digest(of: item.serialized()).description.prefix(8))\"")
  }
}
