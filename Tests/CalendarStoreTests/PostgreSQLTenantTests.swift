// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Tenants of one database, and what a database has to be.
@Suite struct PostgreSQLTenantTests {
  private let server: PostgreSQLServer
  private let database: String
  private let binding = LedgerContract.binding
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func place(_ tenant: String, as user: String = PostgreSQLServer.user) throws
    -> PostgreSQLPlace
  {
    PostgreSQLPlace(
      address: try PostgreSQLAddress(server.address(of: database, as: user)), tenant: tenant)
  }

  private func open(_ tenant: String) throws -> LedgerDatabase {
    try LedgerDatabase(at: try place(tenant), taking: LedgerLease(holder: tenant))
  }

  private func openingError(as user: String = PostgreSQLServer.user) throws -> StoreError? {
    let place = try place("ada", as: user)
    do throws(StoreError) {
      _ = try LedgerDatabase(at: place, taking: nil)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A tenant sees, changes and deletes nothing of another one`() async throws {
    let (ada, bob) = (try open("ada"), try open("bob"))
    let grant = AccessGrant(
      remote: binding.remote, tier: .full, purpose: "Syncs", grantedAt: now, grantedBy: "ada")
    let run = try await ada.beginRun(of: binding, at: now)
    try await ada.store(grant)
    try await ada.settle(
      [
        Settlement(
          uid: UID("a"), change: .record(LedgerContract.entry("a")),
          conflict: LedgerContract.conflict("a"))
      ], in: run)
    try await ada.record([LedgerContract.intent("b")], in: run)
    try await ada.store(SyncCheckpoint(cursor: RemoteCursor("1")), in: run)

    #expect(try await bob.grants() == [])
    #expect(try await bob.entries(of: binding) == [])
    #expect(try await bob.runs(of: nil) == [])
    // The numbers of runs are easily guessed.
    for number in run.rawValue - 1...run.rawValue + 1 {
      #expect(try await bob.journal(of: RunID(number)) == [])
      await #expect(throws: StoreError.self) {
        try await bob.record([LedgerContract.intent("x")], in: RunID(number))
      }
      await #expect(throws: StoreError.self) {
        try await bob.settle([Settlement(uid: UID("a"), change: .forget)], in: RunID(number))
      }
      await #expect(throws: StoreError.self) {
        try await bob.endRun(RunID(number), summary: RunSummary(), at: now)
      }
      try await bob.note(RunID(number), undoes: RunID(1))
      try await bob.noteChoice(RunID(number))
    }
    try await bob.revoke(binding.remote, at: now, by: "bob")
    try await bob.write { try $0.forgetAgreement(of: "work") }
    // The same names are others for the other tenant.
    let own = try await bob.beginRun(of: binding, at: now)
    try await bob.settle([Settlement(uid: UID("a"), change: .forget)], in: own)
    try await bob.endRun(own, summary: RunSummary(), at: now)

    #expect(try await ada.grants() == [grant])
    #expect(try await ada.entries(of: binding) == [LedgerContract.entry("a")])
    #expect(try await ada.pendingIntents(of: binding) == [LedgerContract.intent("b")])
    #expect(try await ada.conflicts(of: binding) == [LedgerContract.conflict("a")])
    let runs = try await ada.runs(of: nil)
    #expect(runs.map(\.id) == [run] && runs.map(\.undoes) == [nil] && !runs[0].isChoice)
  }

  @Test func `Row-level security keeps rows apart without the help of a query`() throws {
    let (ada, bob) = (try open("ada"), try open("bob"))
    let run = try ada.write { try $0.beginRun(of: binding, at: now) }
    _ = try bob.write { try $0.beginRun(of: binding, at: now) }
    func count(_ sql: String) throws -> String {
      try server.execute(
        "SET search_path = epact; SET epact.tenant = 'bob'; \(sql)", in: database,
        as: PostgreSQLServer.user)
    }
    #expect(try count("SELECT string_agg(DISTINCT tenant, ' ') FROM run") == "bob")
    #expect(try count("WITH x AS (DELETE FROM run RETURNING 1) SELECT count(*) FROM x") == "1")
    #expect(
      try count(
        "WITH x AS (UPDATE run SET undoes = 1 WHERE id = \(run.rawValue) RETURNING 1) SELECT count(*) FROM x"
      )
        == "0")
    // Neither a row for another tenant, nor one that refers to another one's.
    for insertion in [
      "INSERT INTO secret (tenant, name, value) VALUES ('ada', 'x', '')",
      "UPDATE sync SET tenant = 'ada'",
      "INSERT INTO journal (run, sync, uid, action) SELECT \(run.rawValue), id, '', 'x' FROM sync",
    ] {
      #expect(throws: TestProgram.Failure.self, "\(insertion)") { try count(insertion) }
    }
    #expect(try ada.read { try $0.runs(of: nil) }.map(\.id) == [run])
    let all = try server.execute(
      "SELECT string_agg(DISTINCT tenant, ' ' ORDER BY tenant) FROM epact.lease", in: database)
    #expect(all == "ada bob")
  }

  @Test func `A role that bypasses row-level security is refused`() throws {
    let error = try openingError(as: PostgreSQLServer.owner)
    #expect(error?.code == .noAccess)
    #expect(error?.message.contains("'owner' bypasses row-level security") == true)
    _ = try open("ada")
    try server.execute("ALTER TABLE epact.entry NO FORCE ROW LEVEL SECURITY", in: database)
    let open = try openingError()
    #expect(open?.code == .noAccess)
    #expect(open?.message.hasSuffix("is off for entry") == true)
  }

  @Test func `A database without a ledger is read as an empty one, and stays empty`() async throws {
    let ledger = try LedgerDatabase(reading: try place("ada"))
    #expect(!ledger.isStored)
    #expect(try await ledger.grants() == [])
    #expect(
      try server.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'epact'", in: database)
        == "0")
    _ = try open("ada")
    let reader = try LedgerDatabase(reading: try place("ada"))
    #expect(reader.isStored)
    let error = await #expect(throws: StoreError.self) {
      _ = try await reader.beginRun(of: binding, at: now)
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `Another program's tables and another version's are left alone`() throws {
    try server.execute(
      "CREATE SCHEMA epact; CREATE TABLE epact.t (a INT)", in: database, as: PostgreSQLServer.user)
    #expect(try openingError()?.code == .corrupt)
    try server.execute("DROP TABLE epact.t", in: database)
    #expect(try openingError() == nil)
    try server.execute(
      "INSERT INTO epact.migration VALUES (99, '99 from the future')", in: database)
    #expect(try openingError()?.code == .otherSchema)
  }

  @Test func `Many processes may create the tables at once`() async throws {
    let place = try place("ada")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { _ = try LedgerDatabase(at: place, taking: nil) } }
      try await group.waitForAll()
    }
    #expect(try server.execute("SELECT count(*) FROM epact.migration", in: database) == "2")
  }

  @Test func `An error names neither values nor statements`() async throws {
    let ledger = try open("ada")
    try server.execute(
      "ALTER TABLE epact.feed ADD CHECK (comment <> 'SECRET')", in: database,
      as: PostgreSQLServer.user)
    let error = await #expect(throws: StoreError.self) {
      try await ledger.write { [now] ledger in
        _ = try ledger.add(
          StoredFeed(
            name: "SECRET", tokenDigest: [1], settings: "{}", comment: "SECRET", createdAt: now))
      }
    }
    #expect(error?.description.contains("SECRET") == false, "\(error as Any)")
    #expect(error?.description.contains("violates check constraint") == true)
  }

  @Test func `A server that does not answer is an error in time`() async throws {
    let port = try ServerProcess.freePort()
    let place = PostgreSQLPlace(
      address: try PostgreSQLAddress("postgresql://epact@127.0.0.1:\(port)/x"), tenant: "ada")
    let error = #expect(throws: StoreError.self) { _ = try LedgerDatabase(at: place, taking: nil) }
    #expect(error?.code == .disconnected)
    #expect(error?.message.contains("Connection refused") == true)
    let silent = try LoopbackServer { _ in [] }
    defer { silent.stop() }
    let other = PostgreSQLPlace(
      address: try PostgreSQLAddress(
        "postgresql://epact@127.0.0.1:\(silent.port)/x?connect_timeout=1"), tenant: "ada")
    let late = #expect(throws: StoreError.self) { _ = try LedgerDatabase(at: other, taking: nil) }
    #expect(late?.code == .disconnected)
  }
}
