// SPDX-License-Identifier: Apache-2.0

import NIOPosix

/// Work that reads and writes files, on threads of its own.
///
/// The threads that serve connections never wait for a disk.
enum Background {
  /// Runs work on another thread.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}
