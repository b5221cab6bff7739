// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import TestSupport
import Testing

/// Edits of any item, each taken back byte for byte.
///
/// `EPACT_ITERATIONS` in the environment multiplies the number of items, and `EPACT_CORPORA` names a
/// folder whose `.ics` files are tried as well.
@Suite(.timeLimit(.minutes(60)))
struct EditPropertyTests {
  @Test func generatedItems() async throws {
    var calendars: [(seed: UInt64, bytes: [UInt8])] = []
    forAll(8) { random in
      let seed = random.next()
      calendars.append((seed, ItemDraft.random(&random).item.serialized()))
    }
    #expect(!calendars.isEmpty)
    for (seed, bytes) in calendars { try await check(bytes, seed: seed, "seed \(seed)") }
  }

  /// Of so many fixtures, one is tried; `EPACT_ITERATIONS` tries more of them.
  private static let share = 12

  @Test func fixtures() async throws {
    var count = 0
    let fixtures = try Fixture.allCalendars().filter { $0.bytes.count < 100_000 }
    for (number, fixture) in fixtures.enumerated() where number % Self.share < iterationFactor {
      try await check(fixture.bytes, seed: UInt64(fixture.bytes.count), fixture.path)
      count += 1
    }
    #expect(count > 100 / Self.share)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["EPACT_CORPORA"] != nil))
  func corpora() async throws {
    let root = try #require(ProcessInfo.processInfo.environment["EPACT_CORPORA"])
    let names = try #require(FileManager.default.enumerator(atPath: root)?.allObjects)
    for case let name as String in names where name.hasSuffix(".ics") {
      guard let data = try? Data(contentsOf: URL(filePath: root).appending(path: name)) else {
        continue
      }
      try await check(Array(data), seed: UInt64(data.count), name)
    }
  }

  /// Edits the items of a file, in a folder and in a calendar of one file, and takes it back.
  private func check(_ bytes: [UInt8], seed: UInt64, _ name: String) async throws {
    let world = try EditScene()
    try world.scene.folder.write(bytes, to: "calendars/private/some name.ics")
    try world.scene.folder.write(bytes, to: "one.ics")
    for calendar in ["private", "one"] {
      guard
        let entries = try? world.library.contents(of: try world.calendar(calendar)).entries.values
          .sorted(by: { $0.item.uid < $1.item.uid })
      else { continue }
      for (number, entry) in entries.prefix(iterationFactor).enumerated() {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        let found = FoundItem(calendar: try world.calendar(calendar), entry: entry)
        try await check(found, &random, world, name)
      }
    }
  }

  private func check(
    _ found: FoundItem, _ random: inout SeededGenerator, _ world: EditScene, _ name: String
  ) async throws {
    let before = try world.files()
    guard let edit = try? edit(found, &random, world), !edit.isEmpty else { return }
    try #require(try edit.commit() != nil, "\(name)")
    let after = try world.files()
    let result = try await world.undo()
    try #require(result.outcome == .done, "\(name): \(edit.changes.map(\.kind))")
    try #require(try world.files() == before, "\(name): \(edit.changes.map(\.kind))")
    try await world.redo()
    try #require(try world.files() == after, "\(name): \(edit.changes.map(\.kind))")
    try await world.undo()
    try #require(try world.files() == before, "\(name): \(edit.changes.map(\.kind))")
  }

  private func edit(
    _ found: FoundItem, _ random: inout SeededGenerator, _ world: EditScene
  ) throws -> PreparedEdit {
    var details = ItemDetails()
    details.title = "Changed"
    details.note = "One\nTwo, three; four"
    if Bool.random(using: &random) { details.alarms = [try AlarmTime(parsing: "15m")] }
    if Int.random(in: 0..<4, using: &random) == 0 {
      details.repetition = Repetition("weekly", count: 3)
    }
    var span = EditSpan.all
    if found.isSeries, let id = found.item.main.flatMap({ Event($0).start }) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        span = .occurrence(id)
        details.repetition = nil
      case 1: span = .future(from: id)
      default: break
      }
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return try world.editor.deleting(found, span)
    case 1: return try world.editor.moving(found, to: try world.calendar("work"))
    case 2: return try world.editor.copying(found, to: try world.calendar("work"))
    case 3 where found.item.kind == .reminder:
      return try world.editor.setting(.completed, of: found)
    default: return try world.editor.changing(found, details, span)
    }
  }
}
