// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Random histories of calls, which both databases have to answer alike.
@Suite struct LedgerComparisonTests {
  @Test func `Both databases answer alike, call by call`() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let address = try PostgreSQLAddress(server.address(of: database))
    for seed in Seeds.played(10) {
      let folder = try TemporaryFolder()
      let place = PostgreSQLPlace(address: address, tenant: "seed \(seed)")
      let openings: [() throws -> LedgerDatabase] = [
        { try LedgerDatabase(path: folder.path(of: "ledger.sqlite"), historyDays: 2) },
        {
          try LedgerDatabase(at: place, taking: LedgerLease(holder: "test"), historyDays: 2)
        },
      ]
      var answers: [[String]] = []
      for opening in openings {
        var history = LedgerHistory(seed: seed, opening: opening)
        answers.append(try await history.play(steps: 40))
      }
      if answers[0] == answers[1] {
        try expectCopies(of: openings[0](), seed: seed, in: folder, address)
        continue
      }
      let step = zip(answers[0], answers[1]).enumerated().first { $0.element.0 != $0.element.1 }
      Issue.record("seed \(seed): \(step.map { "\($0)" } ?? "one history is longer")")
      return
    }
  }
}

/// What a history left is the same in a copy in the other database, and in a copy of the copy.
private func expectCopies(
  of original: LedgerDatabase, seed: UInt64, in folder: TemporaryFolder,
  _ address: PostgreSQLAddress
) throws {
  let place = PostgreSQLPlace(address: address, tenant: "copy of \(seed)")
  let copy = try LedgerDatabase(at: place, taking: LedgerLease(holder: "test"), historyDays: 2)
  let back = try LedgerDatabase(path: folder.path(of: "back.sqlite"), historyDays: 2)
  let counts = [try copy.copyAll(of: original), try back.copyAll(of: copy)]
  #expect(counts[0] == counts[1] && counts[0] > 0, "seed \(seed)")
  let answers = try [original, copy, back].map { ledger in
    var history = LedgerHistory(seed: seed, opening: { ledger })
    return try history.readWithIDs()
  }
  #expect(answers[0] == answers[1] && answers[0] == answers[2], "seed \(seed)")
  // The next run gets an ID of its own, and a second copy would mix two ledgers.
  let known = Set(try copy.read { try $0.runs(of: nil) }.map(\.id))
  let next = try copy.write { try $0.beginRun(of: .edits, at: Instant(secondsSinceEpoch: 0)) }
  #expect(!known.contains(next) && known.allSatisfy { $0.rawValue < next.rawValue }, "seed \(seed)")
  #expect(throws: StoreError.self) { try copy.copyAll(of: original) }
}

/// One history, with the answers as text.
///
/// The numbers of runs are counted, because each database has its own.
private struct LedgerHistory {
  private static let bindings = [
    LedgerContract.binding,
    SyncBinding(name: "work", local: "/elsewhere", remote: LedgerContract.remote),
    SyncBinding(
      name: "home\0x", local: "/home",
      remote: RemoteIdentity(kind: "folder", location: "/över\0there", user: "")),
    .edits,
  ]
  private static let uids = ["a", "b", "a\0x", "ü", "u\u{308}", "", "Z"].map { UID($0) }

  private var random: SeededGenerator
  private let opening: () throws -> LedgerDatabase
  private var ledger: LedgerDatabase
  private var runs: [RunID] = []
  private var clock: Int64 = 1_800_000_000
  private var answers: [String] = []

  init(seed: UInt64, opening: @escaping () throws -> LedgerDatabase) {
    random = SeededGenerator(seed: seed)
    self.opening = opening
    do { ledger = try opening() } catch { preconditionFailure("\(error)") }
  }

  mutating func play(steps: Int) async throws -> [String] {
    for _ in 0..<steps {
      clock += Int64.random(in: 0...40_000, using: &random)
      do {
        try await step()
      } catch let error as StoreError {
        answers.append("error \(error.code)")
      }
    }
    try readAll()
    try ledger.close()
    return answers
  }

  /// Reads everything, with the numbers of the runs as they are stored.
  mutating func readWithIDs() throws -> [String] {
    runs = (0...2_000).map { RunID($0) }
    try readAll()
    return answers
  }

  private var now: Instant { Instant(secondsSinceEpoch: clock) }
  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private mutating func uid() -> UID { Self.uids[number(Self.uids.count)] }
  private mutating func binding() -> SyncBinding { Self.bindings[number(Self.bindings.count)] }
  private mutating func run() -> RunID { runs.isEmpty ? RunID(1 << 40) : runs[number(runs.count)] }
  private mutating func mark() -> String { "\(number(3))" }

