// SPDX-License-Identifier: Apache-2.0

import CNames

/// What tells which servers offer a service under a domain: the name service, or a script in a test.
public protocol ServiceLookup: Sendable {
  /// The servers of a service, as `_caldavs._tcp.example.org` (RFC 2782); none if none is named.
  func services(_ name: String) async throws -> [ServiceRecord]

  /// What is to be known of a service besides, as `path=/dav/` (RFC 6764 §4); none if nothing is told.
  func texts(_ name: String) async throws -> [String]
}

/// A server that offers a service (RFC 2782).
public struct ServiceRecord: Hashable, Sendable {
  /// The host, in lower case.
  public let host: String
  /// The port, from 0 through 65535.
  public let port: Int
  /// The lowest is tried first.
  public let priority: Int
  /// Of equal priorities, how much of the load a server takes.
  public let weight: Int

  /// Creates a record.
  public init(host: String, port: Int, priority: Int = 0, weight: Int = 0) {
    self.host = host
    self.port = port
    self.priority = priority
    self.weight = weight
  }
}

/// The system's name servers.
///
/// A question waits for some seconds at most, on the thread that asks.
public struct SystemServiceLookup: ServiceLookup {
  /// The largest answer that is read, in bytes.
  private static let sizeLimit = 16_384

  /// Creates a lookup.
  public init() {}

  /// The servers of a service.
  public func services(_ name: String) async throws -> [ServiceRecord] {
    try answer(name, .service)?.services ?? []
  }

  /// The texts of a service.
  public func texts(_ name: String) async throws -> [String] {
    try answer(name, .text)?.texts.flatMap(\.self) ?? []
  }

  private func answer(_ name: String, _ type: DNSAnswer.RecordType) throws -> DNSAnswer? {
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
    let size = unsafe cnames_query(name, CInt(type.rawValue), &bytes, bytes.count)
    if size == Int(CNAMES_NOTHING) { return nil }
    guard size >= 0 else {
      throw RemoteError(
        code: .unreachable, subject: ServerText.escaped(name),
        message: "no name server tells which server offers this service")
    }
    guard size <= bytes.count, let answer = DNSAnswer(Array(bytes.prefix(size))) else {
      throw RemoteError(
        code: .malformed, subject: ServerText.escaped(name),
        message: "the answer of the name server is of no use")
    }
    return answer
  }
}
