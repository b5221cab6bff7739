// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The hosts under which the server answers.
///
/// A page of another site may have its own name resolved to 127.0.0.1. Its requests then have its name
/// as the host, and are refused (DNS rebinding).
struct HostRule: Sendable {
  /// The hosts with their ports, in lower case.
  private let hosts: Set<String>

  /// Creates the rule of a port on loopback, with additional hosts.
  init(port: Int, names: [String] = []) {
    let local = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" }
    hosts = Set((local + names.flatMap { [$0, "\($0):\(port)"] }).map { $0.lowercased() })
  }

  /// Whether a request is for this server.
  func allows(_ host: String?) -> Bool { host.map { hosts.contains($0.lowercased()) } ?? false }

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
