// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The PostgreSQL database of a ledger.
///
/// libpq waits for the server, and would stop the tasks of a thread that they share. So the session
/// is used on the thread of a queue, which also makes it safe to share: nothing else uses it.
final class PostgreSQLStorage: LedgerStorage, @unchecked Sendable {
  private let path: String
  private let session: PostgreSQLSession
  private let queue = DispatchQueue(label: "org.epact.ledger")
  /// Renews the lease of a run that reads for long.
  private var renewal: (any DispatchSourceTimer)?

  /// Opens the database for reading and writing, and creates its tables if necessary.
  init(writing place: PostgreSQLPlace, taking lease: LedgerLease?) throws(StoreError) {
    path = place.address.description
    session = PostgreSQLSession(place)
    try mappingErrors { [queue, session] in
      try queue.sync { try session.open(taking: lease) }
    }
    if let lease, lease.isKept { renewal = renewing(lease) }
  }

  deinit { renewal?.cancel() }

  /// Writes nothing in a transaction three times in the life of a lease.
  ///
  /// A lease that is lost stops the run at its next transaction.
  private func renewing(_ lease: LedgerLease) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let interval = DispatchTimeInterval.milliseconds(lease.seconds * 1000 / 3)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler { [weak session] in try? session?.write(mayRepeat: true) { _ in } }
    timer.resume()
    return timer
  }

  /// Opens the database for reading only; nil if it has no ledger.
  init?(reading place: PostgreSQLPlace) throws(StoreError) {
    path = place.address.description
    session = PostgreSQLSession(place)
    let isLedger = try mappingErrors { [queue, session] in
      try queue.sync { try session.hasLedger() }
    }
    guard isLedger else { return nil }
  }

  func release() {
    renewal?.cancel()
    queue.sync { session.release() }
  }

  func close() throws(StoreError) {
    renewal?.cancel()
    queue.sync { session.end() }
  }

  // MARK: Transactions

  func read<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result {
    try mapping { try queue.sync { try session.read(mayRepeat: false, body) } }
  }

  func write<Result>(_ body: (any LedgerConnection) throws -> Result) throws -> Result {
    try mapping { try queue.sync { try session.write(mayRepeat: false, body) } }
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result {
    try await onQueue { try $0.read(mayRepeat: true, body) }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws -> Result
  ) async throws -> Result {
    try await onQueue { try $0.write(mayRepeat: true, body) }
  }

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLSession) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Swift.Result { try mapping { try body(session) } })
      }
    }
  }

  // MARK: Errors

  private func mapping<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw mapped(error)
    }
  }

  private func mapped(_ error: any Error) -> any Error {
    switch error {
    case let error as PostgreSQLError: error.storeError(path)
    case LedgerFault.corrupt(let finding):
      StoreError(code: .corrupt, path: path, message: "the ledger is damaged (\(finding))")
    case LedgerFault.failed(let reason): StoreError.unusable(path, reason)
    default: error
    }
  }

  private func mappingErrors<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      let error = mapped(error)
      throw error as? StoreError ?? StoreError(code: .failed, path: path, message: "\(error)")
    }
  }
}
