// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// One random history under write-only access, on a remote where others take places of new events.
struct AppendHistory {
  private static let uids = ["a", "b", "c", "d"]

  private let seed: UInt64
  private var random: SeededGenerator
  private var scene: SyncScene
  private var steps: [String] = []
  private var edits = 0
  /// The events of others, which no run may change.
  private var foreign: [String: CalendarItem] = [:]
  /// The events that were reported as taken, until an event of ours is there.
  private var known: Set<String> = []
  /// The events with an interrupted addition, except to a place that was known to be taken.
  ///
  /// If the place is found taken afterwards, nothing shows without read access whether the addition
  /// got through or another program took the place.
  private var doubtful: Set<String> = []
  /// The events that were added.
  private var added: Set<String> = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let quirks: [MemoryRemote.Quirks] = [[], .noTagAfterWrite, .rewrites, .weakTags]
    scene = SyncScene(
      quirks: quirks.randomElement(using: &random) ?? [], interleaving: Interleaving(seed: seed))
    scene.tier = .writeOnly
    scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...10, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { act() }
      scene.now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      var faults: [Int: FaultPlan.Fault] = [:]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        faults[Int.random(in: 0..<20, using: &random)] = FaultPlan.Fault.allCases.randomElement(
          using: &random)
      }
      try await run(faults)
    }
    for _ in 1...4 {
      // Whatever is held back is tried again after a week.
      scene.now += 8 * 86_400
      try await run([:])
    }
    try await finish()
  }

  private mutating func act() {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    edits += 1
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2:
      steps.append("write \(uid)\(edits)")
      scene.local.write(TestItem.make(uid: uid, summary: "\(uid)\(edits)"))
    case 3:
      steps.append("delete \(uid)")
      scene.local.remove(uid)
    case 4 where scene.remote.items[uid] == nil && !added.contains(uid):
      steps.append("take \(uid)")
      let item = TestItem.make(uid: uid, summary: "theirs \(edits)")
      foreign[uid] = item
      scene.remote.write(item)
    case 5 where foreign[uid] != nil:
      steps.append("free \(uid)")
      foreign[uid] = nil
      scene.remote.remove(uid)
    default: break
    }
  }

  private mutating func run(_ faults: [Int: FaultPlan.Fault]) async throws {
    scene.faults.restart(faults)
    steps.append("sync \(faults.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
    var outcome = SyncScene.Outcome()
    do {
      outcome = try await scene.sync()
    } catch is FaultPlan.Crash {
      steps.append("crashed after \(scene.faults.calls.last ?? "nothing")")
    } catch is FaultPlan.Failure {
      steps.append("failed at \(scene.faults.calls.last ?? "nothing")")
    }
    scene.faults.restart()
    for case .done(let operation) in outcome.events { check(operation) }
    for case .failed(let operation, _) in outcome.events
    where foreign[operation.uid.rawValue] != nil && faults.isEmpty {
      known.insert(operation.uid.rawValue)
    }
    // A taken place is forgotten with its event.
    known.formIntersection(scene.local.items.keys)
    let open = Set(try await scene.ledger.pendingIntents(of: scene.binding).map(\.uid.rawValue))
    doubtful = doubtful.intersection(open).union(open.subtracting(known))
    for (uid, item) in foreign {
      #expect(scene.remote.items[uid] == item, "\(uid) is as others wrote it; \(told)")
    }
    let calls = scene.remote.log.filter { !$0.hasPrefix("append ") && $0 != "open appender" }
    #expect(calls == [], "nothing is read; \(told)")
    guard faults.isEmpty else { return }
    let records = Set(try await scene.ledger.appended(to: scene.binding.remote).map(\.uid.rawValue))
    for uid in scene.local.items.keys where !records.contains(uid) {
      #expect(isReported(uid, in: outcome), "\(uid) is not there and not reported; \(told)")
    }
  }

  private mutating func check(_ operation: PlannedOperation) {
    let uid = operation.uid.rawValue
    added.insert(uid)
    known.remove(uid)
    guard !doubtful.contains(uid) else { return }
    #expect(foreign[uid] == nil, "\(uid) is reported as added, and is not there; \(told)")
    let title = scene.remote.items[uid]?.title ?? ""
    #expect(title.hasPrefix(uid), "\(uid) is reported as added, and is not there; \(told)")
  }

  private func isReported(_ uid: String, in outcome: SyncScene.Outcome) -> Bool {
    outcome.events.contains { event in
      switch event {
      case .failed(let operation, _): operation.uid.rawValue == uid
      case .planned(let plan):
        plan.operations.contains { $0.uid.rawValue == uid && $0.isFailure }
      default: false
      }
    }
  }

  private mutating func finish() async throws {
    scene.remote.clearLog()
    let places = scene.remote.contents.count
    let outcome = try await scene.sync()
    #expect(scene.remote.contents.count == places, "a further run adds nothing; \(told)")
    #expect(outcome.summary.appended == 0, "a further run adds nothing; \(told)")
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
