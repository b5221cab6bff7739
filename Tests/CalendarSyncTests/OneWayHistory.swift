// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One random history of a one-way sync: people edit both sides while runs fail, lose answers and crash.
///
/// The source is the side that decides. No run changes it. Each edit of the other side, the target, is there or
/// in the journal, unless a person replaced it. In the end the target has all items of the source. It keeps the
/// items that only it holds, and a sync that pushes deletes none there that it did not send.
struct OneWayHistory {
  private static let uids = ["a", "b", "c", "d", "e"]
  /// When each item starts, in days from the beginning of a history that has a window.
  private static let days: [String: Int64] = ["a": 0, "b": -400, "c": 35, "d": -15, "e": 20]
  /// When a history begins: 1 March 2026, noon.
  private static let beginning: Int64 = 1_772_366_400
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .churnsTags, .keepsCursors, [.keepsCursors, .forgetsCursors], .listsLate,
    [.listsLate, .keepsCursors], .weakTags, [.weakTags, .keepsCursors], .noTagAfterWrite,
    [.keepsCursors, .noTagAfterWrite], .rewrites, [.rewrites, .tellsTagOfRewritten],
    [.keepsCursors, .rewrites], .dropsUnknown, [.keepsCursors, .dropsUnknown],
  ]

  private let seed: UInt64
  private let direction: SyncDirection
  private var random: SeededGenerator
  private var scene: SyncScene
  private var steps: [String] = []
  private var edits = 0
  /// The last edit of a person on the target that nothing may lose, by UID.
  private var owed: [String: String] = [:]
  /// The items of the remote that syncs may have written since they are there.
  private var sent: Set<String> = []
  /// The values that people wrote on this side.
  private var own: Set<String> = []
  private var hasUndone = false
  /// The number of runs that replaced an edit of the target, or reverted a deletion there.
  private(set) var overruled = 0

  init(seed: UInt64, _ direction: SyncDirection) {
    self.seed = seed
    self.direction = direction
    random = SeededGenerator(seed: seed)
    scene = SyncScene(
      quirks: Self.quirks.randomElement(using: &random) ?? [],
      interleaving: Interleaving(seed: seed), isOneFile: seed % 4 >= 2)
    scene.now = Self.beginning
    scene.options.safeguards.allowed = Self.uids.count
    scene.options.batchSize = Int.random(in: 1...4, using: &random)
    scene.options.partSize = [1, 2, 3, 500].randomElement(using: &random) ?? 500
    scene.options.unsettledLimit = [0, 1, 500].randomElement(using: &random) ?? 500
    scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
    if seed.isMultiple(of: 3) {
      (scene.options.filter.past, scene.options.filter.future) = (20, 20)
    }
  }

  private var source: MergeSide { direction == .pull ? .remote : .local }
  private var target: MergeSide { direction == .pull ? .local : .remote }

  private func items(_ side: MergeSide) -> [String: CalendarItem] {
    side == .local ? scene.local.items : scene.remote.items
  }

  private func contents(_ side: MergeSide) -> [String: [UInt8]] {
    side == .local ? scene.local.contents : scene.remote.contents
  }

  mutating func play() async throws {
    // What a sync in both directions left: conflicts, intents, and items of either side.
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { try await act() }
      try await run(.both, isUndoing: false)
    }
    owed = [:]
    scene.options.direction = direction
    steps.append("\(direction)")
    for _ in 0..<Int.random(in: 3...12, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { try await act() }
      if Int.random(in: 0..<4, using: &random) == 0 { disturb() }
      scene.now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      scene.options.isVerifying = Int.random(in: 0..<8, using: &random) == 0
      if Int.random(in: 0..<8, using: &random) == 0 { try await rehearse() }
      try await run(direction, isUndoing: Int.random(in: 0..<8, using: &random) == 0)
    }
    try await finish()
  }

  // MARK: What people do

  private mutating func act() async throws {
    let side = MergeSide.allCases.randomElement(using: &random) ?? .local
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    if items(side)[uid] != nil, Int.random(in: 0..<4, using: &random) == 0 {
      steps.append("delete \(uid) \(side)")
      if side == target { owed[uid] = nil }
      if side == .local { scene.local.remove(uid) } else { scene.remote.remove(uid) }
      return
    }
    edits += 1
    let value = "\(uid)\(edits)"
    steps.append("write \(value) \(side)")
    if side == target { owed[uid] = value }
    if side == .local { own.insert(value) }
    if side == .remote, items(.remote)[uid] == nil, try await !isKnown(uid) { sent.remove(uid) }
    let item = placed(TestItem.make(uid: uid, summary: value))
    if side == .local { scene.local.write(item) } else { scene.remote.write(item) }
  }

  /// Whether an item that is added to the remote looks like an edit, because no run has seen its absence.
  private func isKnown(_ uid: String) async throws -> Bool {
    let entries = try await scene.ledger.entries(of: scene.binding).map(\.uid)
    let intents = try await scene.ledger.pendingIntents(of: scene.binding).map(\.uid)
    return (entries + intents).contains(UID(uid))
  }

  /// The item at the time at which it starts, with the time of its edit.
  private func placed(_ item: CalendarItem) -> CalendarItem {
    let days = Self.days[item.uid.rawValue] ?? 0
    let start = Instant(secondsSinceEpoch: Self.beginning + days * 86_400).description
    let time = Instant(secondsSinceEpoch: Self.beginning + Int64(edits) * 60).description
    let text = String(decoding: item.serialized(), as: UTF8.self)
      .replacing("20260301T120000Z", with: start)
    return TestItem.parse(text.replacing("SEQUENCE:", with: "LAST-MODIFIED:\(time)\r\nSEQUENCE:"))
  }

  /// Something that is no edit.
  private mutating func disturb() {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    let number = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      steps.append("rename \(uid) to \(number).ics")
      if scene.local.contents["\(number).ics"] == nil {
        scene.local.rename(uid, to: "\(number).ics")
      }
    case 1:
      steps.append("move \(uid) to \(number)")
      if scene.remote.contents["\(number)"] == nil { scene.remote.move(uid, to: "\(number)") }
    case 2:
      steps.append("outgrow \(uid)")
      scene.remote.outgrow(uid)
    case 3:
      steps.append("shrink")
      scene.remote.outgrow(nil)
    default:
      steps.append("garbage")
      scene.local.write(Array("garbage".utf8), as: "garbage.ics")
    }
  }

  // MARK: Runs

  private mutating func rehearse() async throws {
    let before = (scene.local.contents, scene.remote.contents)
    var scene = scene
    scene.options.isDryRun = true
    scene.faults.restart()
    try await scene.sync()
    #expect((scene.local.contents, scene.remote.contents) == before, "dry run; \(told)")
  }

  private mutating func run(_ direction: SyncDirection, isUndoing: Bool) async throws {
    var faults: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      faults[Int.random(in: 0..<30, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    scene.faults.restart(faults)
    let faulty = faults.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" }
    steps.append("\(isUndoing ? "undo" : "sync") \(faulty)")
    hasUndone = hasUndone || isUndoing
    let before = (source: contents(source), there: items(.remote))
    scene.remote.clearLog()
    do {
      let outcome = isUndoing ? try await scene.undoLast() : try await scene.sync()
      for case .done(let operation) in outcome.events
      where operation.reason.code.hasPrefix("overruled") {
        overruled += 1
      }
    } catch is FaultPlan.Crash {
      steps.append("crashed after \(scene.faults.calls.last ?? "nothing")")
    } catch is FaultPlan.Failure {
      steps.append("failed at \(scene.faults.calls.last ?? "nothing")")
    }
    scene.faults.restart()
    for call in scene.remote.writes {
      let words = call.split(separator: " ")
      if words[0] != "delete" { sent.insert(String(words[1])) }
    }
    guard direction != .both else { return }
    #expect(contents(source) == before.source, "the side that decides is unchanged; \(told)")
    if direction == .pull { #expect(scene.remote.writes == [], "\(told)") }
    for uid in before.there.keys where items(.remote)[uid] == nil {
      #expect(sent.contains(uid) || hasUndone, "\(uid) was not sent, and is deleted; \(told)")
      sent.remove(uid)
    }
    try await expectEdits()
  }

  // MARK: What must hold

  /// Expects each edit of the target to be there, or in the journal.
  private func expectEdits() async throws {
    var kept = ""
    for run in await scene.ledger.runs(of: nil) {
      for line in await scene.ledger.journal(of: run.id) {
        kept += line.before.map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
    }
    for (uid, value) in owed {
      let isThere = items(target)[uid]?.title == value
      #expect(isThere || kept.contains("SUMMARY:\(value)\r\n"), "\(value) is lost; \(told)")
    }
  }

  private mutating func finish() async throws {
    scene.local.removeFile("garbage.ics")
    scene.remote.outgrow(nil)
    scene.remote.clearLog()
    for isVerifying in [false, false, true, false] {
      scene.now += 8 * 86_400
      scene.options.isVerifying = isVerifying
      scene.remote.catchUp()
      try await scene.sync()
    }
    scene.remote.catchUp()
    try await expectEdits()
    let (decided, written) = (items(source), items(target))
    for (uid, item) in decided where !isOutside(uid) || written[uid] != nil {
      #expect(written[uid]?.title == item.title, "\(uid) is as the side that decides; \(told)")
    }
    let entries = Set(try await scene.ledger.entries(of: scene.binding).map(\.uid.rawValue))
    #expect(entries.subtracting(decided.keys) == [], "the rest is not agreed; \(told)")
    // An item that is deleted here while it is outside of the window stays there.
    if direction == .push, !hasUndone, !scene.options.filter.isActive {
      let left = Set(written.keys).subtracting(decided.keys).intersection(sent)
        .filter { own.contains(written[$0]?.title ?? "") }
      #expect(left == [], "what was sent is deleted; \(told)")
    }
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [], "\(told)")
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [], "\(told)")
    #expect(try await scene.ledger.quarantine(of: scene.binding) == [], "\(told)")
    let before = (scene.local.contents, scene.remote.contents)
    if direction == .pull { #expect(scene.remote.writes == [], "\(told)") }
    scene.remote.clearLog()
    let outcome = try await scene.sync()
    #expect(outcome.summary == RunSummary(), "a further run does nothing; \(told)")
    #expect(scene.remote.writes == [], "a further run writes nothing; \(told)")
    #expect((scene.local.contents, scene.remote.contents) == before, "\(told)")
  }

  /// Whether an item may lie outside of the window now.
  private func isOutside(_ uid: String) -> Bool {
    guard scene.options.filter.isActive, let days = Self.days[uid] else { return false }
    let distance = Self.beginning + days * 86_400 - scene.now
    return distance < -20 * 86_400 || distance >= 20 * 86_400
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
