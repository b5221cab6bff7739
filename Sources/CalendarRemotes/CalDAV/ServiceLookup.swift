// SPDX-License-Identifier: Apache-2.0

import CNames

/// A lookup of the servers for a service under a domain: DNS, or a script in a test.
public protocol ServiceLookup: Sendable {
  /// Returns the SRV records of a service such as `_caldavs._tcp.example.org` (RFC 2782).
  func services(_ name: String) async throws -> [ServiceRecord]

  /// Returns the TXT records of a service, such as `path=/dav/` (RFC 6764 §4).
  func texts(_ name: String) async throws -> [String]
}

/// A server that offers a service (RFC 2782).
public struct ServiceRecord: Hashable, Sendable {
  /// The host, in lower case.
  public let host: String
  /// The port, from 0 through 65535.
  public let port: Int
  /// The priority; the lowest is tried first.
  public let priority: Int
  /// The share of the load among servers with equal priority.
  public let weight: Int

  /// Creates a record.
  public init(host: String, port: Int, priority: Int = 0, weight: Int = 0) {
    self.host = host
    self.port = port
    self.priority = priority
    self.weight = weight
  }
}

/// A lookup with the system's DNS resolver.
///
/// A query blocks the calling thread for a few seconds at most.
public struct SystemServiceLookup: ServiceLookup {
  /// The maximum size of a DNS response, in bytes.
  private static let sizeLimit = 16_384

  /// Creates a lookup.
  public init() {}

  /// Returns the SRV records of a service.
  public func services(_ name: String) async throws -> [ServiceRecord] {
    try answer(name, .service)?.services ?? []
  }

  /// Returns the TXT records of a service.
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
