// SPDX-License-Identifier: Apache-2.0

/// The database of a ledger, which runs transactions one after the other on a thread of its own.
///
/// All functions throw the errors of the database as `StoreError`, and those of the closures.
protocol LedgerStorage: Sendable {
  /// Reads in one transaction, and waits for the result.
  func read<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result

  /// Writes in one transaction that is durable when this returns, and waits for the result.
  func write<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result

  /// Reads in one transaction.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result

  /// Writes in one transaction that is durable when this returns.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result

  /// Ends a lease before its time.
  func release()

  /// Closes the database; it must not be used afterwards.
  func close() throws(StoreError)
}
