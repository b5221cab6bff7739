// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The open connections to a database that the ledgers of a process use one after the other.
///
/// A new connection costs the server a process, and takes several times as long as a sync that finds
/// nothing to do. The tenant of a connection is that of its transaction.
public final class PostgreSQLConnections: Sendable {
  /// A connection that no session uses, which may therefore move to another thread.
  private struct Idle: @unchecked Sendable {
    let connection: PostgreSQLConnection
  }

  private let idle = Mutex<[Idle]>([])
  /// The maximum number of connections that wait for their next use.
  private let limit: Int

  /// Creates an empty store of connections.
  ///
  /// - Parameter limit: The maximum number of connections that wait for their next use.
  public init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Removes and returns a connection; nil if none waits.
  func take() -> PostgreSQLConnection? { idle.withLock { $0.popLast()?.connection } }

  /// Keeps a connection, which its session does not use any more and which is in no transaction.
  func keep(_ connection: PostgreSQLConnection) {
    let idle = Idle(connection: connection)
    self.idle.withLock { connections in
      if connections.count < limit { connections.append(idle) }
    }
  }
}
