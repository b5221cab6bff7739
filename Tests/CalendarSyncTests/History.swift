// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
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
  private static let zones = ZoneResolver(
    database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
  /// When each item starts, in days from the beginning of a history that has a window.
  private static let days: [String: Int64] = ["a": 0, "b": -400, "c": 35, "d": -15, "e": 20]
  /// When a history that has a window begins: 1 March 2026, noon.
  private static let beginning: Int64 = 1_772_366_400
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .noTagAfterWrite, .churnsTags, .rewrites, [.rewrites, .tellsTagOfRewritten],
    .dropsUnknown, .keepsCursors, [.keepsCursors, .forgetsCursors],
    [.keepsCursors, .noTagAfterWrite], [.keepsCursors, .rewrites], .listsLate,
    [.listsLate, .keepsCursors], .weakTags, [.weakTags, .keepsCursors, .noTagAfterWrite],
    [.weakTags, .rewrites, .tellsTagOfRewritten], [.keepsCursors, .dropsUnknown],
    [.keepsCursors, .rewrites, .tellsTagOfRewritten], [.rewrites, .dropsUnknown], .cutsValues,
    [.cutsValues, .rewrites], [.cutsValues, .keepsCursors],
    [.cutsValues, .noTagAfterWrite, .keepsCursors],
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
  /// The items that appeared on the remote while it was open whether a run had added them, or what
  /// the remote had stored of them.
  ///
  /// An addition that got through and was edited since looks the same: the local version gives way, and
  /// the journal of the run keeps it. What the new item lacks may have been dropped by the remote.
  private var doubtful: Set<String> = []
  /// The values that were written here with text after a comma, which some servers cut.
  private var long: Set<String> = []
  /// The items whose local file was gone or put back once, so that the remote's version may be all there is.
  private var shortened: Set<String> = []
  /// The copies that other programs keep beside the local files.
  private var copies = CopiedFiles()

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    scene = SyncScene(
      quirks: Self.quirks.randomElement(using: &random) ?? [],
      interleaving: Interleaving(seed: seed), isOneFile: seed % 4 >= 2)
    let omitted = scene.remote.omitAtFirst(someOf: Self.uids, seed: seed)
    if !omitted.isEmpty { steps.append("omit \(omitted) at first") }
    // The guard is tested elsewhere; here it would stop half of the histories.
    scene.options.safeguards.allowed = Self.uids.count
    scene.options.batchSize = Int.random(in: 1...4, using: &random)
    scene.options.partSize = [1, 2, 3, 500].randomElement(using: &random) ?? 500
    scene.options.unsettledLimit = [0, 1, 500].randomElement(using: &random) ?? 500
    scene.options.requestBatchSize = Int.random(in: 1...4, using: &random)
    scene.merge = ThreeWayMerge(policies: policies())
    // Where nothing has to be found by comparing contents, a listing or a cursor has to be enough.
    if scene.remote.isTruthful, seed.isMultiple(of: 2) {
      scene.options.verificationInterval = nil
    }
    if seed.isMultiple(of: 3) {
      scene.now = Self.beginning
      (scene.options.filter.past, scene.options.filter.future) = (20, 20)
    }
  }

  /// What is done where both sides edit the same: a policy in most histories, and in some one for a
  /// property alone.
  private mutating func policies() -> MergePolicies {
    let standard = MergePolicy.allCases.randomElement(using: &random) ?? .keepBoth
    guard Int.random(in: 0..<3, using: &random) == 0 else { return MergePolicies(standard) }
    let other = MergePolicy.allCases.randomElement(using: &random) ?? .keepBoth
    return MergePolicies(standard, named: [Field.summary.rawValue: other])
  }

  mutating func play() async throws {
    for _ in 0..<Int.random(in: 3...12, using: &random) {
      for _ in 0..<Int.random(in: 0...4, using: &random) { try await act() }
      if Int.random(in: 0..<3, using: &random) == 0 { try await settle() }
      if Int.random(in: 0..<4, using: &random) == 0 { disturb() }
      for _ in 0..<Int.random(in: 0...2, using: &random) { copy() }
      scene.now += Int64([1, 3_600, 86_400].randomElement(using: &random) ?? 1)
      scene.options.isVerifying = Int.random(in: 0..<8, using: &random) == 0
      if hasWindow, Int.random(in: 0..<10, using: &random) == 0 {
        scene.options.filter.past = [20, 30, 500].randomElement(using: &random)
        steps.append("window \(scene.options.filter.text)")
        // Matching starts over: where another property was edited too, a policy may choose what was cut.
        shortened.formUnion(Self.uids)
      }
      try await runBadly(undoing: Int.random(in: 0..<6, using: &random) == 0)
    }
    try await finish()
  }

  // MARK: What people do

  private mutating func act() async throws {
    let side = Side.allCases.randomElement(using: &random) ?? .local
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    let held = (side == .local ? scene.local.items : scene.remote.items)[uid]
    // A person who edits or deletes what is there has seen it; what another side's edit is owed for
    // is settled by that.
    if let held, Int.random(in: 0..<4, using: &random) == 0 {
      steps.append("delete \(uid) \(side)")
      for field in Field.allCases { pay(Self.value(of: field, in: held), field, uid) }
      owed[side]?[uid] = nil
      if side == .local { shortened.insert(uid) }
      if side == .local { scene.local.remove(uid) } else { scene.remote.remove(uid) }
      return
    }
    if held == nil, side == .remote {
      let intents = try await scene.ledger.pendingIntents(of: scene.binding)
      let unseen = try await scene.ledger.entries(of: scene.binding).filter(\.isUnseen)
      if (intents.map(\.uid) + unseen.map(\.uid)).contains(UID(uid)) { doubtful.insert(uid) }
    }
    edits += 1
    let field = Field.allCases.randomElement(using: &random) ?? .summary
    let value = "\(uid)\(edits)"
    steps.append("write \(field.rawValue) \(value) \(side)")
    if let held { pay(Self.value(of: field, in: held), field, uid) }
    owed[side, default: [:]][uid, default: [:]][field] = value
    let item = stamped(
      TestItem.make(
        uid: uid,
        summary: field == .summary ? value : held.flatMap { Self.text(of: .summary, in: $0) } ?? "",
        location: field == .location ? value : held.flatMap { Self.text(of: .location, in: $0) }))
    var placed = hasWindow ? placed(item) : item
    if side == .local, cutsValues, Bool.random(using: &random) {
      placed = lengthened(placed, value)
    } else if side == .local, let held, Int.random(in: 0..<4, using: &random) == 0 {
      placed = imported(placed, over: held)
    }
    if side == .local { scene.local.write(placed) } else { scene.remote.write(placed) }
  }

  private var cutsValues: Bool { scene.remote.cutsValues }

  /// The item with text after a comma that is not escaped, as many programs write it.
  private mutating func lengthened(_ item: CalendarItem, _ value: String) -> CalendarItem {
    long.insert(value)
    let text = String(decoding: item.serialized(), as: UTF8.self)
    return TestItem.parse(text.replacing(":\(value)\r\n", with: ":\(value), and more\r\n"))
  }

  /// The item as an import of a REQUEST makes it (RFC 5546 §3.2.2), with a later SEQUENCE.
  private mutating func imported(_ item: CalendarItem, over held: CalendarItem) -> CalendarItem {
    let sequence = Int(held.main?[.sequence]?.text ?? "") ?? 0
    let text = String(decoding: item.serialized(), as: UTF8.self)
    let lines = text.split(separator: "\r\n").map { line in
      line.hasPrefix("SEQUENCE:") ? "SEQUENCE:\(sequence + 1)" : String(line)
    }
    let message = TestItem.parse(lines.map { $0 + "\r\n" }.joined())
    var scheduled = ScheduledItem(held, zones: Self.zones)
    _ = scheduled.apply(SchedulingMessage(.request, message))
    steps.append("by REQUEST")
    return scheduled.item ?? item
  }

  /// Settles a conflict, if one waits: a side is taken, or both are kept, or it is edited.
  private mutating func settle() async throws {
    let waiting = try await scene.ledger.conflicts(of: scene.binding)
    guard let conflict = waiting.randomElement(using: &random) else { return }
    let uid = conflict.uid.rawValue
    guard let here = scene.local.items[uid], here.serialized() == conflict.local,
      let there = conflict.remote.flatMap({ try? CalendarItem(parsing: $0) }),
      scene.remote.items[uid]?.fingerprint == there.fingerprint
    else { return }
    edits += 1
    let value = "\(uid)\(edits)"
    let edited =
      hasWindow
      ? placed(TestItem.make(uid: uid, summary: value, location: value))
      : TestItem.make(uid: uid, summary: value, location: value)
    let choice: ConflictResolver.Choice =
      [.local, .remote, .edited(stamped(edited))].randomElement(using: &random) ?? .local
    let resolver = ConflictResolver(
      calendar: scene.local, ledger: scene.ledger, binding: scene.binding,
      now: { [now = scene.now] in Instant(secondsSinceEpoch: now) })
    try await resolver.resolve(conflict, as: choice)
    // The person has seen both versions.
    for field in Field.allCases {
      for item in [here, there] { pay(Self.value(of: field, in: item), field, uid) }
    }
    shortened.insert(uid)
    if case .edited = choice {
      steps.append("settle \(uid) as \(value)")
      owed[.local, default: [:]][uid] = [.summary: value, .location: value]
    } else {
      steps.append("settle \(uid) as \(choice == .local ? "local" : "remote")")
    }
  }

  private var hasWindow: Bool { scene.options.filter.isActive }

  /// The item with the time of its edit, by which the newest is told.
  private func stamped(_ item: CalendarItem) -> CalendarItem {
    let time = Instant(secondsSinceEpoch: Self.beginning + Int64(edits) * 60).description
    let text = String(decoding: item.serialized(), as: UTF8.self)
    return TestItem.parse(text.replacing("SEQUENCE:", with: "LAST-MODIFIED:\(time)\r\nSEQUENCE:"))
  }

  /// The item at the time at which it starts in a history that has a window.
  private func placed(_ item: CalendarItem) -> CalendarItem {
    let days = Self.days[item.uid.rawValue] ?? 0
    let start = Instant(secondsSinceEpoch: Self.beginning + days * 86_400).description
    let text = String(decoding: item.serialized(), as: UTF8.self)
    return TestItem.parse(text.replacing("20260301T120000Z", with: start))
  }

  /// Whether an item lies outside of the window now, which has a day more on each side.
  private func isOutside(_ uid: String) -> Bool {
    guard hasWindow, let days = Self.days[uid] else { return false }
    let distance = Self.beginning + days * 86_400 - scene.now
    let (past, future) = (scene.options.filter.past ?? 0, scene.options.filter.future ?? 0)
    return distance < -Int64(past + 1) * 86_400 || distance >= Int64(future + 1) * 86_400
  }

  /// Nobody owes an edit any more that a person replaced.
  private mutating func pay(_ value: String?, _ field: Field, _ uid: String) {
    for side in Side.allCases where owed[side]?[uid]?[field] == value {
      owed[side]?[uid]?[field] = nil
    }
  }

  private static func text(of field: Field, in item: CalendarItem?) -> String? {
    item?.main?[PropertyName(field.rawValue)]?.text
  }

  /// What a field says up to a comma.
  private static func value(of field: Field, in item: CalendarItem?) -> String? {
    text(of: field, in: item).map { String($0.prefix { $0 != "," }) }
  }

  /// Something that is no edit, and that nothing may be made of.
  private mutating func disturb() {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    let number = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      steps.append("rename \(uid) to \(number).ics")
      if scene.local.contents["\(number).ics"] == nil {
        scene.local.rename(uid, to: "\(number).ics")
      }
    case 1:
      steps.append("move \(uid) to \(number)")
      if scene.remote.contents["\(number)"] == nil { scene.remote.move(uid, to: "\(number)") }
    case 2:
      steps.append("refuse \(uid)")
      scene.remote.refuse(uid, because: "no")
    case 3:
      steps.append("accept \(uid)")
      scene.remote.refuse(uid, because: nil)
    case 4:
      steps.append("outgrow \(uid)")
      scene.remote.outgrow(uid)
    case 5:
      steps.append("shrink")
      scene.remote.outgrow(nil)
    default:
      steps.append("garbage")
      scene.local.write(Array("garbage".utf8), as: "garbage.ics")
    }
  }

  /// Lets another program make or remove a copy; a file that it removes is a deletion.
  private mutating func copy() {
    let uid = Self.uids.randomElement(using: &random) ?? "a"
    copies.note(scene)
    guard !scene.local.isHandledAsWhole else { return }
    let held = scene.local.items[uid]
    guard let (step, isGone) = copies.disturb(uid, scene, &random) else { return }
    steps.append(step)
    guard isGone, let held else { return }
    for field in Field.allCases { pay(Self.value(of: field, in: held), field, uid) }
    owed[.local]?[uid] = nil
    shortened.insert(uid)
  }

  private mutating func runBadly(undoing isUndoing: Bool) async throws {
    scene.faults.restart()
    copies.note(scene)
    try await copies.prepare(scene)
    var faults: [Int: FaultPlan.Fault] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      faults[Int.random(in: 0..<30, using: &random)] = FaultPlan.Fault.allCases.randomElement(
        using: &random)
    }
    scene.faults.restart(faults)
    steps.append(
      "\(isUndoing ? "undo" : "sync") \(faults.sorted { $0.key < $1.key }.map { "\($0.value)@\($0.key)" })"
    )
    if isUndoing { shortened.formUnion(Self.uids) }
    do {
      if isUndoing { try await scene.undoLast() } else { try await scene.sync() }
    } catch is FaultPlan.Crash {
      steps.append("crashed after \(scene.faults.calls.last ?? "nothing")")
    } catch is FaultPlan.Failure {
      steps.append("failed at \(scene.faults.calls.last ?? "nothing")")
    } catch is UndoError {
      // The window was changed since, and with it what the sync is bound to.
      steps.append("refused")
    }
    scene.faults.restart()
    if !isUndoing { copies.check(scene, told) }
  }

  // MARK: What must hold

  private mutating func finish() async throws {
    scene.local.removeFile("garbage.ics")
    for item in try await copies.tidy(scene) {
      for field in Field.allCases {
        pay(Self.value(of: field, in: item), field, item.uid.rawValue)
      }
    }
    for uid in Self.uids { scene.remote.refuse(uid, because: nil) }
    scene.remote.outgrow(nil)
    scene.options.isVerifying = false
    // Two runs bring the sides together; a server that rewrites answers with a third, and one that
    // lists late with a fourth. What a server adds and tells nobody of is found by comparing contents,
    // which one of five does in any case.
    for _ in 1...5 {
      // Whatever is held back is tried again after a week.
      scene.now += 8 * 86_400
      scene.remote.catchUp()
      let outcome = try await scene.sync()
      #expect(!outcome.summary.stoppedByGuard, "no alarm at the end; \(outcome.plan); \(told)")
    }
    #expect(scene.remote.unconfirmedWrites == 0)
    #expect(scene.remote.doubles == [], "\(told)")
    scene.remote.catchUp()
    let items = (local: scene.local.items, remote: scene.remote.items)
    let conflicts = try await scene.ledger.conflicts(of: scene.binding)
    var waiting = Set(conflicts.map(\.uid.rawValue))
    // What one side alone has stays there if it is outside of the window.
    waiting.formUnion(
      Set(items.local.keys).symmetricDifference(items.remote.keys).filter { isOutside($0) })
    for field in Field.allCases {
      // Of an item in doubt, a text that is missing there may have been dropped by the server.
      waiting.formUnion(
        doubtful.filter { Self.value(of: field, in: items.remote[$0])?.isEmpty ?? true })
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
          let line = "\(field.rawValue):\(value)"
          var isSafe = isThere || isKept(line, in: conflicts)
          if !isSafe { isSafe = await isInJournal(line, of: uid) }
          #expect(isSafe, "\(value) is lost; \(told)")
          if long.contains(value), !shortened.contains(uid), !doubtful.contains(uid),
            let item = items.local[uid], Self.value(of: field, in: item) == value
          {
            let text = Self.text(of: field, in: item)
            #expect(text == "\(value), and more", "cut here; \(told)")
          }
        }
      }
    }
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [], "\(told)")
    #expect(try await scene.ledger.quarantine(of: scene.binding) == [], "\(told)")
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
        version.map { String(decoding: $0, as: UTF8.self).holds(line) } ?? false
      }
    }
  }

  /// Whether the journal keeps what was replaced, by a policy or by taking a run back; of an item in doubt,
  /// also what was written.
  private func isInJournal(_ line: String, of uid: String) async -> Bool {
    for run in await scene.ledger.runs(of: nil) {
      let contents = await scene.ledger.journal(of: run.id).flatMap { entry in
        [entry.before, doubtful.contains(uid) ? entry.after : nil].compactMap(\.self)
      }
      if contents.contains(where: { String(decoding: $0, as: UTF8.self).holds(line) }) {
        return true
      }
    }
    return false
  }

  private var told: String {
    "EPACT_SEED=\(seed): \(steps.joined(separator: "; "))"
  }
}

extension String {
  /// Whether the text has a line that is this one, up to a comma.
  fileprivate func holds(_ line: String) -> Bool {
    contains(line + "\r\n") || contains(line + ",")
  }
}
