// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// One random history of two calendars, each with its remote, between which people move items.
///
/// A run is one of the program: the calendar that items came to goes first, and the other one deletes
/// nothing on its remote that has not got to the new one yet. In every other history the remotes are of one
/// account, on a server that has each UID once in it.
struct MoveHistory {
  private static let uids = ["a", "b", "c", "d"]

  private let seed: UInt64
  private let faults = FaultPlan()
  private var random: SeededGenerator
  private let isAccount: Bool
  private var scenes: [SyncScene]
  private var edits = 0
  private var steps: [String] = []
  /// The titles that people gave, and that nobody replaced or deleted since.
  private var owed: Set<String> = []
  /// The items that appeared on a remote while it was open whether a run had added them; see `History`.
  private var doubtful: Set<UID> = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    isAccount = Bool.random(using: &random)
    let ledger = MemoryLedger(faults: faults)
    let quirks: [MemoryRemote.Quirks] = [
      [], .keepsCursors, .noTagAfterWrite, [.weakTags, .keepsCursors], .rewrites,
    ]
    scenes = []
    for name in ["home", "work"] {
      var scene = SyncScene(
        name, faults: faults,
        local: MemoryLocalCalendar(location: "/calendars/\(name)", faults: faults),
        remote: MemoryRemote(
          name, quirks: (quirks.randomElement(using: &random) ?? []).union(.tellsPaths),
          faults: faults,
          interleaving: Interleaving(seed: seed)),
        ledger: ledger)
      let omitted = scene.remote.omitAtFirst(someOf: Self.uids, seed: seed)
      if !omitted.isEmpty { steps.append("omit \(omitted) at first") }
      scene.options.safeguards.allowed = Self.uids.count
      scene.options.batchSize = Int.random(in: 1...4, using: &random)
      scene.options.partSize = [1, 2, 500].randomElement(using: &random) ?? 500
      scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
      scenes.append(scene)
    }
    if isAccount { scenes[0].remote.share(anAccountWith: scenes[1].remote) }
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...10, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { try await act() }
      pass(Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1))
      var plan: [Int: FaultPlan.Fault] = [:]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        plan[Int.random(in: 0..<50, using: &random)] = FaultPlan.Fault.allCases.randomElement(
          using: &random)
      }
      faults.restart(plan)
      steps.append("sync \(plan.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
      try await run(isTroubled: true)
      faults.restart()
    }
    for _ in 1...4 {
      // Whatever is held back is tried again after a week.
      pass(8 * 86_400)
      try await run(isTroubled: false)
    }
    try await finish()
  }

  private mutating func pass(_ seconds: Int64) {
    for index in scenes.indices { scenes[index].now += seconds }
  }

  // MARK: What people do

  private mutating func act() async throws {
    let from = Int.random(in: 0...1, using: &random)
    let isLocal = Bool.random(using: &random)
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    let held = item(uid, from, isLocal)
    switch (Int.random(in: 0..<5, using: &random), held) {
    case (0, let held?):
      steps.append("delete \(uid) \(name(from, isLocal))")
      owed.remove(held.title)
      remove(uid, from, isLocal)
    case (1, let held?), (2, let held?):
      guard item(uid, 1 - from, isLocal) == nil else { return }
      steps.append("move \(uid) from \(name(from, isLocal)) to \(name(1 - from, isLocal))")
      remove(uid, from, isLocal)
      // What comes back as it was, to where the ledger still has it, never left; if the other side let
      // it go meanwhile, that is a deletion, and a right one. So what comes back is changed.
      let to = scenes[1 - from]
      if !isLocal { try await doubt(uid, in: to) }
      let isBack = try await to.ledger.places(of: to.binding).contains { $0.uid == UID(uid) }
      if isBack {
        edit(uid, 1 - from, isLocal, replacing: held)
      } else {
        write(held, 1 - from, isLocal)
      }
    case (3, let held?) where !isLocal:
      // Another tag for the same, as a server gives one that is upgraded, or that sends invitations.
      steps.append("touch \(uid) \(name(from, isLocal))")
      write(held, from, isLocal)
    default:
      // What the server would refuse from whoever adds it is not what this is about.
      guard held != nil || !isAccount || !isAnywhere(uid) else { return }
      if held == nil, !isLocal { try await doubt(uid, in: scenes[from]) }
      edit(uid, from, isLocal, replacing: held)
    }
  }

  /// Notes an item that comes to a remote while it is open whether a run added it there.
  private mutating func doubt(_ uid: String, in scene: SyncScene) async throws {
    let intents = try await scene.ledger.pendingIntents(of: scene.binding)
    if intents.contains(where: { $0.uid == UID(uid) }) { doubtful.insert(UID(uid)) }
  }

  private mutating func edit(
    _ uid: String, _ index: Int, _ isLocal: Bool, replacing held: CalendarItem?
  ) {
    edits += 1
    let title = "\(uid)\(edits)"
    steps.append("write \(title) \(name(index, isLocal))")
    if let held { owed.remove(held.title) }
    owed.insert(title)
    write(TestItem.make(uid: uid, summary: title), index, isLocal)
  }

  private func isAnywhere(_ uid: String) -> Bool {
    scenes.contains { $0.local.items[uid] != nil || $0.remote.items[uid] != nil }
  }

  private func name(_ index: Int, _ isLocal: Bool) -> String {
    "\(scenes[index].name) \(isLocal ? "local" : "remote")"
  }

  private func item(_ uid: String, _ index: Int, _ isLocal: Bool) -> CalendarItem? {
    (isLocal ? scenes[index].local.items : scenes[index].remote.items)[uid]
  }

  private func write(_ item: CalendarItem, _ index: Int, _ isLocal: Bool) {
    if isLocal { scenes[index].local.write(item) } else { scenes[index].remote.write(item) }
  }

  private func remove(_ uid: String, _ index: Int, _ isLocal: Bool) {
    if isLocal { scenes[index].local.remove(uid) } else { scenes[index].remote.remove(uid) }
  }

  // MARK: What the program does

  /// Runs both syncs once as a group; or one alone, now and then.
  private mutating func run(isTroubled: Bool) async throws {
    var running = scenes
    var resting: [SyncScene] = []
    if isTroubled, Int.random(in: 0..<5, using: &random) == 0 {
      let index = Int.random(in: 0...1, using: &random)
      steps.append("only \(scenes[index].name)")
      (running, resting) = ([scenes[index]], [scenes[1 - index]])
    }
    do {
      let outcomes = try await SyncScene.sync(
        running, beside: resting, isAccount: isAccount, isTroubled: isTroubled)
      steps += outcomes.compactMap(\.failure)
      // Several moves there within a day look like a restored server. A person accepts them.
      let isStopped = outcomes.contains(where: \.summary.stoppedByGuard)
      for index in scenes.indices {
        scenes[index].options.rollback = isStopped ? .accept : .stop
      }
      if isStopped { steps.append("accept") }
    } catch let error where isTroubled && (error is FaultPlan.Crash || error is FaultPlan.Failure) {
      steps.append("\(error) after \(faults.calls.last ?? "nothing")")
    }
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    var kept: Set<String> = []
    for scene in scenes {
      let conflicts = try await scene.ledger.conflicts(of: scene.binding)
      // What was edited here, and moved there to the other calendar meanwhile, the server refuses for good.
      let refused = try await scene.ledger.quarantine(of: scene.binding)
      #expect(refused == [] || isAccount, "\(told)")
      #expect(scene.remote.doubles == [], "\(told)")
      let waiting = Set((conflicts.map(\.uid) + refused.map(\.uid)).map(\.rawValue))
      let titles = scene.titles
      #expect(
        titles.local.filter { !waiting.contains($0.key) }
          == titles.remote.filter { !waiting.contains($0.key) }, "the sides agree; \(told)")
      kept.formUnion(titles.local.values)
      kept.formUnion(titles.remote.values)
      for content in conflicts.flatMap({ [$0.local, $0.remote] }).compactMap(\.self) {
        kept.insert(TestItem.parse(String(decoding: content, as: UTF8.self)).title)
      }
      #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [], "\(told)")
    }
    let ledger = scenes[0].ledger
    for run in await ledger.runs(of: nil) where !doubtful.isEmpty {
      for line in await ledger.journal(of: run.id) where doubtful.contains(line.uid) {
        for content in [line.before, line.after].compactMap(\.self) {
          kept.insert(TestItem.parse(String(decoding: content, as: UTF8.self)).title)
        }
      }
    }
    #expect(owed.subtracting(kept) == [], "lost; \(told)")
    let before = scenes.map { [$0.local.contents, $0.remote.contents] }
    for scene in scenes { scene.remote.clearLog() }
    try await run(isTroubled: false)
    for scene in scenes { #expect(scene.remote.writes == [], "a further run; \(told)") }
    #expect(scenes.map { [$0.local.contents, $0.remote.contents] } == before, "\(told)")
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
