// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// One process at a time syncs for a tenant, and one that was replaced writes nothing more.
@Suite struct PostgreSQLLeaseTests {
  private let server: PostgreSQLServer
  private let database: String
  private let place: PostgreSQLPlace
  private let binding = LedgerContract.binding
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    place = PostgreSQLPlace(
      address: try PostgreSQLAddress(server.address(of: database)), tenant: "ada")
  }

  private func open(_ holder: String) throws -> LedgerDatabase {
    try LedgerDatabase(at: place, taking: LedgerLease(holder: holder, patience: 0))
  }

  /// Ends the lease by the clock of the database.
  private func endLease() throws {
    try server.execute(
      "UPDATE epact.lease SET until = clock_timestamp() - INTERVAL '1 second'", in: database)
  }

  private func fence() throws -> String {
    try server.execute("SELECT fence FROM epact.lease", in: database)
  }

  @Test func `Nobody takes a lease that is not over`() async throws {
    let first = try open("first")
    let error = #expect(throws: StoreError.self) { _ = try open("second") }
    #expect(error?.code == .locked)
    #expect(error?.message == "first is using the ledger")
    try first.close()
    let second = try open("second")
    #expect(try fence() == "2")
    _ = try await second.beginRun(of: binding, at: now)
  }

  @Test func `A released ledger gives its lease back`() throws {
    do { _ = try open("first") }
    _ = try open("second")
  }

  @Test func `A process whose lease was taken writes nothing more`() async throws {
    let zombie = try open("zombie")
    let run = try await zombie.beginRun(of: binding, at: now)
    try await zombie.record([LedgerContract.intent("a")], in: run)
    try endLease()
    let next = try open("next")
    let settlement = Settlement(uid: UID("a"), change: .record(LedgerContract.entry("a")))
    for attempt in 0..<2 {
      // An intent comes before each request, so that no request follows either.
      let error = await #expect(throws: StoreError.self) {
        try await zombie.record([LedgerContract.intent("b")], in: run)
      }
      #expect(error?.code == .leaseLost, "\(attempt)")
      #expect(error?.message.contains("taken over by next") == true)
      let other = await #expect(throws: StoreError.self) {
        try await zombie.settle([settlement], in: run)
      }
      #expect(other?.code == .leaseLost)
    }
    #expect(try await next.pendingIntents(of: binding) == [LedgerContract.intent("a")])
    #expect(try await next.entries(of: binding) == [])
    // Its end does not end the lease of the next one.
    try zombie.close()
    #expect(throws: StoreError.self) { _ = try open("third") }
  }

  @Test func `A lease that is over and was not taken is renewed`() async throws {
    let ledger = try open("first")
    try endLease()
    let run = try await ledger.beginRun(of: binding, at: now)
    let left = try server.execute(
      "SELECT until > clock_timestamp() FROM epact.lease", in: database)
    #expect(left == "t")
    #expect(throws: StoreError.self) { _ = try open("second") }
    try await ledger.record([LedgerContract.intent("a")], in: run)
  }

  @Test func `A backup with a lower fence does not bring a process back`() async throws {
    let zombie = try open("zombie")
    #expect(try fence() == "1")
    try server.execute("DELETE FROM epact.lease", in: database)
    let next = try open("next")
    #expect(try fence() == "1")
    let error = await #expect(throws: StoreError.self) {
      _ = try await zombie.beginRun(of: binding, at: now)
    }
    #expect(error?.code == .leaseLost)
    _ = try await next.beginRun(of: binding, at: now)
  }

  @Test func `A take-over waits for a transaction, and finds the lease renewed`() async throws {
    let first = try open("first")
    let ids = try await first.write { [self] ledger in
      let run = try ledger.beginRun(of: binding, at: now)
      // The row of the lease is locked: not even another transaction can end the lease now.
      let waiting = Task.detached { [self] in try? open("second") }
      try ledger.record([LedgerContract.intent("a")], in: run)
      return (run, waiting)
    }
    #expect(await ids.1.value == nil)
    try await first.record([LedgerContract.intent("b")], in: ids.0)
    #expect(try fence() == "1")
  }

  @Test func `A take-over in the middle of a transaction waits for its end`() throws {
    let first = try open("first")
    try first.write { ledger in
      _ = try ledger.beginRun(of: binding, at: now)
      #expect(throws: TestProgram.Failure.self) {
        try server.execute(
          """
          SET lock_timeout = '200ms'; UPDATE epact.lease SET fence = fence + 1, token = 'x'
          """, in: database)
      }
    }
    #expect(try first.read { try $0.runs(of: nil) }.count == 1)
  }

  @Test func `A commit whose answer is lost is found out`() async throws {
    let proxy = try CommitProxy(to: server.port)
    defer { proxy.stop() }
    let address = "postgresql://epact@127.0.0.1:\(proxy.port)/\(database)"
    let through = PostgreSQLPlace(
      address: try PostgreSQLAddress(address + "?sslmode=disable&connect_timeout=2"), tenant: "ada")
    let ledger = try LedgerDatabase(at: through, taking: LedgerLease(holder: "first"))
    let run = try await ledger.beginRun(of: binding, at: now)
    for (uid, kind) in [("a", CommitProxy.Kind.afterwards), ("b", .before)] {
      proxy.cutNextCommit(kind)
      do {
        try await ledger.record([LedgerContract.intent(uid)], in: run)
        #expect(kind == .afterwards)
      } catch let error as StoreError {
        #expect(kind == .before && error.code == .disconnected)
      }
      #expect(try await ledger.pendingIntents(of: binding).map(\.uid) == [UID("a")])
      #expect(proxy.wasCut)
    }
    // Nobody can tell if the server does not answer any more: the error says so.
    proxy.cutNextCommit(.afterwards, forGood: true)
    let error = await #expect(throws: StoreError.self) {
      try await ledger.record([LedgerContract.intent("c")], in: run)
    }
    #expect(error?.code == .outcomeUnknown)
    // The next process finds the intent, as that of an interrupted run.
    try endLease()
    #expect(
      try await open("next").pendingIntents(of: binding).map(\.uid.rawValue) == ["a", "c"])
  }

  @Test func `Without a lease there are edits, and no runs of syncs`() async throws {
    let holder = try open("holder")
    let ledger = try LedgerDatabase(at: place, taking: nil)
    let error = await #expect(throws: StoreError.self) {
      _ = try await ledger.beginRun(of: binding, at: now)
    }
    #expect(
      error?.message == "cannot use the ledger: a run of a sync needs the lease of the ledger")
    _ = try await ledger.beginRun(of: .edits, at: now)
    _ = try await holder.beginRun(of: binding, at: now)
    #expect(try await holder.runs(of: nil).count == 2)
    #expect(try fence() == "1")
  }
}
