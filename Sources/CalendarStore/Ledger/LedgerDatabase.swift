// SPDX-License-Identifier: Apache-2.0

// The format of the ledger is an SQLite database, `ledger.sqlite` in the state folder, or the
// schema `epact` of a PostgreSQL database. The tables are the same:
//
//     remote          one row for each known remote: kind, location, user
//     grant           the user's access grant; at most one row for each remote
//     append          all items added to a remote under write-only access; never deleted
//     collection      the calendars of accounts that were on both sides; one row for each name
//     sync            one row for each name of a sync, with its binding: a local path and a remote
//     entry           the last agreed state of a sync, with two bases; one row for each UID
//     checkpoint      the resume state of a sync, with the remote's cursor; at most one row each
//     snapshot        the local calendar's cache of its own state, and a long cursor of the remote;
//                     at most one row for each sync
//     unsettled       entries before the cursor that still have to be processed
//     unlisted        hrefs of added items that no response of the remote has listed yet, and of
//                     changed ones that none has reported after the cursor
//     outside         items that the filter of a sync leaves on their side
//     conflict        two edits of a UID that need a decision, with all three contents
//     run             one row for each run: its time and its results, and whether it is the choice
//                     of a conflict
//     journal         one row for each intended change, with the contents before and after
//     fileChange      one row for each changed file of an edit, with the bytes that differ
//     attempt         the result of the last attempt at each sync, by name
//     quarantine      the items of a sync that could not be processed
//     property        the calendar properties on which the sides of a sync last agreed
//     propertyJournal one row for each intended property change, with the values before and after
//     hostedAccount   the accounts of others for which a host runs syncs: configuration, due time and
//                     last outcome
//     storedCalendar  the calendars without a folder, with the numbers of their changes
//     storedItem      the items of these calendars; one row for each UID
//     request         the counts of requests under each grant, by class
//     program         the user's decision about a program that uses the local calendars; at most
//                     one row for each program and kind of items
//     programUse      the counts of uses under each grant of a program, by class
//
//       remote ◄── grant, request, collection
//          ▲ ▲──── append
//          │
//        sync ◄─── entry, conflict, quarantine, property, outside
//          ▲
//         run ◄─── journal, propertyJournal, fileChange
//
// Invariants
//
// 1. The data of a sync is only used with the binding under which it was stored. When a sync begins
//    a run with another binding, its entries and conflicts are deleted and its pending intents are
//    cancelled. Items that were added under write-only access are bound to the remote and are kept.
// 2. A change is in the journal as `pending` before it is made (`record`). The transaction that
//    records its outcome (`settle`) sets it to `done` or `given up`. Pending rows at the start of a
//    run belong to an interrupted run. The same applies to the journal of property changes.
// 3. Each call of `Ledger` is one transaction and durable when it returns, so that the ledger never
//    claims more than the disk has.
// 4. The ledger is a cache that can be rebuilt, except for grants, the decisions about programs,
//    and the items added under write-only access. Without it a sync matches by UID and content, and
//    deletes nothing.
// 5. UIDs, hrefs and names are stored as blobs. SQLite binds a text only up to its first NUL byte,
//    and compares it by a collation. A blob is compared byte by byte, which is also the order of
//    UIDs.
//
// The journal mode is PERSIST with synchronous=FULL: a rollback journal that is kept and
// overwritten. A commit is durable when it returns, as in WAL mode with FULL. The other differences
// determined the choice:
//
// - Between transactions the whole ledger is in one file, which can be copied and moved. In WAL
//   mode the newest transactions may be in a second file that is easily forgotten.
// - Reading creates no files: a dry run writes nothing, not even the index of a WAL.
// - It needs no shared memory, and therefore works in a home folder on a network file system.
// - A commit takes 0.9 ms here, against 2.6 ms in WAL mode and 18 ms with TRUNCATE or DELETE, which
//   resize or remove the journal each time (small transactions, ext4, one machine).
//
// The advantage of WAL, concurrent readers, matters little behind `StoreLock`.
//
// After a power failure during a commit the journal is *hot*: the next opening for writing rolls
// the transaction back. A dry run must not do that and reports it (`StoreError.Code.interrupted`).

