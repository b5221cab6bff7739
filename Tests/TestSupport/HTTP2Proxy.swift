// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A real proxy that speaks TLS with HTTP/2 or HTTP/1.1, in front of a server on loopback: nghttpx.
package final class HTTP2Proxy: Sendable {
  /// A request as the proxy has answered it.
  package struct Request: Hashable, Sendable {
    /// The protocol: `h2` or `http/1.1`.
    package let version: String
    /// The port of the client, which is another one for each connection.
    package let connection: String
    package let status: String
    package let method: String
  }

  package let port: Int
  private let folder: String
  private let process: TestProgram.Started
  private let lifeline: CInt

  /// Starts a proxy to a port, and waits until it answers.
  ///
  /// - Parameters:
  ///   - server: The port of the server.
  ///   - protocols: The protocols that the proxy offers, with commas between.
  /// - Throws: `ServerProcess.Failure` if it does not start.
  package init(to server: Int, protocols: String = "h2,http/1.1") async throws {
    folder = try ServerProcess.makeFolder()
    // nghttpx starts in milliseconds, and the probe of a port may not have released it by then.
    for _ in 0..<20 {
      let port = try ServerProcess.freePort()
      let started = try Self.start(port, to: server, protocols, in: folder)
      if try await Self.answers(port, folder) {
        (self.port, (process, lifeline)) = (port, started)
        return
      }
      close(started.lifeline)
      started.process.wait()
    }
    throw ServerProcess.Failure(
      description: "nghttpx does not answer (is it installed? .ci/setup):\n\(Self.log(in: folder))")
  }

  private static func start(
    _ port: Int, to server: Int, _ protocols: String, in folder: String
  ) throws -> (process: TestProgram.Started, lifeline: CInt) {
    let log = folder + "/log"
    try "".write(toFile: log, atomically: false, encoding: .utf8)
    return try ServerProcess.spawn(
      [
        "nghttpx", "--conf=/dev/null", "--single-process", "--workers=1", "--no-ocsp",
        "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(server)",
        "--npn-list=\(protocols)", "--response-header-field-buffer=1M",
        "--accesslog-file=\(folder)/requests",
        "--accesslog-format=$alpn $remote_port $status $request", "--errorlog-file=\(log)",
        ServerProcess.key, ServerProcess.certificate,
      ], log: log)
  }

  /// Whether the proxy answers; false once it has ended.
  private static func answers(_ port: Int, _ folder: String) async throws -> Bool {
    for _ in 0..<ServerProcess.patience {
      if log(in: folder).contains("FATAL") { return false }
      if ServerProcess.answers(port) { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  private static func log(in folder: String) -> String {
    (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
  }

  deinit {
    close(lifeline)
    process.wait()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The address of the proxy.
  package var root: String { "https://localhost:\(port)/" }

  /// The requests that were answered, in the order of the answers.
  package var requests: [Request] {
    let text = (try? String(contentsOfFile: folder + "/requests", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 3 else { return nil }
      return Request(version: words[0], connection: words[1], status: words[2], method: words[3])
    }
  }
}
