// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One random history with a remote that has fields, a stash, and items that it cannot hold.
///
/// People edit different properties on each side, so that nothing conflicts. An item that the remote
/// holds ends as one version on both sides, with all edits. One that it cannot hold keeps the edits of
/// each side there, and every run reports it.
struct HoldingHistory {
  private static let uids = ["a", "b", "c"]
  private static let fields = (
    here: ["SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "X-NOTE", "COLOR"],
    there: ["PRIORITY", "URL", "CLASS"]
  )
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .noTagAfterWrite, .keepsCursors, [.keepsCursors, .forgetsCursors],
    [.keepsCursors, .noTagAfterWrite], .weakTags, .listsLate, .writesInParts,
    [.writesInParts, .keepsCursors], [.writesInParts, .noTagAfterWrite],
  ]
  private static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))

  private let seed: UInt64
  private var random: SeededGenerator
  private var scene: SyncScene
  private var steps: [String] = []
  private var edits = 0
  /// The lines that each side has to have of each item in the end.
  private var expected: [String: (here: CalendarItem, there: [String: String])] = [:]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let quirks = Self.quirks.randomElement(using: &random) ?? []
    scene = SyncScene(
      quirks: quirks, fields: MemoryFields(), interleaving: Interleaving(seed: seed),
      isOneFile: seed % 4 >= 2)
    scene.options.batchSize = Int.random(in: 1...4, using: &random)
    scene.options.partSize = [1, 2, 3, 500].randomElement(using: &random) ?? 500
    scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
    scene.merge = ThreeWayMerge(policies: MergePolicies(.keepBoth), normalForm: Self.form)
    steps.append("quirks \(quirks.rawValue)")
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...10, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { act() }
      scene.now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      scene.options.isVerifying = Int.random(in: 0..<5, using: &random) == 0
      try await runBadly()
    }
    try await finish()
  }

  private mutating func act() {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    edits += 1
    let isHere = Bool.random(using: &random)
    guard let item = isHere ? scene.local.items[uid] : scene.remote.items[uid] else {
      guard expected[uid] == nil else { return }
      steps.append("create \(uid)")
      expected[uid] = (RichItem.make(uid: uid), [:])
      return scene.local.write(RichItem.make(uid: uid))
    }
    let names = isHere ? Self.fields.here : Self.fields.there
    let name = names.randomElement(using: &random) ?? ""
    let value = value(of: name, edits)
    steps.append("\(isHere ? "here" : "there") \(uid) \(name):\(value)")
    let edited = RichItem.setting(name, to: value, in: item)
    if isHere {
      expected[uid]?.here = edited
      scene.local.write(edited)
    } else {
      expected[uid]?.there[name] = value
      scene.remote.editFields(of: uid, to: edited)
    }
  }

  private mutating func value(of name: String, _ number: Int) -> String {
    switch name {
    case "PRIORITY": "\(number % 9 + 1)"
    case "CLASS": number.isMultiple(of: 2) ? "PRIVATE" : "CONFIDENTIAL"
    case "URL": "https://example.org/\(number)"
    case "DESCRIPTION" where Int.random(in: 0..<2, using: &random) == 0: "unbearable \(number)"
    case "X-NOTE" where Int.random(in: 0..<4, using: &random) == 0:
      String(repeating: "\(number) ", count: 2_000)
    default: "\(number) and a few more words"
    }
  }

  private mutating func runBadly() async throws {
    var faults: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      faults[Int.random(in: 0..<30, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    scene.faults.restart(faults)
    steps.append("sync \(faults.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })")
    do {
      try await sync()
    } catch is FaultPlan.Crash {
      steps.append("crashed after \(scene.faults.calls.last ?? "nothing")")
    } catch is FaultPlan.Failure {
      steps.append("failed at \(scene.faults.calls.last ?? "nothing")")
    }
    scene.faults.restart()
  }

  /// Runs the sync, and once more if it takes a refused cursor for a restored server.
  @discardableResult
  private mutating func sync() async throws -> SyncScene.Outcome {
    let outcome = try await scene.sync()
    guard outcome.summary.stoppedByGuard else { return outcome }
    steps.append("accept")
    scene.options.rollback = .accept
    defer { scene.options.rollback = .stop }
    return try await scene.sync()
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    var refused: Set<String> = []
    for isVerifying in [false, false, true, false] {
      scene.now += 8 * 86_400
      scene.remote.catchUp()
      scene.options.isVerifying = isVerifying
      let outcome = try await sync()
      refused = Set(
        outcome.events.flatMap { event -> [String] in
          guard case .planned(let plan) = event else { return [] }
          return plan.operations.compactMap { operation in
            if case .notHeld? = operation.obstacle { operation.uid.rawValue } else { nil }
          }
        })
    }
    scene.remote.catchUp()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [], "\(told)")
    for (uid, wanted) in expected {
      var whole = wanted.here
      for (name, value) in wanted.there { whole = RichItem.setting(name, to: value, in: whole) }
      let isHeld = if case .refused = MemoryFields().fit(of: whole) { false } else { true }
      #expect(refused.contains(uid) == !isHeld, "\(uid) is reported if it is refused; \(told)")
      let (here, there) = (lines(scene.local.items[uid]), lines(scene.remote.items[uid]))
      if isHeld {
        #expect(here == lines(whole), "\(uid) here; \(told)")
        #expect(there == lines(whole), "\(uid) there; \(told)")
      } else {
        let own = Self.fields.here.compactMap { name in line(name, in: wanted.here) }
        #expect(here.isSuperset(of: own), "\(uid) keeps its edits here; \(told)")
        let others = wanted.there.map { "\($0.key):\($0.value)" }
        #expect(
          there.isEmpty || there.isSuperset(of: others), "\(uid) keeps its edits there; \(told)")
      }
    }
    let before = (scene.local.contents, scene.remote.contents)
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.writes == [], "a further run writes nothing; \(told)")
    #expect(scene.local.contents == before.0, "a further run changes no file; \(told)")
    #expect(scene.remote.contents == before.1, "a further run changes nothing there; \(told)")
  }

  private func lines(_ item: CalendarItem?) -> Set<String> {
    Set(item.map(RichItem.unfolded) ?? []).filter { !$0.hasPrefix("PRODID") }
  }

  private func line(_ name: String, in item: CalendarItem) -> String? {
    guard let main = item.main, let property = main[PropertyName(name)] else { return nil }
    return RichItem.unfolded(item).first {
      $0.hasPrefix(name) && $0.hasSuffix(property.rawValue)
    }
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
