// SPDX-License-Identifier: Apache-2.0

/// An address on a remote: `https` to any host, `http` only to this machine.
///
/// This is the one place that decides where requests may go. An address never contains a user name
/// or password: these are in `Credentials`, which are never printed.
public struct RemoteURL: Hashable, Sendable, CustomStringConvertible {
  /// The protocol.
  package enum Scheme: String, Hashable, Sendable {
    case http
    case https

    var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// The scope of credentials: scheme, host and port (RFC 6454 §4).
  package struct Origin: Hashable, Sendable, CustomStringConvertible {
    let scheme: Scheme
    let host: String
    let port: Int

    /// The origin, with the port if it is not the default.
    package var description: String {
      "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }
  }

  /// The scheme, host and port.
  package let origin: Origin
  /// The path, starting with `/`; only bytes that a request must not contain are escaped.
  package let path: String
  /// The query without its question mark, or nil.
  package let query: String?

  init(origin: Origin, path: String, query: String?) {
    self.origin = origin
    self.path = path
    self.query = query
  }

  /// The address as sent in a request.
  public var description: String {
    "\(origin)\(path)" + (query.map { "?\($0)" } ?? "")
  }

  /// The host, in lower case.
  package var host: String { origin.host }

  /// Whether the host is this machine.
  package var isLoopback: Bool { Self.isLoopback(host: origin.host) }

  /// The address with a `/` at the end, as for a collection (RFC 4918 §5.2).
  package var asCollection: RemoteURL {
    path.hasSuffix("/") ? self : RemoteURL(origin: origin, path: path + "/", query: query)
  }

  /// Returns the address of a member of this collection; `name` must be unreserved characters.
  package func appending(_ name: String) -> RemoteURL {
    RemoteURL(origin: origin, path: asCollection.path + name, query: nil)
  }

  /// The normalized path, for comparison (RFC 3986 §6.2.2).
  package var normalizedPath: String { PercentEncoding.normalized(path) }

  /// The normalized address, for comparison.
  package var normalized: String {
    "\(origin)\(normalizedPath)" + (query.map { "?\($0)" } ?? "")
  }

  /// Whether this is a direct or indirect member of the collection.
  package func isInside(_ collection: RemoteURL) -> Bool {
    let inner = normalizedPath
    let outer = collection.asCollection.normalizedPath
    // A server may decode `%2E%2E` before it resolves dots, so the check is on the decoded path.
    let climbs =
      inner.utf8.contains(0x2E)
      && inner.split(separator: "/").contains { $0 == "." || $0 == ".." }
    return origin == collection.origin && !climbs && inner != outer && inner.hasPrefix(outer)
  }
}
