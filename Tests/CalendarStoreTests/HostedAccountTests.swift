// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CivilTime
import TestSupport
import Testing

/// The accounts of a host, in both databases.
@Suite(.eachLedger) struct HostedAccountTests {
  private let home: LedgerHome
  private let ledger: LedgerDatabase
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    home = try LedgerHome()
    ledger = try home.openWithoutLease()
  }

  private func time(_ seconds: Int64) -> Instant {
    Instant(secondsSinceEpoch: 1_800_000_000 + seconds)
  }

  private func add(_ name: String, dueIn seconds: Int64) throws {
    let account = HostedAccount(
      name: name, configuration: "# \(name) ü\n", interval: 60, dueAt: time(seconds))
    try ledger.write { try $0.store(account) }
  }

  private func names(_ choice: HostedAccountChoice, limit: Int? = nil) throws -> [String] {
    var names: [String] = []
    try ledger.read { transaction in
      try transaction.eachHostedAccount(choice, limit: limit) { names.append($0.name) }
    }
    return names
  }

  @Test func theLongestDueComesFirst() throws {
    try add("late", dueIn: -10)
    try add("now", dueIn: 0)
    try add("later", dueIn: 1)
    try add("latest", dueIn: -20)
    #expect(try names(.all) == ["late", "later", "latest", "now"])
    #expect(try names(.due(now)) == ["latest", "late", "now"])
    #expect(try names(.due(now), limit: 2) == ["latest", "late"])
    #expect(try names(.due(now), limit: 0) == [])
    #expect(try names(.named(["now", "none"])) == ["now"])
    #expect(try ledger.write { try $0.setPaused(true, hostedAccount: "late") })
    #expect(try !ledger.write { try $0.setPaused(true, hostedAccount: "none") })
    #expect(try names(.due(now)) == ["latest", "now"])
    #expect(try names(.paused) == ["late"])
    #expect(try ledger.write { try $0.removeHostedAccount(named: "late") })
    #expect(try !ledger.write { try $0.removeHostedAccount(named: "late") })
    #expect(try names(.paused) == [])
  }

  @Test func anOutcomeChangesNothingElse() throws {
    try add("ana", dueIn: 0)
    // The configuration changes while the account is synced.
    var changed = try #require(try ledger.read { try $0.hostedAccount(named: "ana") })
    #expect(changed.configuration == "# ana ü\n")
    changed.configuration = "# new"
    try ledger.write { [changed] in try $0.store(changed) }
    let failure = HostedAccount.Outcome(endedAt: time(5), status: 75, message: "it's \"away\"")
    for _ in 0..<2 {
      try ledger.write { [next = time(65)] in
        try $0.note(failure, ofHostedAccount: "ana", isSuccess: false, nextAt: next)
      }
    }
    var account = try #require(try ledger.read { try $0.hostedAccount(named: "ana") })
    #expect(account.configuration == "# new")
    #expect(account.outcome == failure)
    #expect(account.failures == 2)
    #expect(account.lastSuccess == nil)
    #expect(account.dueAt == time(65))
    #expect(try names(.failing) == ["ana"])
    let success = HostedAccount.Outcome(endedAt: time(66), status: 0, message: nil)
    try ledger.write { [next = time(120)] in
      try $0.note(success, ofHostedAccount: "ana", isSuccess: true, nextAt: next)
    }
    account = try #require(try ledger.read { try $0.hostedAccount(named: "ana") })
    #expect(account.failures == 0)
    #expect(account.lastSuccess == time(66))
    #expect(account.outcome == success)
    #expect(try names(.failing) == [])
  }

  private func counts(at time: Instant) throws -> HostedAccountCounts {
    try ledger.read { transaction in try transaction.hostedAccountCounts(at: time) }
  }

  @Test func theNumbersAreThoseOfTheAccounts() throws {
    #expect(try counts(at: now) == HostedAccountCounts())
    for number in 0..<7 { try add("a\(number)", dueIn: Int64(number) - 3) }
    try ledger.write { [end = time(-1), next = time(50)] transaction in
      for (name, status) in [("a0", 0), ("a1", 77), ("a2", 77)] {
        try transaction.note(
          HostedAccount.Outcome(endedAt: end, status: status, message: nil),
          ofHostedAccount: name, isSuccess: status == 0, nextAt: next)
      }
      _ = try transaction.setPaused(true, hostedAccount: "a3")
    }
    var expected = HostedAccountCounts()
    (expected.accounts, expected.paused, expected.due, expected.never) = (7, 1, 0, 4)
    expected.byStatus = [0: 1, 77: 2]
    (expected.earliestDue, expected.earliestSuccess) = (time(1), time(-1))
    #expect(try counts(at: now) == expected)
    expected.due = 3
    #expect(try counts(at: time(3)) == expected)
  }
}

/// The limit of accounts that use one server at a time.
@Suite struct ServerSharesTests {
  @Test(
    "A share is waited for, also in another process; a process that ends has none",
    arguments: [
      LedgerHome.Kind.sqlite, .postgreSQL,
    ]) func limit(kind: LedgerHome.Kind) async throws
  {
    let place = try LedgerHome(kind).databasePlace
    // Two values are two processes for the database.
    let shares = [ServerShares(limit: 2, in: place), ServerShares(limit: 2, in: place)]
    let counter = SharesCounter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        let share = shares[place == nil ? 0 : number % 2]
        group.addTask {
          try await share.using(["dav.example.org", number % 3 == 0 ? "b" : "a"]) {
            await counter.enter()
            try await Task.sleep(for: .milliseconds(10))
            await counter.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await counter.most == 2)
    #expect(await counter.total == 12)
    let error = await #expect(throws: CancellationError.self) {
      try await shares[0].using(["dav.example.org"]) { throw CancellationError() }
    }
    #expect(error != nil)
    // Nothing is held any more.
    #expect(try await shares[0].using(["dav.example.org"]) { true })
  }
}

private actor SharesCounter {
  private var current = 0
  private(set) var most = 0
  private(set) var total = 0

  func enter() {
    current += 1
    total += 1
    most = max(most, current)
  }

  func leave() { current -= 1 }
}
