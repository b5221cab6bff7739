// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

/// A library whose calendars are edited in a time zone, with a fixed clock.
struct EditScene {
  /// Noon of a Tuesday in Berlin.
  static let noon = Instant(secondsSinceEpoch: 1_795_518_000)

  let scene: LibraryScene
  let editor: LibraryEditor

  init(_ configuration: String = LibraryScene.configuration, now: Instant = noon) throws {
    var scene = try LibraryScene(configuration, isLater: false)
    scene.machine.now = { now }
    scene.machine.localZone = "Europe/Berlin"
    self.scene = scene
    editor = LibraryEditor(
      CalendarLibrary(machine: scene.machine),
      viewer: try scene.machine.viewerZone("Europe/Berlin"))
  }

  var library: CalendarLibrary { editor.library }
  var dates: DateReading {
    get throws { try DateReading(machine: scene.machine, viewer: editor.viewer) }
  }

  func calendar(_ name: String) throws -> CalendarInfo {
    try #require(try library.calendars().first { $0.name == name })
  }

  /// The only item with a title or a UID.
  func item(_ name: String) throws -> FoundItem { try ItemFinder(editor).item(name) }

  /// All files of the calendars with their bytes.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for folder in ["calendars/holidays", "calendars/private", "calendars/tasks", "synced/work"] {
      let path = scene.folder.path(of: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        files["\(folder)/\(name)"] = try scene.folder.bytes(of: "\(folder)/\(name)")
      }
    }
    if scene.exists("one.ics") { files["one.ics"] = try scene.folder.bytes(of: "one.ics") }
    return files
  }

  /// The history.
  func history() throws -> LedgerDatabase {
    try LedgerFolder(machine: scene.machine, isReadOnly: true).openDatabase()
  }

  @discardableResult
  func undo(_ run: RunID? = nil) async throws -> SyncResult {
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    return try await SyncSet(configuration, machine: scene.machine).undo(run)
  }

  @discardableResult
  func redo() async throws -> SyncResult {
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    return try await SyncSet(configuration, machine: scene.machine).redo()
  }
}
