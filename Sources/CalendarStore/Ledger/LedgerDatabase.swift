// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
import GRDB

// The format of the ledger: one SQLite database, `ledger.sqlite` in the state folder.
//
//   remote    one row for each remote that anything is known of: kind, location, user
//   grant     what a person allowed for a remote; at most one row a remote
//   append    what was ever added to a remote under write-only access; survives everything else
//   sync      one row for each name of a sync, and what it is bound to: a local path and a remote
//   entry     what the sides of a sync last agreed on, one row for each UID; the two bases
//   checkpoint  from where the next run of a sync goes on, the remote's cursor with it; at most one row
//             a sync
//   snapshot  what the local calendar was, a cache whose bytes only the calendar reads; the same
//   unsettled what the cursor passed over and still has to be looked at
//   unlisted  where something was added that no answer of the remote has named yet
//   conflict  two edits of a UID that wait for a decision, with all three contents
//   run       one row for each run: when, and what it did
//   journal   one row for each change that was ever intended, with the contents before and after
//   attempt   how the last try at each sync ended, by name
//   quarantine  the items of a sync that could not be dealt with
//   property  what the sides of a sync last agreed on about the calendar as a whole
//   propertyJournal  one row for each change of that which was ever intended, with the values before and
//             after
//
//     remote ◄── grant
//        ▲ ▲──── append
//        │
//      sync ◄─── entry, conflict, quarantine, property
//        ▲
//       run ◄─── journal, propertyJournal
//
// Invariants
//
//  1. What belongs to a sync is only ever used with the binding it was made with. When a sync begins
//     a run with another binding, its entries and conflicts are deleted and its pending intents are
//     given up; what was added under write-only access is bound to the remote and stays.
//  2. A change is in the journal as `pending` before it is made (`record`), and is `done` or `given
//     up` in the very transaction that records its outcome (`settle`). Rows that are pending when a
//     run begins are those of a run that was cut off. Of what the calendar says of itself the same
//     holds for the journal of its own.
//  3. Each call of `Ledger` is one transaction and durable when it returns, so that the ledger never
//     claims more than the disk holds.
//  4. The ledger is a cache of what can be found out again, but for grants and for what was added
//     under write-only access. Without it a sync matches by UID and content and deletes nothing.
//  5. UIDs, hrefs and names are stored as blobs: SQLite binds a text up to its first NUL byte, and
//     compares it by rules; a blob is compared byte by byte, which is also the order of UIDs.
//
// The journal mode is PERSIST with synchronous=FULL, a rollback journal that is kept and overwritten.
// A commit is durable when it returns, as in WAL mode with FULL, and the choice between the two is
// about the rest:
//
//  - Between transactions all of the ledger is in one file, which can be copied and moved; in WAL mode
//    the newest transactions may be in a second one that is easily left behind.
//  - Reading creates nothing: a dry run writes no byte, not even the index of a WAL.
//  - It needs no shared memory, and so works in a home folder on a network file system.
//  - A commit costs 0.9 ms here, against 2.6 ms in WAL mode and 18 ms with TRUNCATE or DELETE, which
//    change the size of the journal or remove it each time (small transactions, ext4, one machine).
//
// What WAL would give in return, readers beside a writer, matters little behind `StoreLock`.
//
// After a power cut in the middle of a commit the journal is *hot*: the next opening for writing rolls
// the transaction back. A dry run may not do that and says so (`StoreError.Code.interrupted`).

/// The ledger in an SQLite database.
///
/// Opening it checks it: that it is a ledger, that it is whole, and that it is not of a newer version
/// of the program. The file is for its owner alone.
///
/// ## Topics
///
/// - ``init(path:historyDays:)``
/// - ``init(reading:)``
/// - ``close()``
public struct LedgerDatabase: Ledger, GrantStore, RunHistory {
  /// The path of the database.
  public let path: String
  /// For how many days the runs that changed something are kept.
  let historyDays: Int
  private let queue: DatabaseQueue
  private let isWritable: Bool

  /// Opens the ledger for reading and writing; makes it, and its folder, if there is none.
  ///
  /// - Parameters:
  ///   - path: The file of the database.
  ///   - historyDays: For how many days the runs that changed something are kept.
  /// - Throws: `StoreError`; with the code `.corrupt`, `.newerSchema` or `.locked` if it cannot be used.
  public init(path: String, historyDays: Int = 30) throws(StoreError) {
    try Self.makeFile(path)
    self.path = path
    self.historyDays = min(max(1, historyDays), 36_500)
    isWritable = true
    queue = try Self.mappingErrors(path) {
      let queue = try DatabaseQueue(path: path, configuration: LedgerSchema.configuration)
      try queue.read { try LedgerSchema.check($0, path: path) }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = 1048576")
      }
      try LedgerSchema.migrator.migrate(queue)
      return queue
    }
  }

  /// Opens the ledger for reading alone, as a dry run does: nothing is created or changed.
  ///
  /// No ledger is the same as an empty one.
  ///
  /// - Throws: `StoreError`; with the code `.interrupted` if a write was cut off, which only an opening
  ///   for writing can repair.
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
    queue = try Self.mappingErrors(path) {
      guard exists else { return try LedgerSchema.inMemory(copying: nil) }
      var configuration = LedgerSchema.configuration
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let isCurrent = try queue.read { db in
        try LedgerSchema.check(db, path: path)
        return try LedgerSchema.migrator.hasCompletedMigrations(db)
      }
      // A ledger of an older version is brought up to date in memory.
      return isCurrent ? queue : try LedgerSchema.inMemory(copying: queue)
    }
  }

  /// Closes the database; it must not be used afterwards.
  ///
  /// It is also closed when the last copy of the value is let go of.
  ///
  /// - Throws: `StoreError` if it is still in use.
  public func close() throws(StoreError) {
    try Self.mappingErrors(path) { try queue.close() }
  }

  /// Makes an empty file for the owner alone, where SQLite would let everybody read it.
  private static func makeFile(_ path: String) throws(StoreError) {
    try FolderPath.create(FilePlace(path).folder, mode: 0o700)
    let file = try OpenFile.open(path, [.readAndWrite, .create, .noFollow], mode: 0o600)
    let status = try file.status()
    guard status.kind == .file else {
      throw StoreError(code: .notRegular, path: path, message: "not a plain file")
    }
    if status.mode & 0o077 != 0 { try file.setMode(0o600) }
  }

  // MARK: Access

  /// Reads within one transaction.
  func read<Result: Sendable>(
    _ body: @Sendable (Database) throws -> Result
  ) async throws -> Result {
    do {
      return try await queue.read(body)
    } catch {
      throw Self.mapped(error, path)
    }
  }

  /// Writes one transaction, durable when this returns.
  ///
  /// It is written even if the run is being cancelled: what is written down here was done already.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    guard isWritable else { throw StoreError.readOnly(path) }
    let queue = queue
    do {
      return try await Task { try await queue.write(body) }.value
    } catch {
      throw Self.mapped(error, path)
    }
  }

  /// The error as one of the store, if it comes from the database.
  private static func mapped(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case let error as DatabaseError: StoreError(error, path: path)
    case is RowDecodingError: StoreError.corrupt(path, "a column holds what it cannot hold")
    default: error
    }
  }

  private static func mappingErrors<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      let error = mapped(error, path)
      throw error as? StoreError ?? StoreError(code: .failed, path: path, message: "\(error)")
    }
  }
}
