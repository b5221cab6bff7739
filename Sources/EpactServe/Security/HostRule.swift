// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
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

  /// Creates the rule of a port on loopback, with additional hosts.
  init(port: ServerPort, names: [String] = []) {
    self.names = Set(names.map { $0.lowercased() })
    local = self.names.union(["127.0.0.1", "localhost", "[::1]"])
    self.port = port
  }

  /// Whether a request is for this server.
  func allows(_ host: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    if names.contains(host) { return true }
    let end = ":\(port.value)"
    return host.hasSuffix(end) && local.contains(String(host.dropLast(end.count)))
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
