// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// One random history, and the trivial model of what must survive it.
struct History {
  private enum Side: CaseIterable {
    case local, remote
  }

  /// What people edit: so that two edits of one item may or may not touch each other.
  private enum Field: String, CaseIterable {
    case summary = "SUMMARY"
    case location = "LOCATION"
  }

  private static let uids = ["a", "b", "c", "d", "e"]
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .noTagAfterWrite, .churnsTags, .rewrites, [.rewrites, .tellsTagOfRewritten],
    .dropsUnknown,
  ]

  private let seed: UInt64
  private var random: SeededGenerator
  private var scene: SyncScene
  private var edits = 0
  private var steps: [String] = []
  /// The last edit of a person on each side that nothing may lose, by UID.
  ///
  /// It is replaced by a later edit or deletion of a person who saw it: on the same side.
  private var owed: [Side: [String: [Field: String]]] = [.local: [:], .remote: [:]]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    scene = SyncScene(quirks: Self.quirks.randomElement(using: &random) ?? [])
    // The guard is tested elsewhere; here it would stop half of the histories.
    scene.options.safeguards.allowed = Self.uids.count
    scene.options.batchSize = Int.random(in: 1...4, using: &random)
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...12, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { act() }
      try await syncBadly()
    }
    try await finish()
  }

  // MARK: What people do

  private mutating func act() {
    let side = Side.allCases.randomElement(using: &random) ?? .local
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    let held = (side == .local ? scene.local.items : scene.remote.items)[uid]
    // A person who edits or deletes what is there has seen it; what another side's edit is owed for
    // is settled by that.
    if let held, Int.random(in: 0..<4, using: &random) == 0 {
      steps.append("delete \(uid) \(side)")
      for field in Field.allCases { pay(Self.value(of: field, in: held), field, uid) }
      owed[side]?[uid] = nil
      if side == .local { scene.local.remove(uid) } else { scene.remote.remove(uid) }
      return
    }
    edits += 1
    let field = Field.allCases.randomElement(using: &random) ?? .summary
    let value = "\(uid)\(edits)"
    steps.append("write \(field.rawValue) \(value) \(side)")
    if let held { pay(Self.value(of: field, in: held), field, uid) }
    owed[side, default: [:]][uid, default: [:]][field] = value
    let item = TestItem.make(
      uid: uid,
      summary: field == .summary ? value : held.flatMap { Self.value(of: .summary, in: $0) } ?? "",
      location: field == .location ? value : held.flatMap { Self.value(of: .location, in: $0) })
    if side == .local { scene.local.write(item) } else { scene.remote.write(item) }
  }

  /// Nobody owes an edit any more that a person replaced.
  private mutating func pay(_ value: String?, _ field: Field, _ uid: String) {
    for side in Side.allCases where owed[side]?[uid]?[field] == value {
      owed[side]?[uid]?[field] = nil
    }
  }

  private static func value(of field: Field, in item: CalendarItem?) -> String? {
    item?.main?[PropertyName(field.rawValue)]?.text
  }

  private mutating func syncBadly() async throws {
    var faults: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      faults[Int.random(in: 0..<30, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    scene.faults.restart(faults)
    steps.append("sync \(faults.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
    do {
      try await scene.sync()
    } catch is FaultPlan.Crash {
      steps.append("crashed after \(scene.faults.calls.last ?? "nothing")")
    } catch is FaultPlan.Failure {
      steps.append("failed at \(scene.faults.calls.last ?? "nothing")")
    }
    scene.faults.restart()
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    // Two runs bring the sides together; a server that rewrites answers with a third.
    for _ in 1...3 { try await scene.sync() }
    let items = (local: scene.local.items, remote: scene.remote.items)
    let conflicts = try await scene.ledger.conflicts(of: scene.binding)
    let waiting = Set(conflicts.map(\.uid.rawValue))
    for field in Field.allCases {
      #expect(
        items.local.filter { !waiting.contains($0.key) }.mapValues { Self.value(of: field, in: $0) }
          == items.remote.filter { !waiting.contains($0.key) }
          .mapValues { Self.value(of: field, in: $0) }, "the sides agree; \(told)")
    }
    for side in Side.allCases {
      for (uid, values) in owed[side] ?? [:] {
        for (field, value) in values {
          let isThere = [items.local[uid], items.remote[uid]]
            .contains { Self.value(of: field, in: $0) == value }
          let line = "\(field.rawValue):\(value)\r\n"
          #expect(isThere || isKept(line, in: conflicts), "\(value) is lost; \(told)")
        }
      }
    }
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [], "\(told)")
    let before = (scene.local.contents, scene.remote.contents)
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.writes == [], "a further run writes nothing; \(told)")
    #expect(scene.local.contents == before.0, "a further run changes no file; \(told)")
    #expect(scene.remote.contents == before.1, "a further run changes nothing there; \(told)")
  }

  private func isKept(_ line: String, in conflicts: [StoredConflict]) -> Bool {
    conflicts.contains { conflict in
      [conflict.local, conflict.remote].contains { version in
        version.map { String(decoding: $0, as: UTF8.self).contains(line) } ?? false
      }
    }
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
