// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// The synchronous access to the ledger: whole transactions, without suspension.
@Suite(.eachLedger) struct LedgerTransactionTests {
  private struct Stop: Error {}

  let home: LedgerHome
  let ledger: LedgerDatabase
  let binding = LedgerContract.binding
  let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    home = try LedgerHome()
    ledger = try home.open()
  }

  private func record(_ uid: String) -> Settlement {
    Settlement(uid: UID(uid), change: .record(LedgerContract.entry(uid)))
  }

  @Test func aWholeRunIsOneTransaction() throws {
    let run = try ledger.write { ledger in
      let run = try ledger.beginRun(of: binding, at: now)
      try ledger.record([LedgerContract.intent("a")], in: run)
      try ledger.settle([run: [record("a")]])
      try ledger.endRun(run, summary: RunSummary(), at: now)
      return run
    }
    let (entries, runs, journal) = try ledger.read { ledger in
      try (ledger.entries(of: binding), ledger.runs(of: nil), ledger.journal(of: run))
    }
    #expect(entries == [LedgerContract.entry("a")])
    #expect(runs.map(\.id) == [run])
    #expect(journal.map(\.state) == [.done])
    #expect(try ledger.read { try $0.faults() } == [])
  }

  @Test func theLastChangeInACalendarShowsWhetherADeletionIsMeant() async throws {
    let home = "/calendars/home"
    @discardableResult
    func run(
      _ binding: SyncBinding, _ action: Intent.Action, _ uid: String, in place: String?,
      undoing earlier: RunID? = nil
    ) async throws -> RunID {
      let run = try await ledger.beginRun(of: binding, at: now)
      if let earlier { try await ledger.note(run, undoes: earlier) }
      let intent = Intent(
        uid: UID(uid), action: action, content: nil, fingerprint: nil, before: nil,
        href: place.map { Href($0) }, etag: nil)
      try await ledger.record([intent], in: run)
      try await ledger.settle([Settlement(uid: UID(uid), change: .forget)], in: run)
      try await ledger.endRun(run, summary: RunSummary(), at: now)
      return run
    }
    let sync = SyncBinding(
      name: "s", local: home, remote: RemoteIdentity(kind: "folder", location: "/there"))
    try await run(.edits, .deleteLocal, "edit", in: home)
    try await run(.edits, .deleteLocal, "sent", in: home)
    try await run(sync, .deleteRemote, "sent", in: nil)
    try await run(.imports(into: home), .deleteLocal, "import", in: nil)
    try await run(.edits, .deleteLocal, "elsewhere", in: "/calendars/work")
    try await run(.edits, .deleteLocal, "undone", in: home)
    try await run(.edits, .createLocal, "undone", in: home)
    try await run(.edits, .deleteLocal, "back", in: home)
    try await run(sync, .createLocal, "back", in: nil)
    try await run(sync, .deleteLocal, "synced", in: nil)
    // An undo of what a command made, and of what one brought back.
    let made = try await run(.edits, .createLocal, "made", in: home)
    try await run(sync, .createRemote, "made", in: nil)
    let unmade = try await run(.edits, .deleteLocal, "made", in: home, undoing: made)
    try await run(sync, .createLocal, "restored", in: nil)
    let restored = try await run(.edits, .createLocal, "restored", in: home)
    try await run(.edits, .deleteLocal, "restored", in: home, undoing: restored)
    let imported = try await run(.imports(into: home), .createLocal, "imported", in: nil)
    try await run(.imports(into: home), .deleteLocal, "imported", in: nil, undoing: imported)
    let names = ["edit", "sent", "import", "elsewhere", "undone", "back", "synced", "x"]
    let all = Set((names + ["made", "restored", "imported"]).map { UID($0) })
    let meant = try await ledger.deliberateDeletions(among: all, in: home)
    #expect(meant == [UID("edit"), UID("sent"), UID("import"), UID("made")])
    #expect(try await ledger.deliberateDeletions(among: [UID("edit")], in: home).count == 1)
    #expect(try await ledger.deliberateDeletions(among: [], in: home) == [])
    #expect(try await ledger.sentDeletions(of: sync) == [UID("sent")])
    let edits = try await ledger.lastEdits(among: all, in: home)
    #expect(edits[UID("made")]?.run == unmade)
    #expect(edits[UID("restored")].map { $0.run.rawValue > restored.rawValue } == true)
    #expect(edits[UID("back")] != nil && edits[UID("elsewhere")] == nil && edits[UID("x")] == nil)
    let run = try await ledger.beginRun(of: .edits, at: now)
    let intent = Intent(
      uid: UID("made"), action: .createLocal, content: [65], fingerprint: nil, before: nil,
      href: Href(home), etag: nil)
    try await ledger.record([intent], in: run)
    #expect(try await ledger.lastEdits(among: all, in: home) == edits, "It is not done yet.")
    try await ledger.settle([Settlement(uid: UID("made"), change: .forget)], in: run)
    let last = try await ledger.lastEdits(among: [UID("made")], in: home)
    #expect(last == [UID("made"): LocalEdit(run: run, content: [65])])
  }

  @Test func bothWaysOfAccessSeeTheSame() async throws {
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.settle([record("a")], in: run)
    try await ledger.write { ledger in
      try ledger.settle([
        run: [Settlement(uid: UID("b"), change: .record(LedgerContract.entry("b")))]
      ])
    }
    #expect(try await ledger.entries(of: binding).map(\.uid.rawValue) == ["a", "b"])
    let count = try await ledger.read { try $0.entries(of: LedgerContract.binding).count }
    #expect(count == 2)
  }

  @Test func anErrorLeavesTheLedgerAsItWas() throws {
    #expect(throws: Stop.self) {
      try ledger.write { ledger in
        let run = try ledger.beginRun(of: binding, at: now)
        try ledger.settle([run: [record("a")]])
        throw Stop()
      }
    }
    #expect(try ledger.read { try $0.runs(of: nil) } == [])
    #expect(try ledger.read { try $0.entries(of: binding) } == [])
  }

  @Test func aReadingTransactionWritesNothing() throws {
    let error = #expect(throws: StoreError.self) {
      try ledger.read { ledger in _ = try ledger.beginRun(of: binding, at: now) }
    }
    #expect(error?.code == .noAccess)
    let reader = try home.reader()
    let refusal = #expect(throws: StoreError.self) {
      try reader.write {
        try $0.revoke(LedgerContract.remote, at: Instant(secondsSinceEpoch: 9), by: "ada")
      }
    }
    #expect(refusal?.code == .readOnly)
    #expect(try ledger.read { try $0.runs(of: nil) } == [])
  }
}
