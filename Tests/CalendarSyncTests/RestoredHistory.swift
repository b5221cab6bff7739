// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// One random history in which the remote is restored from a backup, files disappear, and runs are
/// undone.
///
/// The model: the state of each run that was completed is known. A restored remote holds an earlier
/// one of these states, changed by other clients. The run after it either stops without a change,
/// or no agreed version was lost. An undo deletes no item that one side alone holds.
struct RestoredHistory {
  private static let uids = (0..<6).map { "i\($0)" }
  private static let quirks: [MemoryRemote.Quirks] = [
    [], .keepsCursors, [.keepsCursors, .forgetsCursors], .noTagAfterWrite,
    [.keepsCursors, .noTagAfterWrite], .weakTags, [.weakTags, .keepsCursors],
    [.keepsCursors, .tellsPaths], [.keepsCursors, .countsInCursors],
    [.keepsCursors, .countsInCursors, .noTagAfterWrite], [.keepsCursors, .countsInCursors],
  ]

  private let seed: UInt64
  private let quirks: MemoryRemote.Quirks
  private var random: SeededGenerator
  private var scene: SyncScene
  private var steps: [String] = []
  private var edits = 0
  /// The titles of each state that both sides agreed on, with a backup of the remote.
  private var agreed: [(titles: [String: String], backup: MemoryRemote.Backup)] = []
  /// The items that the last run may have sent after it asked for the cursor.
  private var uploaded: Set<String> = []
  /// The number of restored remotes whose runs stopped.
  private(set) var stops = 0
  /// The number of copies that an undo left alone.
  private(set) var kept = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    quirks = Self.quirks.randomElement(using: &random) ?? []
    scene = SyncScene(quirks: quirks, isOneFile: seed % 4 == 3)
    scene.options.partSize = [1, 2, 500].randomElement(using: &random) ?? 500
    scene.options.unsettledLimit = [0, 500].randomElement(using: &random) ?? 500
    scene.options.verificationInterval = nil
  }

  mutating func play() async throws {
    for uid in Self.uids { scene.local.write(item(uid)) }
    try await agree()
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        for _ in 0..<Int.random(in: 1...3, using: &random) { edit() }
        try await agree()
      }
      if Bool.random(using: &random) {
        if Bool.random(using: &random) { try await upload() }
        try await restore()
      } else {
        try await undo()
      }
    }
  }

  private var told: String {
    "EPACT_SEED=\(seed), quirks \(quirks.rawValue): \(steps.joined(separator: "; "))"
  }

  private mutating func item(_ uid: String) -> CalendarItem {
    edits += 1
    return TestItem.make(uid: uid, summary: "\(uid) \(edits)")
  }

  /// An edit, an addition or a deletion of one item, on a side.
  private mutating func edit(onlyThere: Bool = false, onlyHere: Bool = false) {
    let uid = Self.uids.randomElement(using: &random) ?? "i0"
    let isHere = onlyHere || !onlyThere && Bool.random(using: &random)
    let isDeletion = Int.random(in: 0..<4, using: &random) == 0
    // The history has no line for an item that both sides deleted.
    let other = isHere ? scene.titles.remote : scene.titles.local
    if isDeletion, other[uid] == nil { return }
    steps.append("\(isDeletion ? "delete" : "write") \(uid) \(isHere ? "here" : "there")")
    switch (isHere, isDeletion) {
    case (true, true): scene.local.remove(uid)
    case (true, false): scene.local.write(item(uid))
    case (false, true): scene.remote.remove(uid)
    case (false, false): scene.remote.write(item(uid))
    }
  }

  /// Runs until both sides agree, with every edit that conflicts decided by a policy.
  private mutating func agree() async throws {
    scene.merge = ThreeWayMerge(policies: MergePolicies(.local))
    scene.options.safeguards.allowed = Self.uids.count
    for _ in 1...3 {
      scene.now += 3_600
      let outcome = try await scene.sync()
      #expect(!outcome.summary.stoppedByGuard, "no alarm; \(told)")
    }
    scene.options.safeguards.allowed = 0
    #expect(scene.titles.local == scene.titles.remote, "\(told)")
    steps.append("agree")
    uploaded = []
    agreed.append((scene.titles.local, scene.remote.backUp()))
  }

  /// Edits items here and sends them in one run, whose cursor is from before what it sent.
  private mutating func upload() async throws {
    let before = scene.titles.local
    for _ in 0..<Int.random(in: 1...3, using: &random) { edit(onlyHere: true) }
    uploaded = Set(Self.uids).filter { before[$0] != scene.titles.local[$0] }
    scene.now += 3_600
    scene.options.safeguards.allowed = Self.uids.count
    let outcome = try await scene.sync()
    scene.options.safeguards.allowed = 0
    #expect(!outcome.summary.stoppedByGuard, "no alarm; \(told)")
    #expect(scene.titles.local == scene.titles.remote, "\(told)")
    steps.append("upload")
  }

  // MARK: A restored remote

  private mutating func restore() async throws {
    guard let index = agreed.indices.randomElement(using: &random) else { return }
    let edits = Int.random(in: 0...2, using: &random)
    scene.remote.restore(agreed[index].backup)
    steps.append("restore \(index) of \(agreed.count)")
    let before = scene.titles
    let restored = agreed[index].titles
    for _ in 0..<edits { edit(onlyThere: true) }
    // What the restored remote lost, and others did not replace since.
    let lost = Set(before.local.keys).union(restored.keys).filter { uid in
      before.local[uid] != restored[uid] && scene.titles.remote[uid] == restored[uid]
    }
    // What was deleted before, and is deleted again since.
    let again = restored.keys.count {
      before.local[$0] == nil && scene.titles.remote[$0] == nil
    }
    scene.now += 3_600
    let (here, there) = (scene.local.contents, scene.remote.contents)
    let outcome = try await scene.sync()
    if outcome.summary.stoppedByGuard {
      #expect(scene.local.contents == here && scene.remote.contents == there, "\(told)")
    }
    guard outcome.rollback != nil else {
      // One version, deletions alone or returns of deleted items alone, on a remote that does not tell
      // where its history goes on.
      // After more additions than are kept in mind the run drops its cursor.
      let isForgotten = !uploaded.isEmpty && scene.options.unsettledLimit == 0
      let isCertain =
        quirks.contains(.keepsCursors) && !quirks.contains(.forgetsCursors) && !isForgotten
      let hasReturned = lost.contains { restored[$0] != nil }
      let isLoss = hasReturned && lost.contains { before.local[$0] != nil }
      // An addition after the cursor may have been deleted by another client, which no server reports.
      let isUnclear = !uploaded.isEmpty && lost.allSatisfy { restored[$0] == nil }
      // What was sent without a strong tag, and was not read back, proves nothing.
      let isUnread = quirks.contains(.weakTags) || quirks.contains(.noTagAfterWrite)
      let known = isUnread ? lost.subtracting(uploaded) : lost
      let isEnough = isCertain && !isUnclear || known.count > 1 && isLoss
      #expect(lost.count <= again || !isEnough, "\(lost.sorted()) are lost in silence; \(told)")
      for uid in lost { #expect(await isInHistory(before.local[uid], uid), "\(uid); \(told)") }
      return try await accept()
    }
    stops += 1
    let replaced = Set(before.local.keys).union(restored.keys).filter { uid in
      ![restored[uid], scene.titles.remote[uid]].contains(before.local[uid])
    }
    // What another client deletes may be missing because of the backup.
    let isDeleted = before.local.keys.contains {
      scene.titles.remote[$0] == nil && restored[$0] != nil
    }
    #expect(!replaced.isEmpty || isDeleted, "an alarm without a loss; \(told)")
    if Bool.random(using: &random) {
      steps.append("accept")
      try await accept()
      for uid in lost {
        #expect(scene.titles.local[uid] == restored[uid], "\(uid) is accepted; \(told)")
        #expect(await isInHistory(before.local[uid], uid), "\(uid) is in the history; \(told)")
      }
    } else {
      steps.append("push")
      scene.options.rollback = .push
      scene.options.safeguards.allowed = Self.uids.count
      try await scene.sync()
      scene.options.rollback = .stop
      for uid in lost {
        #expect(scene.titles.remote[uid] == before.local[uid], "\(uid) is pushed; \(told)")
        #expect(scene.titles.local[uid] == before.local[uid], "\(uid) is here; \(told)")
      }
      try await agree()
    }
    // The earlier states are not those of the history any more.
    agreed = [(scene.titles.local, scene.remote.backUp())]
  }

  private mutating func accept() async throws {
    scene.options.rollback = .accept
    scene.options.safeguards.allowed = Self.uids.count
    try await scene.sync()
    scene.options.rollback = .stop
    try await agree()
    agreed = [(scene.titles.local, scene.remote.backUp())]
  }

  /// Whether a version is in the journal of a run.
  private func isInHistory(_ title: String?, _ uid: String) async -> Bool {
    guard let title else { return true }
    for run in await scene.ledger.runs(of: nil) {
      for line in await scene.ledger.journal(of: run.id) where line.uid == UID(uid) {
        let versions = [line.before, line.after].compactMap(\.self)
        let isThere = versions.contains {
          String(decoding: $0, as: UTF8.self).contains("SUMMARY:\(title)\r\n")
        }
        if isThere { return true }
      }
    }
    return false
  }

  // MARK: An undo

  private mutating func undo() async throws {
    let isHere = Bool.random(using: &random)
    let gone = Self.uids.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    steps.append("lose \(gone) \(isHere ? "here" : "there")")
    for uid in gone { if isHere { scene.local.remove(uid) } else { scene.remote.remove(uid) } }
    let known = scene.titles
    scene.now += 3_600
    let stopped = try await scene.sync()
    guard stopped.summary.stoppedByGuard else {
      try await accept()
      return
    }
    #expect(scene.titles == known, "\(told)")
    if Bool.random(using: &random) { scene.options.safeguards.allowed = Self.uids.count }
    let runs = await scene.ledger.runs(of: nil).filter { $0.summary != RunSummary() }
    guard let run = Bool.random(using: &random) ? runs.first : runs.randomElement(using: &random)
    else { return }
    steps.append("undo \(run.id.rawValue)")
    let outcome = try await scene.undo(run)
    scene.options.safeguards.allowed = 0
    kept += outcome.summary.failed
    for uid in Self.uids {
      let (here, there) = (known.local[uid] != nil, known.remote[uid] != nil)
      guard here != there else { continue }
      let isLeft = scene.titles.local[uid] != nil || scene.titles.remote[uid] != nil
      #expect(isLeft, "the last copy of \(uid) is deleted; \(told)")
    }
    // What the sides hold apart is put together again.
    for conflict in try await scene.ledger.conflicts(of: scene.binding) {
      scene.local.write(item(conflict.uid.rawValue))
    }
    for (uid, item) in scene.remote.items where scene.local.items[uid] == nil {
      scene.local.write(item)
    }
    try await accept()
  }
}
