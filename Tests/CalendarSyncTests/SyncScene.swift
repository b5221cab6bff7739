// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import Synchronization
import TestSupport
import Testing

/// Two sides, a ledger and what goes wrong, for tests of whole runs.
struct SyncScene: Sendable {
  let faults: FaultPlan
  let local: MemoryLocalCalendar
  let remote: MemoryRemote
  let ledger: MemoryLedger
  var tier = AccessTier.full
  var options = SyncOptions()
  var merge = ThreeWayMerge()
  /// The name of the sync.
  var name = "home"
  /// What the clock shows, in seconds.
  var now: Int64 = 0

  init(
    quirks: MemoryRemote.Quirks = [], reductions: MemoryRemote.Reductions = [],
    fields: MemoryFields? = nil, faults: FaultPlan = FaultPlan(), interleaving: Interleaving? = nil,
    isOneFile: Bool = false
  ) {
    self.faults = faults
    local = MemoryLocalCalendar(faults: faults, isHandledAsWhole: isOneFile)
    remote = MemoryRemote(
      quirks: quirks, reductions: reductions, fields: fields, faults: faults,
      interleaving: interleaving)
    ledger = MemoryLedger(faults: faults)
    local.ask { [ledger, location = local.location] in await ledger.names(of: $0, in: location) }
  }

  /// Two sides that have these names, colours, descriptions and orders.
  init(_ here: MemoryProperties, _ there: MemoryProperties) {
    self.init(
      faults: here.faults, local: MemoryLocalCalendar(faults: here.faults, properties: here),
      remote: MemoryRemote(faults: here.faults, properties: there),
      ledger: MemoryLedger(faults: here.faults))
  }

  /// The same sides with another ledger.
  init(
    _ name: String = "home", faults: FaultPlan, local: MemoryLocalCalendar, remote: MemoryRemote,
    ledger: MemoryLedger
  ) {
    self.name = name
    self.faults = faults
    self.local = local
    self.remote = remote
    self.ledger = ledger
  }

  var binding: SyncBinding {
    SyncBinding(
      name: name, local: local.location, remote: remote.identity, filter: options.filter.text)
  }

  /// Fills the ledger as earlier runs did that ended, found a conflict, or were cut off.
  func remember(
    _ entries: [LedgerEntry] = [], conflicts: [StoredConflict] = [], intents: [Intent] = [],
    appended: [AppendRecord] = []
  ) async throws {
    let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: now))
    let waiting = Dictionary(conflicts.map { ($0.uid, $0) }) { first, _ in first }
    let agreed = entries.map {
      Settlement(uid: $0.uid, change: .record($0), conflict: waiting[$0.uid])
    }
    let known = Set(entries.map(\.uid))
    let others = conflicts.filter { !known.contains($0.uid) }
      .map { Settlement(uid: $0.uid, change: .keep, conflict: $0) }
    let added = appended.map { Settlement(uid: $0.uid, change: .appended($0)) }
    try await ledger.settle(agreed + others + added, in: run)
    try await ledger.record(intents, in: run)
  }

  /// The plan of the next run, which a dry run shows.
  func plan() async throws -> SyncPlan {
    var scene = self
    scene.options.isDryRun = true
    for case .planned(let plan) in try await scene.sync().events { return plan }
    return SyncPlan(operations: [])
  }

  /// Lets the time pass after which the remote is asked again for its name, colour and the like.
  mutating func wait() { now += 12 * 3_600 }

  /// What one run did and told.
  struct Outcome: Sendable {
    var summary = RunSummary()
    var events: [SyncEvent] = []
    /// The error that ended the run.
    var failure: String?

    /// The plan, one line an operation.
    var plan: String {
      for case .planned(let plan) in events { return plan.description }
      return ""
    }

    /// The reason for stopping the run; nil for none.
    var objection: GuardObjection? {
      for case .planned(let plan) in events { return plan.objection }
      return nil
    }

    /// The evidence of a restored side that stopped the run; nil for none.
    var rollback: Rollback? {
      if case .rollback(let rollback)? = objection?.cause { rollback } else { nil }
    }

    /// The verbs of the plan with their UIDs, in order.
    var verbs: [String] {
      for case .planned(let plan) in events {
        return plan.operations.map { "\($0.verb) \($0.uid)" }
      }
      return []
    }
  }

  /// Runs the sync once.
  @discardableResult
  func sync() async throws -> Outcome {
    try await outcome { try await $0.run() }
  }

  /// Takes back the last run that changed something.
  @discardableResult
  func undoLast() async throws -> Outcome {
    for run in await ledger.runs(of: name) {
      let properties = try await ledger.propertyJournal(of: run.id)
      let isChange =
        await ledger.journal(of: run.id).contains(where: \.isDone)
        || properties.contains(where: \.isDone)
      if isChange { return try await outcome { try await $0.undo(run, ledger) } }
    }
    return Outcome()
  }

  /// Takes back a run.
  @discardableResult
  func undo(_ run: PastRun) async throws -> Outcome {
    try await outcome { try await $0.undo(run, ledger) }
  }

  /// The location of an item on each side.
  func location(_ uid: String) -> (local: String?, remote: String?) {
    (local.items[uid]?.main?[.location]?.text, remote.items[uid]?.main?[.location]?.text)
  }

  private func outcome(
    _ body: (SyncEngine) async throws -> RunSummary
  ) async throws -> Outcome {
    let events = Mutex<[SyncEvent]>([])
    let summary = try await body(engine { event in events.withLock { $0.append(event) } })
    return Outcome(summary: summary, events: events.withLock { $0 })
  }

  /// The engine of the sync.
  func engine(_ report: @escaping @Sendable (SyncEvent) -> Void) -> SyncEngine {
    SyncEngine(
      name: name, local: local, remote: remote, tier: tier, ledger: ledger, options: options,
      merge: merge, now: { [now] in Instant(secondsSinceEpoch: now) }, report: report)
  }

  /// Writes an item on both sides and syncs, so that the sides agree on it.
  func agree(on summaries: [String: String]) async throws {
    for (uid, summary) in summaries { local.write(TestItem.make(uid: uid, summary: summary)) }
    try await sync()
    try await sync()
    remote.clearLog()
  }

  /// What both sides hold, by UID, as titles.
  var titles: (local: [String: String], remote: [String: String]) {
    (local.items.mapValues(\.title), remote.items.mapValues(\.title))
  }

  /// Expects both sides to hold the same items.
  func expectBoth(
    _ titles: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.titles.local == titles, "local", sourceLocation: sourceLocation)
    #expect(self.titles.remote == titles, "remote", sourceLocation: sourceLocation)
  }

  /// Expects one more run to change nothing, not even the ledger.
  func expectRest(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let before = (local.contents, remote.contents)
    remote.clearLog()
    let settled = await ledger.settled.count
    let outcome = try await sync()
    #expect(remote.writes == [], sourceLocation: sourceLocation)
    #expect(local.contents == before.0, sourceLocation: sourceLocation)
    #expect(remote.contents == before.1, sourceLocation: sourceLocation)
    #expect(await ledger.settled.count == settled, sourceLocation: sourceLocation)
    #expect(outcome.summary.failed == 0, sourceLocation: sourceLocation)
  }

  /// Expects nothing to have changed on either side while a body runs.
  func expectUntouched(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws {
    let before = (local.contents, remote.contents)
    try await body()
    #expect(local.contents == before.0, sourceLocation: sourceLocation)
    #expect(remote.contents == before.1, sourceLocation: sourceLocation)
  }
}
