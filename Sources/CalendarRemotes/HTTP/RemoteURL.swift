// SPDX-License-Identifier: Apache-2.0

/// The address of something on a remote: `https` to anywhere, `http` to this machine only.
///
/// This is the one place that decides where requests may go. There is no address with a user name or
/// a password in it: credentials live in `Credentials`, which are never printed.
public struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// How the server is spoken to.
  package enum Scheme: String, Hashable, Sendable {
    case http
    case https

    var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// What credentials belong to: a server, spoken to in one way (RFC 6454 §4).
  package struct Origin: Hashable, Sendable, CustomStringConvertible {
    let scheme: Scheme
    let host: String
    let port: Int

    /// The origin, with the port where it is not the scheme's own.
    package var description: String {
      "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }
  }

  /// The scheme, host and port.
  package let origin: Origin
  /// The path as it was given, beginning with `/`; only what no request may hold is escaped.
  package let path: String
  /// The query without its question mark, if there is one.
  package let query: String?

  init(origin: Origin, path: String, query: String?) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// The address on one line, as it is sent.
  public var description: String {
    "\(origin)\(path)" + (query.map { "?\($0)" } ?? "")
  }

  /// The host, in lower case.
  package var host: String { origin.host }

  /// Whether requests stay on this machine.
  package var isLoopback: Bool { Self.isLoopback(host: origin.host) }

  /// The same address with a `/` at the end, as the address of a collection (RFC 4918 §5.2).
  package var asCollection: RemoteURL {
    path.hasSuffix("/") ? self : RemoteURL(origin: origin, path: path + "/", query: query)
  }

  /// The address of the member of this collection that has a name of unreserved characters.
  package func appending(_ name: String) -> RemoteURL {
    RemoteURL(origin: origin, path: asCollection.path + name, query: nil)
  }

  /// The path in the one spelling in which equal paths are equal texts (RFC 3986 §6.2.2).
  package var normalizedPath: String { PercentEncoding.normalized(path) }

  /// The address in the one spelling in which equal addresses are equal texts.
  package var normalized: String {
    "\(origin)\(normalizedPath)" + (query.map { "?\($0)" } ?? "")
  }

  /// Whether this is a direct or deeper member of the collection, and not the collection itself.
  package func isInside(_ collection: RemoteURL) -> Bool {
    let inner = normalizedPath
    let outer = collection.asCollection.normalizedPath
    // A server may decode `%2E%2E` before it looks for dots, so dots are looked for decoded.
    let climbs =
      inner.utf8.contains(0x2E)
      && inner.split(separator: "/").contains { $0 == "." || $0 == ".." }
    return origin == collection.origin && !climbs && inner != outer && inner.hasPrefix(outer)
  }
}
