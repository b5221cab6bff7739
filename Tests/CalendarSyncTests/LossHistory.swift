// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One random history with a server that stores less than it is sent.
///
/// People edit different properties on each side, so that nothing conflicts, and each item ends as one
/// expected version: what was created here, with all edits of both sides.
struct LossHistory {
  private static let uids = ["a", "b", "c"]
  /// The properties that people edit here, and those that they edit on the server.
  private static let fields = (
    here: ["SUMMARY", "DESCRIPTION", "LOCATION"], there: ["PRIORITY", "URL", "CLASS"]
  )
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .noTagAfterWrite, .churnsTags, .rewrites, [.rewrites, .tellsTagOfRewritten], .weakTags,
    .keepsCursors, [.keepsCursors, .forgetsCursors], [.keepsCursors, .noTagAfterWrite],
    [.keepsCursors, .rewrites], [.weakTags, .keepsCursors, .noTagAfterWrite], .listsLate,
  ]

  private static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))

  private let seed: UInt64
  private var random: SeededGenerator
  private var scene: SyncScene
  private var steps: [String] = []
  private var edits = 0
  /// Whether the last run ended without a fault, so that it has seen what the server stores.
  private var isClean = false
  /// The version that each item has to have here in the end.
  private var expected: [String: CalendarItem] = [:]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    var reductions: MemoryRemote.Reductions = []
    for reduction in MemoryRemote.Reductions.each where Int.random(in: 0..<3, using: &random) == 0 {
      reductions.formUnion(reduction)
    }
    let quirks = Self.quirks.randomElement(using: &random) ?? []
    scene = SyncScene(
      quirks: quirks, reductions: reductions, interleaving: Interleaving(seed: seed),
      isOneFile: seed % 4 >= 2)
    scene.options.batchSize = Int.random(in: 1...4, using: &random)
    scene.options.partSize = [1, 2, 3, 500].randomElement(using: &random) ?? 500
    scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
    let policy = MergePolicy.allCases.randomElement(using: &random) ?? .keepBoth
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy), normalForm: Self.form)
    steps.append("quirks \(quirks.rawValue) \(reductions)")
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...10, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { try await act() }
      scene.now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      scene.options.isVerifying = Int.random(in: 0..<5, using: &random) == 0
      try await runBadly()
    }
    try await finish()
  }

  private mutating func act() async throws {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    edits += 1
    let isHere = Bool.random(using: &random)
    guard let item = isHere ? scene.local.items[uid] : scene.remote.items[uid] else {
      guard expected[uid] == nil else { return }
      steps.append("create \(uid)")
      expected[uid] = RichItem.make(uid: uid)
      return scene.local.write(RichItem.make(uid: uid))
    }
    // What was lost of a write without an answer cannot be told from what was deleted in an edit.
    let open = try await scene.ledger.pendingIntents(of: scene.binding)
    guard isHere || !open.contains(where: { $0.uid.rawValue == uid }) else { return }
    let names = isHere ? Self.fields.here : Self.fields.there
    let name = names.randomElement(using: &random) ?? ""
    // What one client adds another one may remove, after the server has shown it to both.
    let isRemoval =
      !isHere && isClean && name != "CLASS" && Int.random(in: 0..<3, using: &random) == 0
    let value = isRemoval ? nil : Self.value(of: name, edits)
    steps.append("\(isHere ? "here" : "there") \(uid) \(name):\(value ?? "-")")
    let edited = RichItem.setting(name, to: value, in: item)
    expected[uid] = expected[uid].map { RichItem.setting(name, to: value, in: $0) }
    if isHere { scene.local.write(edited) } else { scene.remote.write(edited) }
  }

  private static func value(of name: String, _ number: Int) -> String {
    switch name {
    case "PRIORITY": "\(number % 9 + 1)"
    case "CLASS": number.isMultiple(of: 2) ? "PRIVATE" : "CONFIDENTIAL"
    case "URL": "https://example.org/\(number)"
    default: "\(number), and a few more words"
    }
  }

  private mutating func runBadly() async throws {
    var faults: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      faults[Int.random(in: 0..<30, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    isClean = faults.isEmpty
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

  /// Runs the sync, and once more if it takes values that were edited back for a restored server.
  ///
  /// A server that refuses the cursor is indistinguishable from one.
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
    var found: Set<String> = []
    for isVerifying in [false, false, false, true, true] {
      scene.now += 8 * 86_400
      scene.remote.catchUp()
      scene.options.isVerifying = isVerifying
      found = []
      for case .lost(let loss) in try await sync().events { found.insert(loss.uid.rawValue) }
    }
    scene.remote.catchUp()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [], "\(told)")
    for (uid, item) in expected {
      let here = scene.local.items[uid].map { Set(RichItem.unfolded($0)) } ?? []
      let wanted = Set(RichItem.unfolded(item))
      let other = here.symmetricDifference(wanted).subtracting(["X-SERVER:seen"])
      #expect(other == [], "\(uid); \(told)")
      let there = scene.remote.items[uid].map { Set(RichItem.unfolded($0)) } ?? []
      let isWhole = there.isSuperset(of: wanted)
      #expect(found.contains(uid) == !isWhole, "\(uid) is reported if a part is missing; \(told)")
      let names = Self.fields.there
      let edited = { (lines: Set<String>) in
        lines.filter { line in names.contains { line.hasPrefix($0) } }
      }
      #expect(edited(there) == edited(wanted), "\(uid) is as it was edited there; \(told)")
    }
    let before = (scene.local.contents, scene.remote.contents)
    scene.remote.clearLog()
    scene.options.isVerifying = false
    try await scene.sync()
    #expect(scene.remote.writes == [], "a further run writes nothing; \(told)")
    #expect(scene.local.contents == before.0, "a further run changes no file; \(told)")
    #expect(scene.remote.contents == before.1, "a further run changes nothing there; \(told)")
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}
