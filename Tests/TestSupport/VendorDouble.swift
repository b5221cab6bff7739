// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// A double of a vendor's interface, started for tests and shared by all of them.
///
/// It is a Python program in Tests/Vendors that checks each request and answer with the vendor's own
/// contract. The token of a request names the account, so that each test has one of its own.
package final class VendorDouble: Sendable {
  /// Which vendor.
  package enum Kind: String, Sendable {
    case google
    case graph

    /// The path of the program.
    fileprivate var program: String {
      self == .google ? "Tests/Vendors/google/double.py" : "Tests/Vendors/graph"
    }
  }

  /// A control address that does not answer.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error.
    package init(description: String) { self.description = description }
  }

  private static let started = Mutex<[Kind: Task<VendorDouble, any Error>]>([:])
  private static let accounts = Atomic(0)

  private let program: ServerProcess.Program

  /// The port of the double.
  package var port: Int { program.port }

  /// The double of a vendor, which is started by the first test that needs it.
  package static func shared(_ kind: Kind) async throws -> VendorDouble {
    let task = started.withLock { started in
      if let known = started[kind] { return known }
      let task = Task { try await VendorDouble(kind) }
      started[kind] = task
      return task
    }
    return try await task.value
  }

  private init(_ kind: Kind) async throws {
    program = try await ServerProcess.Program(kind.program)
  }

  /// The token of a new account.
  package static func makeAccount() -> String {
    "a\(accounts.wrappingAdd(1, ordering: .relaxed).newValue)x\(UInt32.random(in: 0 ... .max))"
  }

  // MARK: Control

  /// Calls a control address of an account, and returns its JSON.
  @discardableResult
  package func control(
    _ method: String, _ account: String, _ name: String, _ body: String? = nil
  ) async throws -> Data {
    try await request(method, "/-/\(account)/\(name)", token: nil, body)
  }

  /// Sends a request as another program of the user does, and returns its JSON.
  @discardableResult
  package func person(
    _ account: String, _ method: String, _ path: String, _ body: String? = nil
  ) async throws -> Data {
    try await request(method, path, token: account, body)
  }

  private func request(
    _ method: String, _ path: String, token: String?, _ body: String?
  ) async throws -> Data {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\nX-Client: person\r\n" }
    let bytes = body.map { Data($0.utf8) } ?? Data()
    if body != nil { head += "Content-Type: application/json\r\n" }
    head += "Content-Length: \(bytes.count)\r\n\r\n"
    let answer = try await LoopbackClient.exchange(port, head + (body ?? ""))
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard answer.hasPrefix("HTTP/1.1 2"), parts.count == 2 else {
      throw Failure(description: "\(method) \(path) \(body ?? ""): \(answer.prefix(2_000))")
    }
    return Data(parts[1].utf8)
  }

  /// What the vendor would have refused, or would not have answered; empty if all is as documented.
  package func violations(_ account: String) async throws -> String {
    String(decoding: try await control("GET", account, "violations"), as: UTF8.self)
  }

  /// The methods and paths of the requests of an account so far, without those of other programs.
  package func requests(_ account: String) async throws -> [String] {
    struct Line: Decodable {
      var method: String
      var path: String
      var client: String?
    }
    let log = try JSONDecoder().decode(
      [Line].self, from: try await control("GET", account, "log"))
    return log.filter { $0.client != "person" }.map { "\($0.method) \($0.path)" }
  }
}
