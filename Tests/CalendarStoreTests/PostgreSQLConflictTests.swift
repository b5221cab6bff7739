// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// Transactions that meet others, and connections that are killed.
@Suite struct PostgreSQLConflictTests {
  private let server: PostgreSQLServer
  private let database: String
  private let place: PostgreSQLPlace
  private let binding = LedgerContract.binding
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  /// Asks how many sessions wait for another one.
  private var waiting: String {
    """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = '\(database)' AND wait_event_type = 'Lock'
    """
  }

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    place = PostgreSQLPlace(
      address: try PostgreSQLAddress(server.address(of: database)), tenant: "ada")
  }

  private func open() throws -> LedgerDatabase {
    try LedgerDatabase(at: place, taking: LedgerLease(holder: "first"))
  }

  private func grant(_ location: String, _ purpose: String) -> AccessGrant {
    AccessGrant(
      remote: RemoteIdentity(kind: "caldav", location: location, user: ""), tier: .writeOnly,
      purpose: purpose, grantedAt: now, grantedBy: "ada")
  }

  /// Counts the calls of closures.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func increase() { count.withLock { $0 += 1 } }
  }

  // MARK: Conflicts

  /// Another session, which has changed one of two grants when a transaction has changed the other
  /// one.
  private final class Opponent: Sendable {
    private let state = Mutex<(session: TestProgram.Started?, attempts: Int)>((nil, 0))

    var attempts: Int { state.withLock { $0.attempts } }

    /// Begins, in the first attempt of the transaction, to change both.
    func begin(_ start: () throws -> TestProgram.Started) rethrows {
      try state.withLock { state in
        state.attempts += 1
        if state.attempts == 1 { state.session = try start() }
      }
    }

    /// The exit status of the session.
    func end() -> Int32? { state.withLock { $0.session?.wait() } }
  }

  /// Changes two grants, in the other order than the opponent, so that each waits for the other
  /// one.
  private func change(_ ledger: borrowing LedgerTransaction, against opponent: Opponent) throws {
    try ledger.store(grant("a", "ledger"))
    try opponent.begin {
      let changes = ["b", "a"].map { location in
        """
        UPDATE epact."grant" SET purpose = 'opponent'
        WHERE remote = (SELECT id FROM epact.remote WHERE location = '\(location)')
        """
      }
      // The server ends the transaction that notices the deadlock first.
      let session = try server.start(
        "SET deadlock_timeout = '10min'; " + changes.joined(separator: ";"), in: database)
      try server.wait(for: "1", to: waiting, in: database)
      return session
    }
    try ledger.store(grant("b", "ledger"))
  }

  @Test func `A transaction that is ended because of a deadlock is repeated`() async throws {
    let (ledger, opponent) = (try open(), Opponent())
    for location in ["a", "b"] { try await ledger.store(grant(location, "before")) }
    try await ledger.write { [self] in try change($0, against: opponent) }
    #expect(opponent.attempts == 2)
    #expect(opponent.end() == 0)
    #expect(try await ledger.grants().map(\.purpose) == ["ledger", "ledger"])
  }

  @Test func `A deadlock is an error where a closure may have effects`() async throws {
    let (ledger, opponent) = (try open(), Opponent())
    for location in ["a", "b"] { try await ledger.store(grant(location, "before")) }
    let write = { try ledger.write { try change($0, against: opponent) } }
    let error = #expect(throws: StoreError.self, performing: write)
    #expect(error?.code == .locked)
    #expect(opponent.attempts == 1)
    #expect(opponent.end() == 0)
    #expect(try await ledger.grants().map(\.purpose) == ["opponent", "opponent"])
  }

  @Test func `Transactions of two connections come one after the other`() async throws {
    let ledgers = [try open(), try LedgerDatabase(at: place, taking: nil)]
    try await ledgers[0].store(grant("a", "0"))
    let calls = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for ledger in ledgers {
        group.addTask {
          for _ in 0..<40 {
            try await ledger.write { ledger in
              calls.increase()
              let number = try ledger.grants().first.flatMap { Int($0.purpose) } ?? 0
              try ledger.store(grant("a", "\(number + 1)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await ledgers[1].grants().map(\.purpose) == ["80"])
    #expect(calls.value == 80)
  }

  @Test func `Transactions that conflict are repeated, unless a closure may have effects`()
    async throws
  {
    let ledger = try open()
    // The number of a sequence stays when a transaction is rolled back.
    try server.execute(
      """
      CREATE SEQUENCE epact.tries;
      CREATE FUNCTION epact.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('epact.tries') % 3 <> 0 THEN
          RAISE EXCEPTION 'refused' USING ERRCODE = '40001';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON epact.run FOR EACH ROW EXECUTE FUNCTION epact.refuse()
      """, in: database, as: PostgreSQLServer.user)
    let run = try await ledger.beginRun(of: binding, at: now)
    #expect(try await ledger.runs(of: nil).map(\.id) == [run])
    #expect(try server.execute("SELECT last_value FROM epact.tries", in: database) == "3")
    let error = #expect(throws: StoreError.self) {
      try ledger.write { _ = try $0.beginRun(of: binding, at: now) }
    }
    #expect(error?.code == .locked)
    #expect(try server.execute("SELECT last_value FROM epact.tries", in: database) == "4")
  }

  // MARK: Killed connections

  @Test func `A connection that is killed in a transaction leaves nothing, and the next is new`()
    async throws
  {
    let ledger = try open()
    let run = try await ledger.beginRun(of: binding, at: now)
    let error = await #expect(throws: StoreError.self) {
      try await ledger.write { [server, database] ledger in
        try ledger.record([LedgerContract.intent("a")], in: run)
        try server.killConnections(to: database)
        try ledger.record([LedgerContract.intent("b")], in: run)
      }
    }
    #expect(error?.code == .disconnected)
    #expect(try await ledger.pendingIntents(of: binding) == [])
    // Between transactions a lost connection is replaced, and the lease is still held.
    try server.killConnections(to: database)
    try await ledger.record([LedgerContract.intent("a")], in: run)
    #expect(try await ledger.pendingIntents(of: binding) == [LedgerContract.intent("a")])
    #expect(try server.execute("SELECT fence FROM epact.lease", in: database) == "1")
  }

  @Test func `A connection that is killed while a transaction reads is an error`() async throws {
    let ledger = try open()
    let error = await #expect(throws: StoreError.self) {
      try await ledger.read { [server, database] ledger in
        _ = try ledger.grants()
        try server.killConnections(to: database)
        _ = try ledger.grants()
      }
    }
    #expect(error?.code == .disconnected)
    #expect(try await ledger.grants() == [])
  }

  @Test func `A connection that is killed before its transaction could begin is replaced`()
    async throws
  {
    let ledger = try open()
    // Another session keeps the row of the tenant.
    let session = try server.start(
      "SELECT FROM epact.lease FOR UPDATE; SELECT pg_sleep(600)", in: database)
    let sleeping = """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = '\(database)' AND wait_event = 'PgSleep'
      """
    try server.wait(for: "1", to: sleeping, in: database)
    let calls = Counter()
    let grant = grant("a", "ledger")
    async let written: Void = ledger.write { ledger in
      calls.increase()
      try ledger.store(grant)
    }
    try server.wait(for: "1", to: waiting, in: database)
    try server.killConnections(to: database)
    try server.killConnections(to: database, of: PostgreSQLServer.owner)
    try await written
    #expect(session.wait() != 0)
    #expect(calls.value == 1)
    #expect(try await ledger.grants() == [grant])
  }
}
