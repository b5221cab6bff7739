// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One random history of an account: people add and remove calendars on both sides and items in them,
/// and move items from one calendar to another, while runs of the program fail or are killed.
struct AccountHistory {
  static let names = ["a", "b", "c", "d"].compactMap { CollectionID(folder: $0) }

  private let seed: UInt64
  private let faults = FaultPlan()
  private var random: SeededGenerator
  let ledger: MemoryLedger
  let local: MemoryAccount<MemoryLocalCalendar>
  let remote: MemoryAccount<MemoryRemote>
  let binding = AccountBinding(
    name: "acc", local: "/calendars", remote: RemoteIdentity(kind: "memory", location: "there"))
  /// What the server does besides.
  var server: AccountServer
  /// The calendars that the ledger knew after the last run.
  private(set) var known: [KnownCollection] = []
  /// What the last run gave, as far as it came.
  private(set) var result = RunResult()
  /// The items that were refused in calendars that may only be read, by place.
  var refused: [String: Set<String>] = [:]
  private var now: Int64 = 0
  private var edits = 0
  var steps: [String] = []
  /// The titles that people gave, and that were neither replaced nor deleted since.
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
    local = MemoryAccount(faults: faults, count: { $0.items.count }) { calendar in
      MemoryLocalCalendar(location: "/calendars/\(calendar.id)", faults: faults)
    }
    isUnique = Bool.random(using: &random)
    server = AccountServer(seed: seed)
    remote = MemoryAccount(AccountServer.home, faults: faults, count: { $0.items.count }) {
      calendar in
      let remote = MemoryRemote(
        calendar.place, quirks: quirks.union(.tellsPaths), faults: faults)
      let uids = Self.names.flatMap { name in (0..<45).map { "\(name)-\($0)" } }
      remote.omitAtFirst(someOf: uids, seed: seed)
      return remote
    }
    if server.habits.contains(.choosesPlaces) { remote.choosePlaces() }
  }

  /// What happened in the history, and how often.
  var seen: [AccountServer.Event: Int] { server.seen }

  mutating func play() async throws {
    // A calendar stays on each side, so that neither is ever taken for one that is not there.
    for side in 0...1 { try await addCalendar(Self.names[0], isLocal: side == 0) }
    for _ in 0..<Int.random(in: 3...9, using: &random) {
      for _ in 0..<Int.random(in: 0...5, using: &random) { try await act() }
      actOfServer()
      now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      var plan: [Int: FaultPlan.Fault] = [:]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        plan[Int.random(in: 0..<60, using: &random)] = FaultPlan.Fault.allCases.randomElement(
          using: &random)
      }
      try await run(plan)
    }
    try await finish()
  }

  // MARK: What people do

  private mutating func act() async throws {
    let ids = Self.names + known.map(\.id).filter { !Self.names.contains($0) }.sorted()
    let id = ids.randomElement(using: &random) ?? Self.names[0]
    let isLocal = Bool.random(using: &random)
    let side = "\(id) \(isLocal ? "here" : "there")"
    guard let items = items(id, isLocal) else {
      return try await addCalendar(id, isLocal: isLocal)
    }
    let held = items.values.map(\.self).sorted { $0.uid < $1.uid }.randomElement(using: &random)
    switch (Int.random(in: 0..<6, using: &random), held) {
    case (0, _) where id != Self.names[0] && (isLocal || remote.places.count > 1):
      steps.append("drop \(side)")
      // What only this side holds goes with it.
      let others = Set((self.items(id, !isLocal) ?? [:]).values.map(\.title))
      owed.subtract(Set(items.values.map(\.title)).subtracting(others))
      if isLocal { local.drop(id) } else { place(of: id).map(remote.drop(at:)) }
    case (1, let held?):
      steps.append("delete \(held.title) \(side)")
      owed.remove(held.title)
      remove(held.uid.rawValue, id, isLocal)
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
      remote: RemoteIdentity(
        kind: "memory", location: place(of: other) ?? AccountServer.home + other.folder),
      filter: "")
    remove(uid, id, isLocal)
    if !isLocal {
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
      there(other)?.write(held)
    }
  }

  private mutating func addCalendar(_ id: CollectionID, isLocal: Bool) async throws {
    // One that no run has missed yet would come back empty: to the program, its items were deleted.
    let known = known.first { $0.id == id }
    guard known?.isGone ?? Self.names.contains(id) else { return }
    // The second collection of calendars is not the one in which a program looks for a new one.
    guard !isLocal || known != nil || !isHidden(id) else { return }
    steps.append("add \(id) \(isLocal ? "here" : "there")")
    if isLocal {
      local.add(id)
    } else {
      remote.add(id)
      comeToServer(id)
    }
  }

  private mutating func write(_ uid: String, _ id: CollectionID, _ isLocal: Bool) {
    edits += 1
    let title = "\(uid)=\(edits)"
    steps.append("write \(title) \(isLocal ? "here" : "there")")
    owed.insert(title)
    let item = TestItem.make(uid: uid, summary: title)
    if isLocal { local.calendars[id]?.write(item) } else { there(id)?.write(item) }
    if isLocal { noteEdit(of: id) }
  }

  private func remove(_ uid: String, _ id: CollectionID, _ isLocal: Bool) {
    if isLocal { local.calendars[id]?.remove(uid) } else { there(id)?.remove(uid) }
  }

  private func items(_ id: CollectionID, _ isLocal: Bool) -> [String: CalendarItem]? {
    isLocal ? local.calendars[id]?.items : there(id)?.items
  }

  // MARK: What the program does

  /// What a run gave, and nil for what it did not come to.
  struct RunResult {
    var account: AccountOutcome?
    /// The calendars whose syncs started over.
    var startedOver: Set<CollectionID> = []
    var scenes: [SyncScene] = []
    var outcomes: [SyncScene.Outcome]?
  }

  /// Runs the program, and looks at what it left.
  ///
  /// - Parameter plan: What goes wrong; nil if nothing does.
  /// - Throws: An error of a run in which nothing goes wrong.
  private mutating func run(_ plan: [Int: FaultPlan.Fault]? = nil) async throws {
    let before = try await snapshot()
    result = RunResult()
    let faulty = (plan ?? [:]).sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" }
    steps.append("sync \(faulty)")
    faults.restart(plan ?? [:])
    do {
      try await sync()
    } catch let error
      where plan != nil && (error is FaultPlan.Crash || error is FaultPlan.Failure)
    {
      steps.append("\(error) after \(faults.calls.last ?? "nothing")")
    }
    faults.restart()
    known = try await ledger.collections(of: binding)
    try await check(since: before)
  }

  private mutating func sync() async throws {
    let watched = WatchedLedger(ledger)
    defer { result.startedOver = watched.startedOver }
    let outcome = try await AccountRun(binding, between: (local, remote), over: watched).run()
    result.account = outcome
    steps += outcome.failures.map { "\($0.key): \($0.value)" }
    let scenes = scenes(of: outcome.pairs)
    result.scenes = scenes
    guard !scenes.isEmpty else { return }
    let outcomes = try await SyncScene.sync(scenes, isAccount: isUnique, isTroubled: true)
    result.outcomes = outcomes
    steps += outcomes.compactMap(\.failure)
    // Edits there that undo the last ones look like a restored server. A person accepts them.
    isAccepting = outcomes.contains(where: \.summary.stoppedByGuard)
    if isAccepting { steps.append("accept") }
  }

  private func scenes(of pairs: [KnownCollection]) -> [SyncScene] {
    pairs.compactMap { pair in
      guard let here = local.calendars[pair.id], let there = remote.places[pair.location] else {
        return nil
      }
      var scene = SyncScene(
        binding.sync(of: pair.folder), faults: faults, local: here, remote: there, ledger: ledger)
      if isUnique {
        let account = remote
        there.share(anAccountWith: { Array(account.places.values) })
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
    if liftRestrictions() {
      for _ in 1...2 {
        now += 8 * 86_400
        try await run()
      }
    }
    // What is gone on one side is wanted back.
    for known in known where known.isGone {
      try await ledger.forget(known.id, of: binding)
    }
    for _ in 1...4 {
      now += 8 * 86_400
      try await run()
    }
    #expect(Set(known.map(\.id)) == Set(local.calendars.keys), "\(told)")
    #expect(Set(known.map(\.location)) == Set(remote.places.keys), "\(told)")
    #expect(known.filter { $0.isGone || $0.folder != $0.id.folder } == [], "\(told)")
    var kept: Set<String> = []
    for scene in scenes(of: known) { kept.formUnion(try await agreed(in: scene)) }
    for run in await ledger.runs(of: nil) where !doubtful.isEmpty {
      for line in await ledger.journal(of: run.id) where doubtful.contains(line.uid) {
        kept.formUnion(titles(of: [line.before, line.after]))
      }
    }
    #expect(owed.subtracting(kept) == [], "lost; \(told)")
    try await expectRest()
  }

  /// Expects the sides of a calendar to agree.
  ///
  /// - Returns: The titles on both sides and in conflicts.
  private func agreed(in scene: SyncScene) async throws -> Set<String> {
    let conflicts = try await ledger.conflicts(of: scene.binding)
    // What was edited here, and moved there to the other calendar meanwhile, the server refuses for good.
    let refused = try await ledger.quarantine(of: scene.binding)
    #expect(refused == [] || isUnique, "\(told)")
    #expect(scene.remote.doubles == [], "\(told)")
    let waiting = Set((conflicts.map(\.uid) + refused.map(\.uid)).map(\.rawValue))
    let titles = scene.titles
    #expect(
      titles.local.filter { !waiting.contains($0.key) }
        == titles.remote.filter { !waiting.contains($0.key) },
      "the sides of \(scene.name) agree; \(told)")
    #expect(scene.local.contents.count == scene.local.items.count, "doubled here; \(told)")
    #expect(scene.remote.contents.count == titles.remote.count, "doubled there; \(told)")
    return Set(titles.local.values).union(titles.remote.values)
      .union(self.titles(of: conflicts.flatMap { [$0.local, $0.remote] }))
  }

  /// The titles of contents.
  func titles(of contents: [[UInt8]?]) -> Set<String> {
    Set(
      contents.compactMap(\.self).map { TestItem.parse(String(decoding: $0, as: UTF8.self)).title })
  }

  /// Expects that one more run changes nothing.
  private mutating func expectRest() async throws {
    func contents() -> [[String: [String: [UInt8]]]] {
      let here = local.calendars.map { ($0.key.rawValue, $0.value.contents) }
      return [Dictionary(uniqueKeysWithValues: here), remote.places.mapValues(\.contents)]
    }
    let before = contents()
    remote.places.values.forEach { $0.clearLog() }
    try await run()
    #expect(contents() == before, "a further run; \(told)")
    #expect(remote.places.values.flatMap(\.writes) == [], "a further run; \(told)")
  }

  var told: String { "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))" }
}
