// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import Synchronization
import TestSupport
import Testing

/// Two programs and a sync on one calendar at the same time.
///
/// Each edit appends a word to the notes of an event. A save that succeeds has its word in the end
/// on both sides, whatever the others did meanwhile.
///
/// `EPACT_HISTORIES` in the environment sets how many histories there are, `EPACT_SEED` the first.
@Suite("Histories of programs and syncs", .timeLimit(.minutes(60)))
struct ConcurrentHistoryTests {
  /// The words that were saved, and the events that were deleted.
  private final class Record: Sendable {
    struct State {
      var words: [String: Set<String>] = [:]
      var deleted: Set<String> = []
    }

    let state = Mutex(State())

    func save(_ word: String, in uid: String) {
      state.withLock { _ = $0.words[uid, default: []].insert(word) }
    }

    func delete(_ uid: String) {
      state.withLock { _ = $0.deleted.insert(uid) }
    }
  }

  @Test("Nothing that was saved is lost")
  func histories() async throws {
    for seed in Seeds.played(10) {
      do {
        try await history(seed)
      } catch {
        Issue.record("EPACT_SEED=\(seed): \(error)")
        return
      }
    }
  }

  private func history(_ seed: UInt64) async throws {
    let scene = try StoreScene(
      extra: StoreScene.homeSync)
    try await scene.grant(.full, for: .event)
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    var access = try await RemoteAccess(to: "disk", in: configuration, machine: scene.machine)
    try await access.store(.full, purpose: "Keeps a copy on a disk.")
    for number in 0..<3 { try scene.write("event-\(number)", to: "home") }
    let record = Record()
    await withTaskGroup(of: Void.self) { group in
      for program in 0..<2 {
        group.addTask { edit(scene, SeededGenerator(seed: seed &* 2 &+ UInt64(program)), record) }
      }
      group.addTask { await sync(scene, configuration, times: 2) }
    }
    await sync(scene, configuration, times: 3)
    try expect(record, in: "home", of: scene, seed)
    try expect(record, in: "holidays", of: scene, seed)
  }

  private func sync(_ scene: StoreScene, _ configuration: Configuration, times: Int) async {
    for _ in 0..<times {
      _ = try? await SyncSet(configuration, machine: scene.machine).run()
    }
  }

  /// A program that edits, creates and deletes events, and fetches again after a failure.
  private func edit(_ scene: StoreScene, _ generator: SeededGenerator, _ record: Record) {
    var random = generator
    let store = scene.newStore()
    for _ in 0..<6 {
      let word = "w\(UInt64.random(in: 0..<1_000_000_000, using: &random))"
      let events = store.lunches
      let choice = Int.random(in: 0..<10, using: &random)
      guard choice > 1, let event = events.randomElement(using: &random) else {
        let event = store.newLunch(in: "home")
        event.notes = word
        guard (try? store.save(event, span: .thisEvent)) != nil else { continue }
        record.save(word, in: event.calendarItemExternalIdentifier ?? "")
        continue
      }
      let uid = event.calendarItemExternalIdentifier ?? ""
      do {
        if choice == 2 {
          try store.remove(event, span: .thisEvent)
          record.delete(uid)
        } else {
          event.notes = "\(event.notes ?? "") \(word)"
          try store.save(event, span: .thisEvent)
          record.save(word, in: uid)
        }
      } catch {
        store.reset()
      }
    }
  }

  private func expect(
    _ record: Record, in calendar: String, of scene: StoreScene, _ seed: UInt64
  ) throws {
    let texts = try scene.texts(in: calendar).map { $0.replacing("\n ", with: "") }
    let state = record.state.withLock(\.self)
    for (uid, words) in state.words where !state.deleted.contains(uid) {
      let matches = texts.filter { $0.contains("UID:\(uid)\n") }
      #expect(matches.count == 1, "EPACT_SEED=\(seed): \(uid) in \(calendar)")
      for word in words {
        #expect(
          matches.first?.contains(word) == true, "EPACT_SEED=\(seed): \(uid) lost \(word)")
      }
    }
  }
}
