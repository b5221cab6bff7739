// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The port at which the server answers, which the system chooses if the options ask for port 0.
package final class ServerPort: Sendable {
  private let number: Mutex<Int>

  /// Creates a port; 0 until the server listens.
  package init(_ number: Int = 0) {
    self.number = Mutex(number)
  }

  /// States the port.
  func set(_ number: Int) { self.number.withLock { $0 = number } }

  /// The number.
  var value: Int { number.withLock { $0 } }
}

/// The hosts under which the server answers.
///
/// A page of another site may have its own name resolved to 127.0.0.1. Its requests then have its name
/// as the host, and are refused (DNS rebinding).
struct HostRule: Sendable {
  /// The hosts with the port of the server, in lower case.
  private let local: Set<String>
  /// The hosts that are complete without a port, as behind a proxy.
  private let names: Set<String>
  private let port: ServerPort
  /// Whether the server is reached by the addresses of this machine in a network.
  ///
  /// An address cannot be that of another site, so that each one is allowed.
  private let allowsAddresses: Bool

  /// Creates the rule of a port on loopback, with additional hosts.
  init(port: ServerPort, names: [String] = [], allowsAddresses: Bool = false) {
    self.names = Set(names.map { $0.lowercased() })
    local = self.names.union(["127.0.0.1", "localhost", "[::1]"])
    self.port = port
    self.allowsAddresses = allowsAddresses
  }

  /// Whether a request is for this server.
  func allows(_ host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    if names.contains(host) { return true }
    let end = ":\(port.value)"
    guard host.hasSuffix(end) else { return false }
    let name = String(host.dropLast(end.count))
    return local.contains(name) || allowsAddresses && Self.isAddress(name)
  }

  /// Whether a host is one of the additional names, as behind a proxy with TLS, and none of loopback.
  func isProxied(_ host: String?) -> Bool {
    guard let host = host?.lowercased(), names.contains(host) else { return false }
    return !["127.", "localhost", "[::1]"].contains { host.hasPrefix($0) }
  }

  /// Whether a host is an IP address (RFC 3986 §3.2.2).
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return (try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: 0)) != nil
    }
    return !host.contains(":") && (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Whether a request that changes something comes from a page of this server.
  ///
  /// Browsers state the origin of every form; other programs, which state none, have no cookie.
  func isOwn(_ request: Request) -> Bool {
    if let site = request.headers[.secFetchSite], site != "same-origin" { return false }
    guard let origin = request.headers[.origin] else { return true }
    guard let slash = origin.firstIndex(of: "/") else { return false }
    let host = origin[slash...].drop { $0 == "/" }
    return allows(String(host)) && host.lowercased() == request.head.authority?.lowercased()
  }
}

extension HTTPField.Name {
  /// The relation of a request's origin to the server (Fetch Metadata).
  static let secFetchSite = Self(known: "Sec-Fetch-Site")
  /// The permission to embed a response elsewhere (Fetch Standard).
  static let crossOriginResourcePolicy = Self(known: "Cross-Origin-Resource-Policy")
  /// The isolation of a page from its opener (HTML Standard).
  static let crossOriginOpenerPolicy = Self(known: "Cross-Origin-Opener-Policy")
  /// The information that links pass on.
  static let referrerPolicy = Self(known: "Referrer-Policy")

  /// Creates a name that is valid.
  private init(known name: String) {
    guard let made = Self(name) else { preconditionFailure("\(name) is no name of a field") }
    self = made
  }
}