  /// The position of a run among those of this history.
  private func position(_ run: RunID?) -> Int? { run.flatMap { runs.firstIndex(of: $0) } }

  private mutating func step() async throws {
    switch number(15) {
    case 0, 1: runs.append(try await ledger.beginRun(of: binding(), at: now))
    case 2, 3:
      let actions: [Intent.Action] = [
        .createRemote, .updateRemote, .deleteRemote, .createLocal, .deleteLocal, .append,
      ]
      var intents: [Intent] = []
      for _ in 0..<number(4) {
        intents.append(LedgerContract.intent(uid().rawValue, actions[number(6)], mark: mark()))
      }
      try await ledger.record(intents, in: run())
    case 4, 5, 6:
      var settlements: [Settlement] = []
      for uid in Set((0..<number(5)).map { _ in self.uid() }).sorted() {
        settlements.append(settlement(of: uid))
      }
      try await ledger.settle(settlements, in: run())
    case 7:
      var summary = RunSummary()
      (summary.uploaded, summary.stoppedByGuard) = (number(9), number(2) == 0)
      try await ledger.endRun(run(), summary: summary, at: number(5) == 0 ? nil : now)
    case 8: try await ledger.store(checkpoint(), in: run())
    case 9: try await storeLists()
    case 10: try await changeProperties()
    case 11: try await changeAccess()
    case 12: try await note()
    case 13:
      try ledger.close()
      ledger = try opening()
    default: try readAll()
    }
  }

  private mutating func settlement(of uid: UID) -> Settlement {
    var entry = LedgerContract.entry(
      uid.rawValue, mark: mark(), etag: number(3) == 0 ? nil : "e\0f")
    if number(4) == 0 { entry.base = nil }
    let changes: [Settlement.Change] = [
      .record(entry), .record(entry), .keep, .forget, .withdraw,
      .appended(
        AppendRecord(
          uid: uid, href: entry.href, etag: entry.etag, fingerprint: entry.localBase)),
    ]
    let conflict = number(4) == 0 ? LedgerContract.conflict(uid.rawValue, mark: mark()) : nil
    return Settlement(uid: uid, change: changes[number(6)], conflict: conflict)
  }

  private mutating func checkpoint() -> SyncCheckpoint {
    let length = [1, 5_000, 0][number(3)]
    let cursor = [UInt8](repeating: UInt8(number(2)), count: length)
    let size = [0, 3, 70_000][number(3)]
    return SyncCheckpoint(
      cursor: number(3) == 0 ? nil : RemoteCursor(bytes: cursor),
      unsettled: [RemoteEntry(href: Href("/\(number(3))"), etag: nil)],
      unlisted: [Href("/u\(number(3))")], unreported: [Href("/r\(number(3))")],
      snapshot: number(3) == 0
        ? nil : LocalSnapshot([UInt8](repeating: UInt8(number(3)), count: size)),
      isAtRest: number(2) == 0, nextWake: number(2) == 0 ? now : nil, verifiedAt: now)
  }

  private mutating func storeLists() async throws {
    let held = QuarantinedItem(
      uid: uid(), title: "Lunch\0x", reason: .reported("too ‘large’ ?1 $2"), content: nil,
      failures: number(9), since: now, nextTry: number(2) == 0 ? nil : now)
    try await ledger.store([held], in: run())
    let outside = OutsideItem(
      side: number(2) == 0 ? .local : .remote, uid: uid(), place: "p\(number(3))", version: mark(),
      until: nil)
    try await ledger.store(outside: [outside], in: run())
  }

  private mutating func changeProperties() async throws {
    let line = PropertyLine(
      property: number(2) == 0 ? .name : .color, side: number(2) == 0 ? .local : .remote,
      before: number(2) == 0 ? nil : "b\0", after: number(2) == 0 ? nil : "", agreed: mark())
    var done = line
    done.state = number(2) == 0 ? .done : .givenUp
    switch number(3) {
    case 0: try await ledger.record(line, in: run())
    case 1: try await ledger.settle(done, in: run())
    default:
      var agreement = CollectionAgreement(readAt: now)
      agreement.local[.name] = mark()
      try await ledger.store(agreement, of: binding())
    }
  }

