// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One random history of an account: people add and remove calendars on both sides and items in them,
/// and move items from one calendar to another, while runs of the program fail or are killed.
struct AccountHistory {
  private static let names = ["a", "b", "c", "d"].compactMap { CollectionID(folder: $0) }

  private let seed: UInt64
  private let faults = FaultPlan()
  private var random: SeededGenerator
  private let ledger: MemoryLedger
  private let local: MemoryAccount<MemoryLocalCalendar>
  private let remote: MemoryAccount<MemoryRemote>
  private let binding = AccountBinding(
    name: "acc", local: "/calendars", remote: RemoteIdentity(kind: "memory", location: "there"))
  private var now: Int64 = 0
  private var edits = 0
  private var steps: [String] = []
  /// The titles that people gave, and that nobody replaced or deleted since.
  private var owed: Set<String> = []
  /// The items that appeared on a remote while it was open whether a run had added them; see `History`.
  private var doubtful: Set<UID> = []
  /// Whether the last run stopped, and its user accepts the versions of the remote.
  private var isAccepting = false
  /// Whether the server has each UID once in an account, and moves items.
  private let isUnique: Bool

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let faults = faults
    ledger = MemoryLedger(faults: faults)
    let quirks =
      [[], .keepsCursors, .noTagAfterWrite, [.weakTags, .keepsCursors], .rewrites]
      .randomElement(using: &random) ?? [] as MemoryRemote.Quirks
    local = MemoryAccount(faults: faults, count: { $0.items.count }) { id in
      MemoryLocalCalendar(location: "/calendars/\(id)", faults: faults)
    }
    isUnique = Bool.random(using: &random)
    remote = MemoryAccount("there/", faults: faults, count: { $0.items.count }) { id in
      let remote = MemoryRemote(
        "there/\(id)", quirks: quirks.union(.tellsPaths), faults: faults)
      let uids = Self.names.flatMap { name in (0..<45).map { "\(name)-\($0)" } }
      remote.omitAtFirst(someOf: uids, seed: seed)
      return remote
    }
  }

  mutating func play() async throws {
    // One calendar stays, so that no side is ever taken for one that is not there.
    for side in 0...1 { try await addCalendar(Self.names[0], isLocal: side == 0) }
    for _ in 0..<Int.random(in: 3...9, using: &random) {
      for _ in 0..<Int.random(in: 0...5, using: &random) { try await act() }
      now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      var plan: [Int: FaultPlan.Fault] = [:]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        plan[Int.random(in: 0..<60, using: &random)] = FaultPlan.Fault.allCases.randomElement(
          using: &random)
      }
      faults.restart(plan)
      steps.append("sync \(plan.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
      do {
        try await run()
      } catch let error where error is FaultPlan.Crash || error is FaultPlan.Failure {
        steps.append("\(error) after \(faults.calls.last ?? "nothing")")
      }
      faults.restart()
    }
    try await finish()
  }

  // MARK: What people do

  private mutating func act() async throws {
    let id = Self.names.randomElement(using: &random) ?? Self.names[0]
    let isLocal = Bool.random(using: &random)
    let side = "\(id) \(isLocal ? "here" : "there")"
    guard let items = items(id, isLocal) else {
      return try await addCalendar(id, isLocal: isLocal)
    }
    let held = items.values.map(\.self).sorted { $0.uid < $1.uid }.randomElement(using: &random)
    switch (Int.random(in: 0..<6, using: &random), held) {
    case (0, _) where id != Self.names[0]:
      steps.append("drop \(side)")
      // What only this side holds goes with it.
      let others = Set((self.items(id, !isLocal) ?? [:]).values.map(\.title))
      owed.subtract(Set(items.values.map(\.title)).subtracting(others))
      if isLocal { local.drop(id) } else { remote.drop(id) }
    case (1, let held?):
      steps.append("delete \(held.title) \(side)")
      owed.remove(held.title)
      if isLocal {
        local.calendars[id]?.remove(held.uid.rawValue)
      } else {
        remote.calendars[id]?.remove(held.uid.rawValue)
      }
    case (2, let held?):
      owed.remove(held.title)
      write(held.uid.rawValue, id, isLocal)
    case (3, let held?): try await move(held, from: id, isLocal)
    default: write("\(id)-\(edits)", id, isLocal)
    }
  }

  /// Moves an item to another calendar of the same side, if there is one without it.
  private mutating func move(
    _ held: CalendarItem, from id: CollectionID, _ isLocal: Bool
  ) async throws {
    let uid = held.uid.rawValue
    let others = Self.names.filter {
      $0 != id && items($0, isLocal).map { $0[uid] == nil } ?? false
    }
    guard let other = others.randomElement(using: &random) else { return }
    steps.append("move \(held.title) from \(id) to \(other) \(isLocal ? "here" : "there")")
    let binding = SyncBinding(
      name: self.binding.sync(of: other.folder), local: "/calendars/\(other)",
      remote: RemoteIdentity(kind: "memory", location: "there/\(other)"), filter: "")
    if isLocal {
      local.calendars[id]?.remove(uid)
    } else {
      remote.calendars[id]?.remove(uid)
      let intents = try await ledger.pendingIntents(of: binding)
      if intents.contains(where: { $0.uid == held.uid }) { doubtful.insert(held.uid) }
    }
    // What comes back as it was, to where the ledger still has it, never left; if the other side let
    // it go meanwhile, that is a deletion, and a right one. So what comes back is changed.
    if try await ledger.places(of: binding).contains(where: { $0.uid == held.uid }) {
      owed.remove(held.title)
      write(uid, other, isLocal)
    } else if isLocal {
      local.calendars[other]?.write(held)
    } else {
      remote.calendars[other]?.write(held)
    }
  }

  private mutating func addCalendar(_ id: CollectionID, isLocal: Bool) async throws {
    // One that no run has missed yet would come back empty: to the program, its items were deleted.
    let known = try await ledger.collections(of: binding).first { $0.id == id }
    guard known?.isGone ?? true else { return }
    steps.append("add \(id) \(isLocal ? "here" : "there")")
    if isLocal { local.add(id) } else { remote.add(id) }
  }

  private mutating func write(_ uid: String, _ id: CollectionID, _ isLocal: Bool) {
    edits += 1
    let title = "\(uid)=\(edits)"
    steps.append("write \(title) \(isLocal ? "here" : "there")")
    owed.insert(title)
    let item = TestItem.make(uid: uid, summary: title)
    if isLocal { local.calendars[id]?.write(item) } else { remote.calendars[id]?.write(item) }
  }

  private func items(_ id: CollectionID, _ isLocal: Bool) -> [String: CalendarItem]? {
    isLocal ? local.calendars[id]?.items : remote.calendars[id]?.items
  }

  // MARK: What the program does

  private mutating func run() async throws {
    let outcome = try await AccountRun(binding, between: (local, remote), over: ledger).run()
    steps += outcome.failures.map { "\($0.key): \($0.value)" }
    let scenes = scenes(of: outcome.pairs)
    guard !scenes.isEmpty else { return }
    let outcomes = try await SyncScene.sync(scenes, isAccount: isUnique, isTroubled: true)
    steps += outcomes.compactMap(\.failure)
    // Edits there that undo the last ones look like a restored server. A person accepts them.
    isAccepting = outcomes.contains(where: \.summary.stoppedByGuard)
    if isAccepting { steps.append("accept") }
  }

  private func scenes(of pairs: [KnownCollection]) -> [SyncScene] {
    pairs.compactMap { pair in
      guard let here = local.calendars[pair.id], let there = remote.calendars[pair.id] else {
        return nil
      }
      var scene = SyncScene(
        binding.sync(of: pair.folder), faults: faults, local: here, remote: there, ledger: ledger)
      if isUnique {
        let account = remote
        there.share(anAccountWith: { Array(account.calendars.values) })
      }
      // Nothing but the rules for accounts protects the items of a calendar that comes back.
      scene.options.safeguards.allowed = 1_000
      if isAccepting { scene.options.rollback = .accept }
      scene.now = now
      return scene
    }
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    for _ in 1...2 {
      now += 8 * 86_400
      try await run()
    }
    // What is gone on one side is wanted back.
    for known in try await ledger.collections(of: binding) where known.isGone {
      try await ledger.forget(known.id, of: binding)
    }
    for _ in 1...4 {
      now += 8 * 86_400
      try await run()
    }
    #expect(Set(local.calendars.keys) == Set(remote.calendars.keys), "\(told)")
    var kept: Set<String> = []
    for (id, here) in local.calendars {
      let there = remote.calendars[id]?.items ?? [:]
      let scene = scenes(of: [KnownCollection(id, folder: id.folder, location: "there/\(id)")])[0]
      let conflicts = try await ledger.conflicts(of: scene.binding)
      // What was edited here, and moved there to the other calendar meanwhile, the server refuses for good.
      let refused = try await ledger.quarantine(of: scene.binding)
      #expect(refused == [] || isUnique, "\(told)")
      #expect(remote.calendars[id]?.doubles ?? [] == [], "\(told)")
      let waiting = Set((conflicts.map(\.uid) + refused.map(\.uid)).map(\.rawValue))
      let titles = (here.items.mapValues(\.title), there.mapValues(\.title))
      #expect(
        titles.0.filter { !waiting.contains($0.key) }
          == titles.1.filter { !waiting.contains($0.key) },
        "the sides of \(id) agree; \(told)")
      #expect(here.contents.count == here.items.count, "doubled here; \(told)")
      #expect(remote.calendars[id]?.contents.count == there.count, "doubled there; \(told)")
      kept.formUnion(Array(titles.0.values) + titles.1.values)
      for content in conflicts.flatMap({ [$0.local, $0.remote] }).compactMap(\.self) {
        kept.insert(TestItem.parse(String(decoding: content, as: UTF8.self)).title)
      }
    }
    for run in await ledger.runs(of: nil) where !doubtful.isEmpty {
      for line in await ledger.journal(of: run.id) where doubtful.contains(line.uid) {
        for content in [line.before, line.after].compactMap(\.self) {
          kept.insert(TestItem.parse(String(decoding: content, as: UTF8.self)).title)
        }
      }
    }
    #expect(owed.subtracting(kept) == [], "lost; \(told)")
    try await expectRest()
  }

  /// Expects that one more run changes nothing.
  private mutating func expectRest() async throws {
    func contents() -> [String: [[String: [UInt8]]]] {
      var found: [String: [[String: [UInt8]]]] = [:]
      for (id, calendar) in local.calendars {
        found[id.rawValue, default: []].append(calendar.contents)
      }
      for (id, calendar) in remote.calendars {
        found[id.rawValue, default: []].append(calendar.contents)
      }
      return found
    }
    let before = contents()
    remote.calendars.values.forEach { $0.clearLog() }
    try await run()
    #expect(contents() == before, "a further run; \(told)")
    #expect(remote.calendars.values.flatMap(\.writes) == [], "a further run; \(told)")
  }

  private var told: String { "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))" }
}
