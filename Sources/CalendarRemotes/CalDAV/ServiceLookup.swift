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

/// A parsed DNS response (RFC 1035 §4.1); a malformed response is rejected as a whole.
package struct DNSAnswer: Sendable {
  /// The record types in use.
  enum RecordType: Int {
    case text = 16
    case service = 33
  }

  /// The maximum numbers of records in a response and of compression pointers in a name.
  private static let recordLimit = 64
  private static let jumpLimit = 32

  private let bytes: [UInt8]
  private var position = 0

  /// The SRV records (RFC 2782).
  package private(set) var services: [ServiceRecord] = []
  /// The TXT records; the strings of one record form one text (RFC 6763 §6.1).
  package private(set) var texts: [[String]] = []

  /// Parses a response; nil if it is malformed.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 12, let questions = number(at: 4), let answers = number(at: 6),
      questions <= 1, answers <= Self.recordLimit
    else { return nil }
    position = 12
    for _ in 0..<questions {
      guard readName() != nil else { return nil }
      position += 4
    }
    for _ in 0..<answers {
      guard readRecord() else { return nil }
    }
  }

  private mutating func readRecord() -> Bool {
    guard readName() != nil, let type = number(at: position), let size = number(at: position + 8)
    else { return false }
    position += 10
    let end = position + size
    guard end <= bytes.count else { return false }
    switch RecordType(rawValue: type) {
    case .service:
      guard size > 6, let priority = number(at: position), let weight = number(at: position + 2),
        let port = number(at: position + 4)
      else { return false }
      position += 6
      guard let host = readName(), position == end else { return false }
      services.append(
        ServiceRecord(host: host, port: port, priority: priority, weight: weight))
    case .text:
      guard let strings = strings(to: end) else { return false }
      texts.append(strings)
    case nil: break
    }
    position = end
    return true
  }

  private func strings(to end: Int) -> [String]? {
    var strings: [String] = []
    var index = position
    while index < end {
      let next = index + 1 + Int(bytes[index])
      guard next <= end else { return nil }
      strings.append(String(decoding: bytes[(index + 1)..<next], as: UTF8.self))
      index = next
    }
    return strings
  }

  /// Returns the big-endian 16-bit number at an index; nil if it is out of range.
  private func number(at index: Int) -> Int? {
    guard index >= 0, index + 1 < bytes.count else { return nil }
    return Int(bytes[index]) << 8 | Int(bytes[index + 1])
  }

  /// Reads a name in lower case, without the final dot; it can be compressed (RFC 1035 §4.1.4).
  private mutating func readName() -> String? {
    var labels: [String] = []
    var index = position
    var end: Int?
    var jumps = 0
    while index < bytes.count {
      let size = Int(bytes[index])
      if size == 0 {
        position = end ?? index + 1
        return labels.joined(separator: ".")
      }
      if size >= 0xC0 {
        guard let pointer = number(at: index), jumps < Self.jumpLimit else { return nil }
        if end == nil { end = index + 2 }
        jumps += 1
        index = pointer & 0x3FFF
        continue
      }
      guard size < 64, index + 1 + size <= bytes.count, labels.count < 128 else { return nil }
      let label = bytes[(index + 1)..<(index + 1 + size)]
      // A dot within a label would change the meaning of the name.
      guard label.allSatisfy({ PercentEncoding.isAlphanumeric($0) || "-_".utf8.contains($0) })
      else {
        return nil
      }
      labels.append(String(decoding: label, as: UTF8.self).lowercased())
      index += 1 + size
    }
    return nil
  }
}