// In PostgreSQL
//
// - One database has the ledgers of many tenants. Each table has a column `tenant`, with which all
//   keys and references begin, and row-level security, also for the owner of the tables. A
//   transaction sets `epact.tenant`; the queries name no tenant. A role that bypasses row-level
//   security is refused. A tenant is kept apart from the others' rows, and not from a role that may
//   set another tenant: people who do not trust each other need databases, or policies of their
//   own.
// - A table `lease` has the process that syncs for a tenant, with a fence (`HeldLease`). What keeps
//   processes apart on one machine, a lock in the state folder, does not reach others.
// - `PostgreSQLSession` says how transactions are isolated, repeated and found out after a loss.
// - The names of columns are in lower case, and a table `migration` has the applied migrations.
// - A text ends at its first NUL byte, as in SQLite.

/// The ledger in a database.
///
/// Opening it checks that the file is an undamaged ledger of this version's schema. Only the owner
/// can access the file.
///
/// ```swift
/// let ledger = try LedgerDatabase(path: path)
/// let conflicts = try ledger.read { try $0.conflicts(of: binding) }
/// ```
///
/// A sync uses the same transactions through the asynchronous protocols `Ledger`, `GrantStore`,
/// `RunHistory` and `AccessLog`.
///
/// ## Topics
///
/// ### Opening
///
/// - ``init(path:historyDays:)``
/// - ``init(reading:)-(String)``
/// - ``init(at:taking:historyDays:)``
/// - ``init(reading:)-(PostgreSQLPlace)``
/// - ``close()``
///
/// ### Transactions
///
/// - ``LedgerTransaction``
public struct LedgerDatabase: Sendable {
  /// The path of the database, or its address.
  public let path: String
  /// The number of days for which runs with changes are kept.
  let historyDays: Int
  /// Whether the file has the ledger; false for an empty ledger in its place, which stays empty.
  public let isStored: Bool
  let storage: any LedgerStorage
  private let isWritable: Bool

  /// Opens the ledger for reading and writing, and creates it and its folder if necessary.
  ///
  /// - Parameters:
  ///   - path: The file of the database.
  ///   - historyDays: The number of days for which runs with changes are kept.
  /// - Throws: `StoreError`; with the code `.corrupt`, `.otherSchema` or `.locked` if it cannot be
  ///   used.
  public init(path: String, historyDays: Int = 30) throws(StoreError) {
    try Self.makeFile(path)
    self.path = path
    self.historyDays = Self.valid(historyDays)
    (isWritable, isStored) = (true, true)
    storage = try SQLiteStorage(writing: path)
  }

  /// Opens the ledger for reading only, as a dry run does: nothing is created or changed.
  ///
  /// A missing file, an empty one, and one that another process is creating count as an empty
  /// ledger, which does not see what is stored later (``isStored``).
  ///
  /// - Throws: `StoreError`; with the code `.interrupted` if a write was interrupted, which only an
  ///   opening for writing can repair.
  public init(reading path: String) throws(StoreError) {
    self.path = path
    historyDays = 1
    isWritable = false
    let place = FilePlace(path)
    let exists: Bool
    do throws(StoreError) {
      exists = try OpenFolder(place.folder).status(of: place.name) != nil
    } catch {
      guard error.code == .notFound else { throw error }
      exists = false
    }
    let stored = exists ? try SQLiteStorage(reading: path) : nil
    isStored = stored != nil
    if let stored {
      storage = stored
    } else {
      storage = try SQLiteStorage(inPlaceOf: path)
    }
  }

  /// Opens the ledger in PostgreSQL for reading and writing, and creates its tables if necessary.
  ///
  /// Without a lease, a transaction waits for others, and no run of a sync can begin.
  ///
  /// - Parameters:
  ///   - place: The database and the tenant.
  ///   - lease: The lease to take, which ends when the database is closed; nil for none.
  ///   - historyDays: The number of days for which runs with changes are kept.
  /// - Throws: `StoreError`; with the code `.locked` if another process has the lease,
  ///   `.disconnected` if the server cannot be reached, `.noAccess` if it refuses the role or the
  ///   role bypasses row-level security, `.otherSchema` or `.corrupt` for another schema.
  public init(
    at place: PostgreSQLPlace, taking lease: LedgerLease?, historyDays: Int = 30
  ) throws(StoreError) {
    path = place.address.description
    self.historyDays = Self.valid(historyDays)
    (isWritable, isStored) = (true, true)
    storage = try PostgreSQLStorage(writing: place, taking: lease)
  }

