// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The host of an address.
struct HostName: Hashable {
  /// The host in lower case, without the full stop of the root: `localhost.` is `localhost`.
  let text: String

  /// Normalizes a host.
  init(_ host: String) {
    let name = host.lowercased()
    text = name.hasSuffix(".") && name.utf8.count > 1 ? String(name.dropLast()) : name
  }

  /// Whether the host is this machine, without asking a name service (RFC 6761 §6.3).
  ///
  /// Of the spellings of an IPv4 address, only the one with four numbers counts.
  var isLoopback: Bool {
    if text == "localhost" || text.hasSuffix(".localhost") { return true }
    if let address = Self.ipv6(text) { return address == Self.loopback6 }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
  }

  /// Whether a connection to the host may reach this machine, in any spelling of a resolver.
  ///
  /// Resolvers accept `127.1`, `0x7f.1` and `0` as IPv4 addresses, and connect to this machine for
  /// `0.0.0.0` and `::`.
  var mayReachThisMachine: Bool {
    guard let address = Self.ipv6(text) ?? Self.ipv4(text) else { return isLoopback }
    return Self.reachesThisMachine(address)
  }

  /// Whether a text is a name in ASCII, or an IP address.
  static func isValid(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") { return ipv6(host) != nil }
    return !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "-._".utf8.contains($0) }
  }

  // MARK: IP addresses

  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
  /// The prefix of IPv4 addresses in IPv6 (RFC 4291 §2.5.5.2).
  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private static func reachesThisMachine(_ address: [UInt8]) -> Bool {
    if address.count == 4 { return address[0] == 127 || address[0] == 0 }
    if address.starts(with: mapped) { return reachesThisMachine(Array(address.suffix(4))) }
    return address == loopback6 || address.allSatisfy { $0 == 0 }
  }

  private static func ipv4(_ text: String) -> [UInt8]? {
    var address = in_addr()
    guard unsafe inet_aton(text, &address) != 0 else { return nil }
    let value = UInt32(bigEndian: address.s_addr)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  /// The sixteen bytes of an IPv6 address in brackets.
  private static func ipv6(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    var address = [UInt8](repeating: 0, count: 16)
    return unsafe inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &address) == 1
      ? address : nil
  }
}
