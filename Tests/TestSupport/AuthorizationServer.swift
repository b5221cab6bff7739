// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// An authorization server on Authlib, started for a test and ended with it.
///
/// Authlib decides about codes, challenges and tokens, so that somebody else's reading of the RFCs
/// checks the client. `Tests/Vendors/authorization/settings.py` lists the settings with their sources.
package final class AuthorizationServer: Sendable {
  /// Why a server could not be started, or rejects a control request.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// A request in the server's log.
  package struct Entry: Decodable, Sendable {
    package let method: String
    package let path: String
    package let status: Int?
    package let form: [String: String]?
  }

  /// The name of the issuer, of which each test has its own.
  package let issuer = "i" + UUID().uuidString.prefix(8)
  private let port: Int
  private let lifeline: CInt
  private let process: TestProgram.Started
  private let folder: TemporaryFolder

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static var python: String { repository + "/.build/servers/bin/python" }
  private static var sources: String { repository + "/Tests/Vendors/authorization" }

  /// Starts a server with an issuer whose user is asked at a page.
  package init() async throws {
    guard unsafe access(Self.python, X_OK) == 0 else {
      throw Failure(description: "\(Self.python) is missing: run .ci/setup")
    }
    folder = try TemporaryFolder()
    let log = folder.path(of: "log")
    (process, lifeline) = try ServerProcess.spawn(
      [Self.python, Self.sources + "/server.py", "--port", "0"], log: log)
    var found: Int?
    for _ in 0..<ServerProcess.patience {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if let match = text.firstMatch(of: /ready (\d+)\n/) {
        found = Int(match.output.1)
        break
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    guard let found else {
      close(lifeline)
      throw Failure(description: "the authorization server does not start")
    }
    port = found
  }

  deinit {
    close(lifeline)
    process.wait()
  }

  /// The address of the program.
  package var root: String { "http://127.0.0.1:\(port)" }
  /// The identity of the authorization server.
  package var address: String { "\(root)/\(issuer)" }
  /// The address of a CalDAV server behind tokens, whose own one is the setting `upstream`.
  package var calendars: String { "\(root)/dav/\(issuer)/" }

  /// The value of `$BROWSER` for a person who does what the options say.
  package static func browser(_ options: String...) -> String {
    ([python, sources + "/browser.py"] + options).joined(separator: " ")
  }

  // MARK: Control

  /// Changes settings.
  package func set(_ settings: [String: any Sendable]) async throws {
    _ = try await control("settings", try JSONSerialization.data(withJSONObject: settings))
  }

  /// Sets faults, each an object as in `faults.py`.
  package func fail(_ faults: [[String: any Sendable]]) async throws {
    _ = try await control("faults", try JSONSerialization.data(withJSONObject: faults))
  }

  /// Moves the clock of the server on.
  package func advance(seconds: Int) async throws {
    _ = try await control("advance", Data("{\"seconds\": \(seconds)}".utf8))
  }

  /// Ends all access tokens, or all that the user ever allowed.
  package func end(everything: Bool = false) async throws {
    _ = try await control(everything ? "revoke-all" : "expire", Data("{}".utf8))
  }

  /// Every secret that was issued or received.
  package func secrets() async throws -> [String] {
    try JSONDecoder().decode([String].self, from: try await control("secrets"))
  }

  /// The violations of the RFCs by the client.
  package func violations() async throws -> String {
    String(decoding: try await control("violations"), as: UTF8.self)
      .filter { !$0.isWhitespace }
  }

  /// The forms that were sent to the token endpoint with a grant type.
  package func requests(for grant: String) async throws -> Int {
    let entries = try JSONSerialization.jsonObject(with: try await control("log"))
    return (entries as? [[String: Any]] ?? []).count { entry in
      guard (entry["path"] as? String)?.hasSuffix("/token") == true else { return false }
      let form = (try? JSONSerialization.data(withJSONObject: entry)) ?? Data()
      return String(decoding: form, as: UTF8.self).contains("\"\(grant)\"")
    }
  }

  private func control(_ name: String, _ body: Data? = nil) async throws -> Data {
    let text = body.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let head =
      "\(body == nil ? "GET" : "POST") /-/\(issuer)/\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
      + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: "
      + "\(text.utf8.count)\r\n\r\n"
    let answer = try await LoopbackClient.exchange(port, head + text)
    guard answer.hasPrefix("HTTP/1.1 200"), let gap = answer.firstRange(of: "\r\n\r\n") else {
      throw Failure(description: "\(name): \(answer)")
    }
    return Data(answer[gap.upperBound...].utf8)
  }

  /// Opens an address as a browser of the person does, and returns the redirect of the last page.
  package func redirect(of address: String) async throws -> String? {
    let path = address.dropFirst(root.count)
    let answer = try await LoopbackClient.exchange(
      port, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
    return answer.firstMatch(of: /Location: (\S+)/).map { String($0.output.1) }
  }
}
