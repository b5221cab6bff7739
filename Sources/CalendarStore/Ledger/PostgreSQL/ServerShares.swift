// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The limit of how many accounts use one server at a time, on all machines of a host together.
///
/// A share is an advisory lock of the database, which ends with the connection: the shares of a process
/// that dies are free at once. Without a database, the limit is that of one process.
package final class ServerShares: Sendable {
  /// The shares of one server that this process has, and the tasks that wait for one.
  private struct Server {
    var held: Set<Int> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The time after which a share is tried again that another process may have released.
  private static let pause = Duration.milliseconds(100)

  private let limit: Int
  private let locks: AdvisoryLocks?
  private let servers = Mutex<[String: Server]>([:])

  /// Describes shares; connects to nothing.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of accounts that use one server at a time, 1 or more.
  ///   - place: The database; nil for a limit of this process alone.
  package init(limit: Int, in place: PostgreSQLPlace?) {
    self.limit = max(1, limit)
    locks = place.map(AdvisoryLocks.init)
  }

  /// Calls a closure that uses some servers, when there is a share of each.
  ///
  /// - Throws: `CancellationError`, `StoreError` if the database cannot be reached, or an error of the
  ///   closure.
  package func using<Result: Sendable>(
    _ servers: Set<String>, _ body: () async throws -> Result
  ) async throws -> Result {
    var taken: [(server: String, number: Int)] = []
    // In one order for all, so that no two wait for each other.
    do {
      for server in servers.sorted() { taken.append((server, try await take(server))) }
      let result = try await body()
      for (server, number) in taken { await release(number, of: server) }
      return result
    } catch {
      for (server, number) in taken { await release(number, of: server) }
      throw error
    }
  }

  private func take(_ server: String) async throws -> Int {
    while true {
      try Task.checkCancellation()
      for number in 0..<limit {
        let isMine = servers.withLock { $0[server, default: Server()].held.insert(number).inserted }
        guard isMine else { continue }
        do {
          if try await locks?.take(server, number) ?? true { return number }
        } catch {
          giveUp(number, of: server)
          throw error
        }
        giveUp(number, of: server)
      }
      await waitForRelease(of: server)
    }
  }

  private func release(_ number: Int, of server: String) async {
    await locks?.release(server, number)
    giveUp(number, of: server)
  }

  private func giveUp(_ number: Int, of server: String) {
    let waiting = servers.withLock { servers in
      servers[server]?.held.remove(number)
      let waiting = servers[server]?.waiting ?? []
      servers[server]?.waiting = []
      if servers[server]?.held.isEmpty == true { servers[server] = nil }
      return waiting
    }
    waiting.forEach { $0.resume() }
  }

  /// Waits until a share of this process is released; with a database, for a moment only.
  private func waitForRelease(of server: String) async {
    if locks != nil {
      try? await Task.sleep(for: Self.pause)
      return
    }
    await withCheckedContinuation { continuation in
      let isFree = servers.withLock { servers in
        guard servers[server, default: Server()].held.count == limit else { return true }
        servers[server]?.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }
}

/// Locks of the database for one process, by name and number.
private final class AdvisoryLocks: @unchecked Sendable {
  // The connection is used on the queue alone.
  private let place: PostgreSQLPlace
  private let queue = DispatchQueue(label: "org.epact.shares")
  private var connection: PostgreSQLConnection?

  init(_ place: PostgreSQLPlace) {
    self.place = place
  }

  /// Takes a lock if no process has it.
  func take(_ name: String, _ number: Int) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Swift.Result {
            do {
              return try connected().has(
                """
                SELECT 1 WHERE pg_try_advisory_lock(CAST(? AS INTEGER), CAST(? AS INTEGER))
                """, [Self.key(name), number])
            } catch let error as PostgreSQLError {
              connection = nil
              throw error.storeError(place.address.description)
            }
          })
      }
    }
  }

  /// Releases a lock; those of a lost connection are released by its end.
  func release(_ name: String, _ number: Int) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        _ = try? connection?.has(
          "SELECT 1 WHERE pg_advisory_unlock(CAST(? AS INTEGER), CAST(? AS INTEGER))",
          [Self.key(name), number])
        continuation.resume()
      }
    }
  }

  private func connected() throws -> PostgreSQLConnection {
    if let connection, connection.isConnected { return connection }
    let new = try place.connection()
    connection = new
    return new
  }

  /// The key of a name (FNV-1a).
  ///
  /// Two names with one key share a limit, which is harmless.
  private static func key(_ name: String) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in "epact server \(name)".utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(Int32(bitPattern: hash))
  }
}
