// SPDX-License-Identifier: Apache-2.0

import Glibc

// Transactions.
//
// - A transaction that writes locks the row of its tenant in the table `lease` first. So the
//   transactions of one tenant that write come one after the other, as in SQLite, and READ
//   COMMITTED shows each of them all of the earlier ones. SERIALIZABLE would give the same, and
//   refuse some of them after their work, which would have to be repeated; a closure with effects
//   of its own must not be.
// - A transaction that reads sees one state (REPEATABLE READ), and waits for no other one.
// - With a lease, the first statement renews it only if fence and token are still those of this
//   process. A process that takes the lease waits for the row, and finds the lease renewed; or it
//   comes first, and the transaction of this process fails. There is no moment in which both may
//   write.
// - If the connection is lost while a transaction is committed, the server is asked by another
//   connection what became of it (`pg_xact_status`). If the server cannot tell, the error says so
//   (`StoreError.Code.outcomeUnknown`). The next run finds either state, and both are right:
//   intents without an outcome are those of an interrupted run, and recorded outcomes are final. No
//   request was sent for an intent whose recording is unknown, and none is repeated whose outcome
//   is pending without a look at the remote.

/// The connection of a ledger to its server, which is replaced when it is lost; for one thread at a
/// time.
final class PostgreSQLSession {
  private let place: PostgreSQLPlace
  private var connection: PostgreSQLConnection?
  private var held: HeldLease?

  /// How often a transaction is tried that conflicts with another one.
  private static let attemptLimit = 4
  /// The pause before a question that was not answered is asked again, in milliseconds.
  private static let pause = 200

  private var path: String { place.address.description }

  init(_ place: PostgreSQLPlace) {
    self.place = place
  }

  deinit { end() }

  /// Ends the lease; without a connection, it ends by its time.
  func release() {
    if let held, let db = connection, db.isConnected {
      try? inTransaction(Self.writing, db) { try held.release(in: db) }
    }
    held = nil
  }

  /// Ends the lease and the use of the connection.
  func end() {
    release()
    if let connection, connection.isConnected, connection.isIdle {
      place.connections?.keep(connection)
    }
    connection = nil
  }

  // MARK: Opening

  /// Creates the tables if necessary, and takes the lease.
  func open(taking lease: LedgerLease?) throws {
    let db = try connected()
    if !db.isMigrated { try PostgreSQLSchema.migrate(db, path: path) }
    db.isMigrated = true
    if let lease { held = try take(lease) }
  }

  /// Whether the database has a ledger.
  func hasLedger() throws -> Bool { try PostgreSQLSchema.check(try connected(), path: path) > 0 }

  private func take(_ lease: LedgerLease) throws -> HeldLease {
    var rest = lease.patience * 1000
    while true {
      let db = try connected()
      let held = try inTransaction(Self.writing, db) { try HeldLease.take(lease, in: db) }
      if let held { return held }
      guard rest > 0 else {
        let holder = try inTransaction(Self.reading, db) { try HeldLease.holder(in: db) }
        throw StoreError(
          code: .locked, path: path, message: "\(holder) is using the ledger")
      }
      usleep(UInt32(Self.pause) * 1000)
      rest -= Self.pause
    }
  }

  private func connected() throws -> PostgreSQLConnection {
    if let connection, connection.isConnected { return connection }
    let new = try place.connection()
    connection = new
    return new
  }

  // MARK: Transactions

  private static let reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  private static let writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

  /// Begins a transaction for the tenant.
  private func begin(_ statement: String, _ db: PostgreSQLConnection) throws {
    try db.run(statement)
    _ = try db.text("SELECT set_config('epact.tenant', ?, true)", [place.tenant])
  }

