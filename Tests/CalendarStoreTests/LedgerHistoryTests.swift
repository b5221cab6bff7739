// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite(.eachLedger) struct LedgerHistoryTests {
  let home: LedgerHome
  let ledger: LedgerDatabase
  let binding = LedgerContract.binding
  let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    home = try LedgerHome()
    ledger = try home.open(historyDays: 3)
  }

  /// A run that makes one change.
  private func change(
    _ mark: String, daysLater days: Int64 = 0, settling: Bool = true
  ) async throws -> RunID {
    let now = Instant(secondsSinceEpoch: now.secondsSinceEpoch + days * 86_400)
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.record([LedgerContract.intent("a", mark: mark)], in: run)
    if settling {
      try await ledger.settle([Settlement(uid: UID("a"), change: .keep)], in: run)
    }
    try await ledger.endRun(run, summary: RunSummary(), at: now)
    return run
  }

  @Test func theSummaryOfARunIsKept() async throws {
    let run = try await ledger.beginRun(of: binding, at: now)
    #expect(try await ledger.runs(of: "work").map(\.endedAt) == [nil])
    var summary = RunSummary()
    summary.uploaded = 1
    summary.downloaded = 2
    summary.deletedRemotely = 3
    summary.deletedLocally = 4
    summary.appended = 5
    summary.conflicts = 6
    summary.failed = 7
    summary.stoppedByGuard = true
    let end = Instant(secondsSinceEpoch: 1_800_000_060)
    try await ledger.endRun(run, summary: summary, at: end)
    let runs = try await ledger.runs(of: "work")
    #expect(runs.map(\.id) == [run])
    #expect(runs.map(\.startedAt) == [now])
    #expect(runs.map(\.endedAt) == [end])
    #expect(runs.map(\.summary) == [summary])
    #expect(try await ledger.runs(of: "home") == [])
  }

  @Test func theJournalTellsWhatWasThereBeforeAndAfter() async throws {
    let first = try await ledger.beginRun(of: binding, at: now)
    let entry = LedgerContract.entry("a")
    try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry))], in: first)
    let run = try await ledger.beginRun(of: binding, at: now)
    let deletion = Intent(
      uid: UID("a"), action: .deleteRemote, content: nil, fingerprint: nil, before: nil,
      href: entry.href, etag: entry.etag)
    try await ledger.record([deletion, LedgerContract.intent("b")], in: run)
    try await ledger.settle(
      [
        Settlement(uid: UID("a"), change: .forget), Settlement(uid: UID("b"), change: .keep),
      ], in: run)
    let journal = try await ledger.journal(of: run)
    #expect(journal.map(\.uid.rawValue) == ["a", "b"])
    #expect(journal.map(\.isDone) == [true, false])
    #expect(journal.map(\.before) == [entry.remoteContent, LedgerContract.intent("b").before])
    #expect(journal.map(\.agreed) == [entry.base, nil])
    #expect(journal.map(\.agreedRemotely) == [entry.remoteContent, nil])
    #expect(journal.map(\.other) == [nil, LedgerContract.intent("b").other])
    #expect(journal.map(\.after) == [nil, LedgerContract.intent("b").content])
    #expect(journal.map(\.action) == [.deleteRemote, .updateRemote])
    #expect(journal.map(\.href) == [entry.href, LedgerContract.intent("b").href])
  }

  /// Intents that come after one another are closed together, and with them nothing that lies between.
  @Test func outcomesBesideOneAnotherAreKeptApart() async throws {
    let other = SyncBinding(name: "home", local: "/home/alice/home", remote: binding.remote)
    let run = try await ledger.beginRun(of: binding, at: now)
    let otherRun = try await ledger.beginRun(of: other, at: now)
    let entry = LedgerContract.entry("b")
    try await ledger.settle([Settlement(uid: UID("b"), change: .record(entry))], in: run)
    func deletion(_ uid: String) -> Intent {
      Intent(
        uid: UID(uid), action: .deleteLocal, content: nil, fingerprint: nil, before: nil, href: nil,
        etag: nil)
    }
    try await ledger.record(["a", "b"].map(deletion), in: run)
    try await ledger.record(["a", "b"].map(deletion), in: otherRun)
    try await ledger.record(["c", "d", "e", "f"].map(deletion), in: run)
    try await ledger.settle(
      ["f", "c", "b", "a"].map { Settlement(uid: UID($0), change: .forget) }
        + [Settlement(uid: UID("d"), change: .keep)], in: run)
    let journal = try await ledger.journal(of: run)
    #expect(journal.map(\.uid.rawValue) == ["a", "b", "c", "d", "e", "f"])
    #expect(journal.map(\.state) == [.done, .done, .done, .givenUp, .pending, .done])
    #expect(journal.map(\.before) == [nil, entry.base, nil, nil, nil, nil])
    #expect(try await ledger.journal(of: otherRun).map(\.state) == [.pending, .pending])
    #expect(try await ledger.pendingIntents(of: binding).map(\.uid) == [UID("e")])
  }

  @Test func runsThatChangedSomethingAreKeptForSomeDays() async throws {
    var runs: [RunID] = []
    for day in 0..<6 { runs.append(try await change("\(day)", daysLater: Int64(day))) }
    #expect(try await ledger.runs(of: "work").map(\.id) == Array(runs.suffix(4).reversed()))
    let now = Instant(secondsSinceEpoch: now.secondsSinceEpoch + 5 * 86_400)
    for _ in 0..<5 {
      let idle = try await ledger.beginRun(of: binding, at: now)
      try await ledger.endRun(idle, summary: RunSummary(), at: now)
      #expect(
        try await ledger.runs(of: "work").map(\.id) == [idle] + Array(runs.suffix(4).reversed()))
    }
    #expect(try await ledger.runs(of: nil).count == 5)
  }

  @Test func aClockThatRanAheadDoesNotEmptyTheHistory() async throws {
    var runs: [RunID] = []
    for day in 0..<3 { runs.append(try await change("\(day)", daysLater: Int64(day))) }
    let ahead = try await change("ahead", daysLater: 27_000)
    // What is older than the days that are kept goes day by day.
    #expect(try await ledger.runs(of: "work").map(\.id) == [ahead, runs[2], runs[1]])
    let next = try await change("next", daysLater: 3)
    let found = try await ledger.runs(of: "work")
    #expect(found.map(\.id) == [next, ahead, runs[2], runs[1]])
    let now = Instant(secondsSinceEpoch: now.secondsSinceEpoch + 3 * 86_400)
    #expect(found[1].startedAt == now)
    #expect(found[1].endedAt == now)
    // And no run stays for ever.
    for day in 4..<12 { runs.append(try await change("\(day)", daysLater: Int64(day))) }
    #expect(try await ledger.runs(of: "work").map(\.id) == Array(runs.suffix(4).reversed()))
  }

  @Test func runsThatChangedPropertiesAloneAreKeptForAsLong() async throws {
    let line = PropertyLine(
      property: .name, side: .local, before: "Home", after: nil, agreed: "Home")
    var done = line
    done.state = .done
    var runs: [RunID] = []
    for day in 0..<6 {
      let now = Instant(secondsSinceEpoch: now.secondsSinceEpoch + Int64(day) * 86_400)
      let run = try await ledger.beginRun(of: binding, at: now)
      try await ledger.record(line, in: run)
      try await ledger.settle(done, in: run)
      var summary = RunSummary()
      summary.properties = day
      try await ledger.endRun(run, summary: summary, at: now)
      runs.append(run)
    }
    let kept = try await ledger.runs(of: "work")
    #expect(kept.map(\.id) == Array(runs.suffix(4).reversed()))
    #expect(kept.map(\.summary.properties) == [5, 4, 3, 2])
  }

  @Test func aRunWithAPendingPropertyIsKeptHoweverOldItIs() async throws {
    let line = PropertyLine(
      property: .name, side: .local, before: "Home", after: nil, agreed: "Home")
    let cutOff = try await ledger.beginRun(of: binding, at: now)
    try await ledger.record(line, in: cutOff)
    let later = Instant(secondsSinceEpoch: now.secondsSinceEpoch + 9 * 86_400)
    for _ in 0..<2 {
      let run = try await ledger.beginRun(of: binding, at: later)
      try await ledger.endRun(run, summary: RunSummary(), at: later)
    }
    #expect(try await ledger.runs(of: "work").map(\.id).last == cutOff)
    #expect(try await ledger.propertyJournal(of: cutOff) == [line])
  }

  @Test func triesAndWhatIsHeldBackAreRemembered() async throws {
    let attempt = SyncAttempt(
      sync: "work", endedAt: now, status: 75, message: "unreachable", lastSuccess: nil)
    try await ledger.note(attempt)
    try await ledger.note(
      SyncAttempt(sync: "home", endedAt: now, status: 0, message: nil, lastSuccess: now))
    #expect(try await ledger.attempts().map(\.sync) == ["home", "work"])
    #expect(try await ledger.attempts().last == attempt)
    let item = QuarantinedItem(
      uid: UID("a"), title: "Lunch", reason: .heldBack(failures: 2, .reported("too large")),
      content: Fingerprint("f"), failures: 2,
      since: now, nextTry: now)
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.store([item], in: run)
    #expect(try await ledger.quarantine(of: binding) == [item])
    try await ledger.store([], in: run)
    #expect(try await ledger.quarantine(of: binding) == [])
  }

  @Test func aRunKnowsWhatItTookBackAndWhatWasAgreedOn() async throws {
    let first = try await ledger.beginRun(of: binding, at: now)
    let entry = LedgerContract.entry("a")
    try await ledger.settle([Settlement(uid: UID("a"), change: .record(entry))], in: first)
    let second = try await ledger.beginRun(of: binding, at: now)
    try await ledger.note(second, undoes: first)
    try await ledger.record([LedgerContract.intent("a")], in: second)
    #expect(try await ledger.runs(of: "work").map(\.undoes) == [first, nil])
    #expect(try await ledger.journal(of: second).map(\.agreed) == [entry.base])
  }

  @Test func aRunWithAPendingIntentIsKeptHoweverOldItIs() async throws {
    let cutOff = try await change("cut off", settling: false)
    let other = SyncBinding(name: "home", local: "/x", remote: LedgerContract.remote)
    let elsewhere = try await ledger.beginRun(of: other, at: now)
    for number in 0..<6 {
      let run = try await ledger.beginRun(of: binding, at: now)
      try await ledger.record([LedgerContract.intent("b", mark: "\(number)")], in: run)
      try await ledger.settle([Settlement(uid: UID("b"), change: .keep)], in: run)
      try await ledger.endRun(run, summary: RunSummary(), at: now)
    }
    #expect(try await ledger.runs(of: "work").map(\.id).contains(cutOff))
    #expect(
      try await ledger.pendingIntents(of: binding) == [LedgerContract.intent("a", mark: "cut off")])
    #expect(try await ledger.runs(of: "home").map(\.id) == [elsewhere])
  }

  @Test func aRunThatIsNotThereIsAnError() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await ledger.record([], in: RunID(7))
    }
    #expect(error?.message == "cannot use the ledger: the ledger has no run 7")
  }
}
