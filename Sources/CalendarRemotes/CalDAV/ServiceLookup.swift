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
    try answer(name, Int(CNAMES_SERVICE))?.services ?? []
  }

  /// Returns the TXT records of a service.
  public func texts(_ name: String) async throws -> [String] {
    try answer(name, Int(CNAMES_TEXT))?.texts.flatMap(\.self) ?? []
  }

  private func answer(_ name: String, _ type: Int) throws -> DNSAnswer? {
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
    let size = unsafe cnames_query(name, CInt(type), &bytes, bytes.count)
    if size == Int(CNAMES_NOTHING) { return nil }
    guard size >= 0 else {
      throw RemoteError(
        code: .unreachable, subject: ServerText.escaped(name),
        message: "no name server responded to the query for this service")
    }
    guard size <= bytes.count, let answer = DNSAnswer(Array(bytes.prefix(size))) else {
      throw RemoteError(
        code: .malformed, subject: ServerText.escaped(name),
        message: "invalid response of the name server")
    }
    return answer
  }
}

/// A parsed DNS response (RFC 1035 §4.1); a malformed response is rejected as a whole.
package struct DNSAnswer: Sendable {
  /// The maximum number of records in a response.
  private static let recordLimit = 64
  /// The maximum size of a host name in text form, with its NUL.
  private static let hostLimit = 1025

  /// The SRV records (RFC 2782).
  package private(set) var services: [ServiceRecord] = []
  /// The TXT records; the strings of one record form one text (RFC 6763 §6.1).
  package private(set) var texts: [[String]] = []

  /// Parses a response with the system's resolver; nil if it is malformed.
  package init?(_ bytes: [UInt8]) {
    let count = unsafe Int(cnames_record_count(bytes, bytes.count))
    guard (0...Self.recordLimit).contains(count) else { return nil }
    for index in 0..<count {
      var record = cnames_record()
      var host = [UInt8](repeating: 0, count: Self.hostLimit)
      let isWhole = unsafe cnames_read_record(
        bytes, bytes.count, CInt(index), &record, &host, host.count)
      guard isWhole else { return nil }
      switch Int(record.type) {
      case Int(CNAMES_SERVICE):
        guard let host = Self.host(host) else { return nil }
        services.append(
          ServiceRecord(
            host: host, port: Int(record.port), priority: Int(record.priority),
            weight: Int(record.weight)))
      case Int(CNAMES_TEXT):
        guard let strings = Self.strings(bytes[record.start..<record.start + record.size]) else {
          return nil
        }
        texts.append(strings)
      default: break
      }
    }
  }

  /// Returns a host in lower case; empty for the root, and nil if a label has unusual characters.
  private static func host(_ buffer: [UInt8]) -> String? {
    let name = buffer.prefix { $0 != 0 }
    if name.elementsEqual(".".utf8) { return "" }
    guard name.allSatisfy({ PercentEncoding.isAlphanumeric($0) || "-_.".utf8.contains($0) }) else {
      return nil
    }
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Splits the data of a TXT record, in which a length precedes each string (RFC 1035 §3.3.14).
  private static func strings(_ data: ArraySlice<UInt8>) -> [String]? {
    var (strings, rest): ([String], ArraySlice<UInt8>) = ([], data)
    while let length = rest.popFirst() {
      guard rest.count >= Int(length) else { return nil }
      strings.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    return strings
  }
}