  /// Runs a short transaction of the session itself.
  private func inTransaction<Result>(
    _ statement: String, _ db: PostgreSQLConnection, _ body: () throws -> Result
  ) throws -> Result {
    do {
      try begin(statement, db)
      let result = try body()
      try db.run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  private func rollBack() {
    guard let db = connection else { return }
    if !db.isConnected || (try? db.run("ROLLBACK")) == nil { connection = nil }
  }

  /// Whether a transaction that failed is tried again.
  ///
  /// It did not fit beside another one, or the connection was lost since the transaction before. A
  /// closure that was called is called again only if it may be.
  private func repeats(
    after error: PostgreSQLError, attempt: Int, hasStarted: Bool, mayRepeat: Bool
  ) -> Bool {
    if hasStarted { return mayRepeat && error.isConflict && attempt < Self.attemptLimit }
    return error.isConflict && attempt < Self.attemptLimit || error.isDisconnection && attempt == 1
  }

  /// Reads in one transaction.
  func read<Result>(
    mayRepeat: Bool, _ body: (any LedgerConnection) throws -> Result
  ) throws -> Result {
    try trying(mayRepeat) { hasStarted in
      let db = try connected()
      try begin(Self.reading, db)
      hasStarted = true
      db.canBeginRuns = held != nil
      let result = try body(db)
      try db.run("COMMIT")
      return result
    }
  }

  /// Writes in one transaction.
  func write<Result>(
    mayRepeat: Bool, _ body: (any LedgerConnection) throws -> Result
  ) throws -> Result {
    try trying(mayRepeat) { hasStarted in
      let db = try connected()
      try begin(Self.writing, db)
      let transaction = if let held { try held.renew(in: db) } else { try HeldLease.wait(in: db) }
      guard let id = transaction else {
        let holder = try HeldLease.holder(in: db)
        throw StoreError(
          code: .leaseLost, path: path,
          message:
            "the ledger was taken over by \(holder), because this process did not use it for "
            + "too long; nothing more is written")
      }
      hasStarted = true
      db.canBeginRuns = held != nil
      let result = try body(db)
      try commit(id, db)
      return result
    }
  }

  private func trying<Result>(
    _ mayRepeat: Bool, _ transaction: (inout Bool) throws -> Result
  ) throws -> Result {
    var attempt = 1
    while true {
      var hasStarted = false
      do {
        return try transaction(&hasStarted)
      } catch {
        rollBack()
        guard let error = error as? PostgreSQLError,
          repeats(after: error, attempt: attempt, hasStarted: hasStarted, mayRepeat: mayRepeat)
        else { throw error }
        // The other transaction needs time for the locks that this one has released.
        usleep(UInt32(Self.pause * attempt) * 1000)
        attempt += 1
      }
    }
  }

  // MARK: Commits

  private func commit(_ id: String, _ db: PostgreSQLConnection) throws {
    // The server answers a COMMIT of it as if nothing were wrong.
    guard !db.isTransactionFailed else { throw LedgerFault.failed("the transaction has failed") }
    do {
      try db.run("COMMIT")
    } catch {
      guard error.isDisconnection else { throw error }
      connection = nil
      switch outcome(of: id) {
      case "committed": return
      case "aborted": throw error
      default:
        throw StoreError(
          code: .outcomeUnknown, path: path,
          message:
            "the connection was lost while the ledger was written; whether the last change is "
            + "stored is unknown, and the next run finds out")
      }
    }
  }

  /// The outcome of a transaction: `committed` or `aborted`; nil if the server cannot tell.
  ///
  /// The server may have to start again, and its process may not have noticed yet that the
  /// connection is lost. So it is asked more than once, with pauses that double and are together as
  /// long as a connection may take.
  private func outcome(of id: String) -> String? {
    var (pause, rest) = (Self.pause, place.connectionTime * 1000)
    while true {
      let answer = try? connected().text(
        "SELECT pg_xact_status(CAST(CAST(? AS TEXT) AS xid8))", [id])
      if let answer, answer != "in progress" { return answer }
      guard rest > 0 else { return nil }
      usleep(UInt32(pause) * 1000)
      rest -= pause
      pause *= 2
    }
  }
}
