// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Imports, each taken back byte for byte.
@Suite(.timeLimit(.minutes(60)))
struct ImportUndoTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// Imports items into a calendar.
  private func run(_ bytes: [UInt8], into name: String) async throws -> ImportSummary {
    let path = try world.scene.folder.write(bytes, to: "incoming.ics")
    let calendar = CalendarLocation(path: world.scene.folder.path(of: name))
    return try await CalendarImport.run(
      ImportRequest([path], into: calendar), machine: world.scene.machine
    ) { _ in }
  }

  private func expectExactUndo(of bytes: [UInt8], into name: String, _ label: String) async throws {
    let before = try world.files()
    let summary = try await run(bytes, into: name)
    guard summary[.added] + summary[.updated] > 0 else { return }
    let after = try world.files()
    try #require(after != before, "\(label)")
    for (isRedo, expected) in [(false, before), (true, after), (false, before)] {
      let result = isRedo ? try await world.redo() : try await world.undo()
      try #require(result.outcome == .done, "\(label)")
      let files = try world.files()
      try #require(files == expected, "\(label)")
    }
  }

  /// The items of a file with a new title and revision, and a new item in a zone.
  private static func edited(_ bytes: [UInt8]) -> [UInt8]? {
    guard let stream = try? CalendarStream(parsing: bytes), !stream.calendars.isEmpty else {
      return nil
    }
    var parts: [UInt8] = Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//X//EN\r\n".utf8)
    for calendar in stream.calendars {
      for var component in calendar.components {
        if ItemKind(component.name) != nil {
          component[.summary] = Property(.summary, text: "Imported")
          component[.sequence] = Property(.sequence, rawValue: "99")
        }
        parts += Serializer(lineEnds: .normalized).bytes(of: component)
      }
    }
    let new = TestItem.text(uid: "a new one").components(separatedBy: "\r\n").dropFirst(3).dropLast(
      2)
    return parts + Array((new.joined(separator: "\r\n") + "\r\nEND:VCALENDAR\r\n").utf8)
  }

  /// Of so many fixtures, one is tried; `EPACT_ITERATIONS` tries more of them.
  private static let share = 18

  @Test func fixtures() async throws {
    var count = 0
    let fixtures = try Fixture.allCalendars().filter { $0.bytes.count < 20_000 }
    for (number, fixture) in fixtures.enumerated() where number % Self.share < iterationFactor {
      guard let edited = Self.edited(fixture.bytes) else { continue }
      count += 1
      try world.scene.folder.write(fixture.bytes, to: "one.ics")
      if (try? CalendarItem(parsing: fixture.bytes)) != nil {
        try world.scene.folder.write(fixture.bytes, to: "calendars/private/some name.ics")
      }
      do {
        try await expectExactUndo(of: edited, into: "one.ics", "\(fixture.path) in a file")
      } catch is StoreError {
        // A file that is no whole calendar is not written.
      }
      try await expectExactUndo(of: edited, into: "calendars/private", fixture.path)
      try? FileManager.default.removeItem(
        atPath: world.scene.folder.path(of: "calendars/private/some name.ics"))
    }
    #expect(count > 100 / Self.share)
  }

  @Test func aNewFileIsRemovedAgain() async throws {
    try await expectExactUndo(
      of: Array(TestItem.text(uid: "a").utf8), into: "one.ics", "a new file")
    #expect(!world.scene.exists("one.ics"))
  }

  @Test func aLaterChangeOfAnotherItemStays() async throws {
    let text = TestItem.text(uid: "a").replacing("\r\n", with: "\n")
    try world.scene.folder.write(text.utf8, to: "one.ics")
    _ = try await run(Array(TestItem.text(uid: "b").utf8), into: "one.ics")
    let run = try world.runs().first?.id
    var details = ItemDetails()
    details.title = "Edited"
    try world.editor.changing(try world.item("a"), details, .all).commit()
    #expect(try await world.undo(run).outcome == .done)
    #expect(try world.item("a").item.title == "Edited")
    #expect(throws: EpactError.self) { try world.item("b") }
  }
}