  private mutating func changeAccess() async throws {
    let remote = binding().remote
    switch number(4) {
    case 0: try await ledger.revoke(remote, at: now, by: "bob")
    case 1:
      let tier = AccessTier.allCases[number(AccessTier.allCases.count)]
      try await ledger.log([
        AccessLogEntry(
          remote: remote, tier: tier, grantedAt: now,
          request: AccessRequest(.read, "GET", of: "item"),
          count: 1 + number(5), firstAt: now, lastAt: now)
      ])
    case 2:
      let feed = StoredFeed(
        name: mark(), tokenDigest: [UInt8(number(3))], settings: "{}", comment: "'?'",
        createdAt: now)
      let outcome = try await ledger.write { try $0.add(feed) }
      answers.append("\(outcome)")
    default:
      let tier = AccessTier.allCases[number(AccessTier.allCases.count)]
      try await ledger.store(
        AccessGrant(remote: remote, tier: tier, purpose: "?", grantedAt: now, grantedBy: "ada"))
    }
  }

  private mutating func note() async throws {
    switch number(4) {
    case 0: try await ledger.note(run(), undoes: run())
    case 1: try await ledger.noteChoice(run())
    case 2: try await ledger.note(uid(), movedFrom: "work", to: "home\0x")
    default:
      let attempt = SyncAttempt(
        sync: mark(), endedAt: now, status: number(99), message: number(2) == 0 ? nil : "m",
        lastSuccess: nil)
      try await ledger.note(attempt)
    }
  }

  /// Reads everything in one transaction: thousands of them would take most of the time.
  private mutating func readAll() throws {
    let database = ledger
    try database.read { ledger in
      for binding in Self.bindings { try read(ledger, of: binding) }
      try readHistory(ledger)
    }
  }

  private mutating func read(
    _ ledger: borrowing LedgerTransaction, of binding: SyncBinding
  ) throws {
    answers.append("\(try ledger.entries(of: binding))")
    answers.append("\(try ledger.places(of: binding).sorted { $0.uid < $1.uid })")
    let some = try ledger.places(
      of: binding, for: [uid(), uid()], at: [Href("/cal/\(mark())%20.ics")])
    answers.append("\(some.count) \(some.places.sorted { $0.uid < $1.uid })")
    answers.append("\(try ledger.pendingIntents(of: binding))")
    answers.append("\(try ledger.conflicts(of: binding))")
    answers.append("\(try ledger.appended(to: binding.remote))")
    var checkpoint = try ledger.checkpoint(of: binding)
    // A list of 70,000 numbers is a long text.
    for bytes in [checkpoint.cursor?.bytes, checkpoint.snapshot?.bytes] {
      answers.append(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "-")
    }
    (checkpoint.cursor, checkpoint.snapshot) = (nil, nil)
    answers.append("\(checkpoint)")
    answers.append("\(try ledger.quarantine(of: binding))")
    answers.append(
      "\(try ledger.outside(of: binding).map { "\($0)" }.sorted())")
    let agreement = try ledger.agreement(of: binding)
    answers.append("\(agreement?.local[.name] ?? "-") \(agreement?.readAt as Any)")
    answers.append("\(try ledger.pendingProperties(of: binding))")
    let recent = try ledger.recentChanges(of: binding, limit: 5)
    answers.append("\(recent.map { "\(position($0.run) as Any) \($0.startedAt) \($0.line)" })")
    answers.append("\(try ledger.sentDeletions(of: binding).sorted())")
    let meant = try ledger.deliberateDeletions(among: Set(Self.uids), in: binding.local)
    answers.append("\(meant.sorted())")
    let edits = try ledger.lastEdits(among: Set(Self.uids), in: binding.local)
    answers.append(
      "\(edits.sorted { $0.key < $1.key }.map { "\($0.key) \(position($0.value.run) as Any) \($0.value.content as Any)" })"
    )
    let names = try ledger.names(of: Set(Self.uids), in: binding.local)
    answers.append("\(names.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.sorted())" })")
  }

  private mutating func readHistory(_ ledger: borrowing LedgerTransaction) throws {
    for past in try ledger.runs(of: nil) {
      answers.append(
        "\(position(past.id) as Any) \(past.sync) \(past.binding as Any) \(past.startedAt) "
          + "\(past.endedAt as Any) \(past.summary) \(position(past.undoes) as Any) \(past.isChoice)"
      )
      answers.append("\(try ledger.journal(of: past.id))")
      answers.append("\(try ledger.propertyJournal(of: past.id))")
    }
    let interrupted = try ledger.interruptedRuns()
    answers.append("\(interrupted.map { position($0.id) })")
    answers.append("\(try ledger.grants()) \(try ledger.decisions())")
    answers.append("\(try ledger.logEntries()) \(try ledger.attempts())")
    answers.append("\(try ledger.feeds()) \(try ledger.faults())")
  }
}
