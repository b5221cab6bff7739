// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Local calendars whose snapshots are not what they seem.
@Suite("Snapshots of the local calendar")
struct LocalSnapshotTests {
  /// A local calendar that moved to another file system, or that does not notice changes.
  private struct OddCalendar: LocalCalendar {
    let files: MemoryLocalCalendar
    var isMoved = false
    /// The records of each survey with a snapshot.
    var staleRecords: [LocalRecord]?

    var location: String { files.location }
    var properties: (any CollectionPropertyStore)? { files.properties }

    func scan() async throws -> LocalListing { try await files.scan() }

    func survey(
      since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
    ) async throws -> LocalSurvey {
      let survey = try await files.survey(since: snapshot, in: form, at: now)
      guard let staleRecords, let snapshot else { return survey }
      return LocalSurvey(
        isUnchanged: true, changes: nil, unreadable: survey.unreadable, snapshot: snapshot
      ) { staleRecords }
    }

    func isSamePlace(as snapshot: LocalSnapshot) -> Bool { !isMoved }

    func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
      try await files.apply(changes)
    }
  }

  private func sync(
    _ scene: SyncScene, _ calendar: OddCalendar, isVerifying: Bool = false
  ) async throws -> RunSummary {
    var options = SyncOptions()
    options.isVerifying = isVerifying
    return try await SyncEngine(
      name: scene.name, local: calendar, remote: scene.remote, tier: .full, ledger: scene.ledger,
      options: options, now: { Instant(secondsSinceEpoch: 0) }, report: { _ in }
    ).run()
  }

  @Test("On another file system no deletion is believed, unless it is allowed")
  func otherPlace() async throws {
    for isMoved in [true, false] {
      let scene = SyncScene()
      try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
      scene.local.remove("a")
      let calendar = OddCalendar(files: scene.local, isMoved: isMoved)
      #expect(try await sync(scene, calendar).stoppedByGuard == isMoved)
      #expect(scene.remote.items.count == (isMoved ? 3 : 2))
    }
  }

  @Test("A verification reads the local items without the snapshot")
  func verification() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "1", "b": "2"])
    let records = try await scene.local.survey(
      since: nil, in: scene.merge.normalForm, at: Instant(secondsSinceEpoch: 0)
    ).records()
    scene.local.write(TestItem.make(uid: "c", summary: "3"))
    let calendar = OddCalendar(files: scene.local, staleRecords: records)
    #expect(try await sync(scene, calendar).uploaded == 0)
    #expect(try await sync(scene, calendar, isVerifying: true).uploaded == 1)
    scene.expectBoth(["a": "1", "b": "2", "c": "3"])
  }
}
