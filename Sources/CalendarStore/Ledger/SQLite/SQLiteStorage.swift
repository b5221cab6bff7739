// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The SQLite database of a ledger.
struct SQLiteStorage: LedgerStorage {
  private let path: String
  private let queue: DatabaseQueue

  /// Opens the database for reading and writing, and creates its tables if necessary.
  init(writing path: String) throws(StoreError) {
    self.path = path
    queue = try Self.mappingErrors(path) {
      let queue = try DatabaseQueue(path: path, configuration: LedgerSchema.configuration)
      _ = try queue.read { try LedgerSchema.check($0, path: path) }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = 1048576")
      }
      try LedgerSchema.migrator.migrate(queue)
      return queue
    }
  }

  /// Opens the database for reading only; nil if it is empty, or is being created.
  init?(reading path: String) throws(StoreError) {
    let queue = try Self.mappingErrors(path) { () throws -> DatabaseQueue? in
      var configuration = LedgerSchema.configuration
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      return try queue.read { try LedgerSchema.check($0, path: path) } ? queue : nil
    }
    guard let queue else { return nil }
    (self.path, self.queue) = (path, queue)
  }

  /// Creates an empty ledger in memory, in the place of one that is not stored.
  init(inPlaceOf path: String) throws(StoreError) {
    self.path = path
    queue = try Self.mappingErrors(path) { try LedgerSchema.inMemory() }
  }

  /// A file has no lease; a lock in its folder keeps other processes away.
  func release() {}

  func close() throws(StoreError) {
    try Self.mappingErrors(path) { try queue.close() }
  }

  // MARK: Transactions

  func read<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result {
    do {
      return try queue.read { try body(SQLiteConnection(db: $0)) }
    } catch {
      throw Self.mapped(error, path)
    }
  }

  func write<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result {
    do {
      return try queue.write { try body(SQLiteConnection(db: $0)) }
    } catch {
      throw Self.mapped(error, path)
    }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result {
    do {
      return try await queue.read { try body(SQLiteConnection(db: $0)) }
    } catch {
      throw Self.mapped(error, path)
    }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result {
    do {
      return try await queue.write { try body(SQLiteConnection(db: $0)) }
    } catch {
      throw Self.mapped(error, path)
    }
  }

  // MARK: Errors

  /// Converts a database error to a store error.
  private static func mapped(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case let error as DatabaseError: StoreError(error, path: path)
    case is RowDecodingError: StoreError.corrupt(path, "a column has an invalid value")
    case LedgerFault.corrupt(let finding): StoreError.corrupt(path, finding)
    case LedgerFault.failed(let reason): StoreError.unusable(path, reason)
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

extension StoreError {
  /// The error for an unusable ledger, with instructions.
  static func corrupt(_ path: String, _ finding: String) -> StoreError {
    StoreError(
      code: .corrupt, path: path,
      message: "the ledger is damaged (\(finding)); move the file away: the next sync then starts "
        + "over, matches by UID and content and deletes nothing, but access has to be granted anew")
  }

  /// The error for a ledger that refuses something.
  static func unusable(_ path: String, code: Code = .failed, _ reason: String) -> StoreError {
    StoreError(code: code, path: path, message: "cannot use the ledger: \(reason)")
  }

  /// Converts an SQLite error without the statement and arguments, which contain calendar data.
  fileprivate init(_ error: DatabaseError, path: String) {
    let finding = error.message ?? "\(error.resultCode)"
    switch error.extendedResultCode {
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTINIT:
      self.init(
        code: .interrupted, path: path,
        message: "a write was interrupted, which reading cannot repair; the next run that writes "
          + "repairs it")
      return
    default: break
    }
    let code: Code
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self = .corrupt(path, finding)
      return
    case .SQLITE_BUSY, .SQLITE_LOCKED: code = .locked
    case .SQLITE_FULL: code = .noSpace
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: code = .noAccess
    case .SQLITE_CANTOPEN: code = .notFound
    default: code = .failed
    }
    self = .unusable(path, code: code, finding)
  }
}
