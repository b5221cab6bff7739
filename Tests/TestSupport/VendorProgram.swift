// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

extension ServerProcess {
  /// A Python program of Tests/Vendors that listens on a port, and ends with this value.
  package final class Program: Sendable {
    /// The port.
    package let port: Int
    private let folder: String
    private let running: Mutex<(process: TestProgram.Started, lifeline: CInt)>

    /// Starts a program on a free port, and waits until it answers.
    ///
    /// - Parameters:
    ///   - path: The path of the program in the repository.
    ///   - arguments: More arguments.
    /// - Throws: `Failure` if the program does not start.
    package init(_ path: String, _ arguments: [String] = []) async throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
      let python = root + "/.build/servers/bin/python"
      guard unsafe access(python, X_OK) == 0 else {
        throw Failure(description: "\(python) is missing: run .ci/setup")
      }
      port = try ServerProcess.freePort()
      folder = try ServerProcess.makeFolder()
      let command = [python, "\(root)/\(path)", "--port", "\(port)"] + arguments
      running = Mutex(try ServerProcess.spawn(command, log: folder + "/log"))
      for _ in 0..<ServerProcess.patience {
        if log.contains("ready ") { return }
        try await Task.sleep(for: .milliseconds(50))
      }
      throw Failure(description: "\(path) does not start:\n\(log)")
    }

    deinit {
      running.withLock { running in
        close(running.lifeline)
        running.process.wait()
      }
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// What the program has printed.
    package var log: String {
      (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
    }
  }
}
