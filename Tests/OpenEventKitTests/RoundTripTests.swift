// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Items that are loaded, set to what they are, and saved: no byte of a file changes.
///
/// `EPACT_ITERATIONS` in the environment multiplies the number of items. `EPACT_CORPUS` is a folder
/// whose calendar files are tried, too, at any depth.
@Suite("Round trips", .timeLimit(.minutes(60)))
struct RoundTripTests {
  private static let corpus = ProcessInfo.processInfo.environment["EPACT_CORPUS"]
  /// The starts of ranges of four years, which together hold the most usual times of files.
  private static let ranges = stride(from: -32.0, through: 4, by: 4).map { years in
    StoreScene.noon.addingTimeInterval(years * 365 * 86_400)
  }

  @Test("Generated items stay as they are")
  func generated() async throws {
    let scene = try StoreScene()
    for seed in 0..<UInt64(40 * iterationFactor) {
      var random = SeededGenerator(seed: seed)
      let text = String(decoding: ItemDraft.random(&random).item.serialized(), as: UTF8.self)
      let named = text.replacing("UID:draft@example.org", with: "UID:item-\(seed)")
      try scene.folder.write(named.utf8, to: "home/item-\(seed).ics")
    }
    #expect(try await saveUnchanged(in: scene) > 40)
  }

  @Test("Files of other programs stay as they are")
  func realWorld() async throws {
    let scene = try StoreScene()
    var number = 0
    for folder in ["real-world", "quirks", "timezones", "valid"] {
      for fixture in try Fixture.calendars(in: folder) {
        guard let item = try? CalendarItem(parsing: fixture.bytes) else { continue }
        guard item.kind == .event || item.kind == .reminder else { continue }
        number += 1
        try scene.folder.write(fixture.bytes, to: "home/\(number).ics")
      }
    }
    #expect(number > 20)
    #expect(try await saveUnchanged(in: scene) > 20)
  }

  @Test("Files of a corpus stay as they are", .enabled(if: corpus != nil))
  func corpusFiles() async throws {
    let folder = try #require(Self.corpus)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.lowercased().hasSuffix(".ics") }.sorted()
    var count = 0
    for path in paths {
      let collection = try? ItemCollection(contentsOf: "\(folder)/\(path)")
      let items = collection.map { Array($0.items.values) } ?? []
      guard !items.isEmpty else { continue }
      let scene = try StoreScene()
      for (number, item) in items.sorted(by: { $0.uid < $1.uid }).enumerated()
      where [.event, .reminder].contains(item.kind) {
        try scene.folder.write(item.serialized(), to: "home/\(number).ics")
      }
      do {
        count += try await saveUnchanged(in: scene, from: path)
      } catch {
        Issue.record("\(path): \(error)")
      }
    }
    print("\(count) objects of \(paths.count) files")
    #expect(count > paths.count / 2)
  }

  /// Sets all fields of all objects to what they are, and saves them.
  ///
  /// - Returns: The number of objects.
  private func saveUnchanged(
    in scene: StoreScene, from source: String = ""
  ) async throws -> Int {
    try await scene.grant(.full, for: .event)
    try await scene.grant(.full, for: .reminder)
    let names = try scene.folder.names(in: "home")
    let before = try names.map { try scene.folder.bytes(of: "home/\($0)") }
    let store = scene.newStore()
    var count = 0
    for start in Self.ranges {
      let predicate = store.predicateForEvents(
        withStart: start, end: start.addingTimeInterval(4 * 365 * 86_400), calendars: nil)
      var seen: Set<String> = []
      for event in store.events(matching: predicate) {
        // Some occurrences of each series are enough.
        guard seen.insert("\(event.calendarItemIdentifier) \(count % 3)").inserted else { continue }
        setUnchanged(event)
        #expect(!event.hasChanges, "\(source) \(event)")
        try store.save(event, span: count.isMultiple(of: 2) ? .thisEvent : .futureEvents)
        count += 1
      }
    }
    for reminder in await store.reminders() ?? [] {
      setUnchanged(reminder)
      #expect(!reminder.hasChanges, "\(source) \(reminder)")
      try store.save(reminder, commit: true)
      count += 1
    }
    #expect(try scene.folder.names(in: "home") == names)
    for (name, bytes) in zip(names, before) {
      #expect(try scene.folder.bytes(of: "home/\(name)") == bytes, "\(source) \(name)")
    }
    return count
  }

  private func setUnchanged(_ event: EKEvent) {
    setUnchanged(item: event)
    event.isAllDay = event.isAllDay
    event.startDate = event.startDate
    event.endDate = event.endDate
    event.structuredLocation = event.structuredLocation
    event.availability = event.availability
  }

  private func setUnchanged(_ reminder: EKReminder) {
    setUnchanged(item: reminder)
    reminder.startDateComponents = reminder.startDateComponents
    reminder.dueDateComponents = reminder.dueDateComponents
    reminder.isCompleted = reminder.isCompleted
    reminder.completionDate = reminder.completionDate
    reminder.priority = reminder.priority
  }

  private func setUnchanged(item: EKCalendarItem) {
    item.calendar = item.calendar
    item.title = item.title
    item.location = item.location
    item.notes = item.notes
    item.url = item.url
    item.timeZone = item.timeZone
    item.alarms = item.alarms
    item.recurrenceRules = item.recurrenceRules
  }
}