  /// Opens the ledger in PostgreSQL for reading only: nothing is created or changed.
  ///
  /// A database without a ledger counts as an empty ledger, which does not see what is stored later
  /// (``isStored``).
  ///
  /// - Throws: `StoreError`, as for writing.
  public init(reading place: PostgreSQLPlace) throws(StoreError) {
    path = place.address.description
    historyDays = 1
    isWritable = false
    if let stored = try PostgreSQLStorage(reading: place) {
      (isStored, storage) = (true, stored)
    } else {
      (isStored, storage) = (false, try SQLiteStorage(inPlaceOf: path))
    }
  }

  /// Ends the lease of a ledger in PostgreSQL, so that other processes can run syncs.
  package func release() { storage.release() }

  private static func valid(_ historyDays: Int) -> Int { min(max(1, historyDays), 36_500) }

  /// Closes the database; it must not be used afterwards.
  ///
  /// It is also closed when the last copy of the value is released.
  ///
  /// - Throws: `StoreError` if it is still in use.
  public func close() throws(StoreError) { try storage.close() }

  /// Creates an empty file for the owner only, because SQLite would make it readable for all.
  ///
  /// A file that exists is not opened: closing it would release the locks that other connections of
  /// the process have on it (POSIX, `fcntl`).
  private static func makeFile(_ path: String) throws(StoreError) {
    let place = FilePlace(path)
    try FolderPath.create(place.folder, mode: 0o700)
    if let status = try OpenFolder(place.folder).status(of: place.name) {
      guard status.kind == .file else {
        throw StoreError(code: .notRegular, path: path, message: "not a regular file")
      }
      if status.mode & 0o077 == 0 { return }
    }
    let file = try OpenFile.open(path, [.readAndWrite, .create, .noFollow], mode: 0o600)
    let status = try file.status()
    guard status.kind == .file else {
      throw StoreError(code: .notRegular, path: path, message: "not a regular file")
    }
    if status.mode & 0o077 != 0 { try file.setMode(0o600) }
  }

  // MARK: Transactions

  /// Reads in one transaction, and waits for the result.
  ///
  /// ```swift
  /// let conflicts = try ledger.read { try $0.conflicts(of: binding) }
  /// ```
  ///
  /// - Precondition: The closure does not access the same `LedgerDatabase` in another way.
  /// - Throws: `StoreError`, or an error of the closure.
  public func read<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result
  ) throws -> Result {
    try storage.read { try run(body, in: $0) }
  }

  /// Writes in one transaction, which is durable when this returns.
  ///
  /// If the closure throws an error, nothing is written.
  ///
  /// - Precondition: The closure does not access the same `LedgerDatabase` in another way.
  /// - Throws: `StoreError`; with the code `.readOnly` for a ledger that was opened for reading. Or
  ///   an error of the closure.
  public func write<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result
  ) throws -> Result {
    guard isWritable else { throw StoreError.readOnly(path) }
    return try storage.write { try run(body, in: $0) }
  }

  /// Reads in one transaction.
  ///
  /// - Throws: `StoreError`, or an error of the closure.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing LedgerTransaction) throws -> Result
  ) async throws -> Result {
    try await storage.read { try run(body, in: $0) }
  }

  /// Writes in one transaction, which is durable when this returns.
  ///
  /// It also writes if the task is cancelled, because the recorded actions have already happened.
  ///
  /// - Throws: `StoreError`; with the code `.readOnly` for a ledger that was opened for reading. Or
  ///   an error of the closure.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing LedgerTransaction) throws -> Result
  ) async throws -> Result {
    guard isWritable else { throw StoreError.readOnly(path) }
    return try await Task { try await storage.write { try run(body, in: $0) } }.value
  }

  /// Calls a closure with the transaction of a database connection.
  ///
  /// It is not inlined: the optimizer of Swift 6.3.1 crashes when it inlines a closure into one
  /// that passes a noncopyable temporary value.
  @inline(never)
  private func run<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result, in db: any LedgerConnection
  ) throws -> Result {
    let transaction = LedgerTransaction(db: db, historyDays: historyDays)
    return try body(transaction)
  }
}
