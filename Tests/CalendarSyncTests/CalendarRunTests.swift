// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

@Suite("Runs of a calendar without a remote")
struct CalendarRunTests {
  private let faults = FaultPlan()
  private let calendar: MemoryLocalCalendar
  private let ledger: MemoryLedger

  init() {
    calendar = MemoryLocalCalendar(faults: faults)
    ledger = MemoryLedger(faults: faults)
    for uid in ["changed", "deleted", "still"] {
      calendar.write(TestItem.make(uid: uid, summary: "old"))
    }
  }

  private var run: CalendarRun {
    CalendarRun(of: calendar, ledger: ledger) { Instant(secondsSinceEpoch: 0) }
  }

  private var titles: [String: String] { calendar.items.mapValues(\.title) }

  /// Adds an item, changes one and deletes one.
  private func change() async throws {
    let run = run
    let entries = try await calendar.scan().entries
    let changes: [LocalChange] = entries.compactMap { entry in
      switch entry.item.uid.rawValue {
      case "changed":
        .update(
          name: entry.name, from: entry.revision,
          to: TestItem.make(uid: "changed", summary: "new"))
      case "deleted": .delete(name: entry.name, from: entry.revision)
      default: nil
      }
    }
    _ = try await run.apply(
      changes + [.create(TestItem.make(uid: "added", summary: "new"))], over: entries)
    try await run.end()
  }

  @discardableResult
  private func undo(_ number: Int64? = nil) async throws -> RunSummary {
    let past = await ledger.runs(of: nil)
    let earlier = try #require(past.first { number == nil || $0.id.rawValue == number })
    return try await run.undo(earlier, ledger, isDryRun: false) { _ in }
  }

  @Test("What it did is in the history, goes back byte for byte, and is done again")
  func takenBack() async throws {
    let before = calendar.contents
    try await change()
    let after = calendar.contents
    let past = try #require(await ledger.runs(of: nil).first)
    #expect(past.binding?.isImport == true)
    #expect(past.summary.downloaded == 2)
    #expect(past.summary.deletedLocally == 1)
    #expect(await ledger.journal(of: past.id).allSatisfy(\.isDone))
    try await undo()
    #expect(calendar.contents == before)
    try await undo()
    #expect(calendar.contents == after)
  }

  @Test("The plan of taking an import back names no remote")
  func reasons() async throws {
    try await change()
    let past = try #require(await ledger.runs(of: nil).first)
    let reasons = Mutex<[PlanReason]>([])
    _ = try await run.undo(past, ledger, isDryRun: true) { event in
      guard case .planned(let plan) = event else { return }
      reasons.withLock { $0 = plan.operations.map(\.reason) }
    }
    #expect(reasons.withLock { Set($0) } == [.undo(.restored)])
  }

  @Test("What changed since is left alone and reported; the rest goes back")
  func changedSince() async throws {
    try await change()
    calendar.write(TestItem.make(uid: "changed", summary: "newer"))
    calendar.write(TestItem.make(uid: "deleted", summary: "made anew"))
    let summary = try await undo()
    #expect(summary.failed == 2)
    #expect(titles == ["changed": "newer", "deleted": "made anew", "still": "old"])
  }

  @Test("What changes while a run is taken back is kept, and counts as deferred")
  func changedMeanwhile() async throws {
    try await change()
    let past = try #require(await ledger.runs(of: nil).first)
    let summary = try await run.undo(past, ledger, isDryRun: false) { [calendar] event in
      guard case .planned = event else { return }
      calendar.write(TestItem.make(uid: "changed", summary: "newer"))
    }
    #expect(summary.deferred == 1)
    #expect(summary.failed == 0)
    #expect(titles == ["changed": "newer", "deleted": "old", "still": "old"])
  }

  @Test("Cut off anywhere, it can be taken back all the same")
  func cutOff() async throws {
    let before = calendar.contents
    let untroubled = CalendarRunTests()
    untroubled.faults.restart()
    try await untroubled.change()
    let count = untroubled.faults.calls.count
    #expect(count >= 6)
    for index in 0..<count {
      for fault in FaultPlan.Fault.allCases {
        let scene = CalendarRunTests()
        scene.faults.restart([index: fault])
        _ = try? await scene.change()
        scene.faults.restart()
        guard await !scene.ledger.runs(of: nil).isEmpty else { continue }
        try await scene.undo(1)
        #expect(scene.calendar.contents == before, "\(fault) at call \(index)")
        let binding = SyncBinding.imports(into: scene.calendar.location)
        #expect(try await scene.ledger.pendingIntents(of: binding) == [])
      }
    }
  }
}
