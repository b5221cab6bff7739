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
  package var isLoopback: Bool { HostName(origin.host).isLoopback }

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

extension RemoteURL {
  /// The maximum length of an address, in bytes.
  private static let lengthLimit = 8192

  /// Parses an absolute address (RFC 3986 §3).
  ///
  /// - Throws: `RemoteError` with the code `configuration` if the address is invalid, is neither
  ///   `https` nor `http` to this machine, or contains a user name or password.
  public init(parsing text: String) throws(RemoteError) {
    try self.init(text, allowsPlain: false)
  }

  /// Parses the address of a feed, with `webcal` as an alias of `http` and `webcals` of `https`.
  ///
  /// A public feed may use `http` with any host, because the request contains no secrets and the
  /// response is not trusted beyond its content.
  ///
  /// - Throws: `RemoteError` with the code `configuration` if the address is invalid, or contains a
  ///   user name or password.
  public init(parsingFeed text: String) throws(RemoteError) {
    var address = text
    let scheme = text.prefix { $0 != ":" }.lowercased()
    if scheme == "webcal" || scheme == "webcals" {
      address = (scheme == "webcal" ? "http" : "https") + text.dropFirst(scheme.count)
    }
    try self.init(address, allowsPlain: true)
  }

  private init(_ text: String, allowsPlain: Bool) throws(RemoteError) {
    let reference = URIReference(text)
    guard let schemeText = reference.scheme, let authority = reference.authority else {
      throw Self.unusable(text, "expected an address that begins with https://")
    }
    guard let scheme = Scheme(rawValue: schemeText.lowercased()) else {
      throw Self.unusable(text, "expected https, found \(ServerText.escaped(schemeText))")
    }
    try self.init(
      scheme: scheme, authority: authority, path: reference.path.removingDotSegments(),
      query: reference.query, text: text, allowsPlain: allowsPlain)
  }

  /// Whether this is `http` to another machine, which only feeds may use.
  package var isPlain: Bool { origin.scheme == .http && !isLoopback }

  /// Resolves a reference in a response from this address (RFC 3986 §5.2).
  ///
  /// - Throws: `RemoteError` if requests to the target are forbidden; see `init(parsing:)`.
  package func resolving(_ text: String) throws(RemoteError) -> RemoteURL {
    let reference = URIReference(text)
    // A feed without encryption may be redirected to another address without encryption.
    if reference.scheme != nil { return try RemoteURL(text, allowsPlain: isPlain) }
    if let authority = reference.authority {
      return try RemoteURL(
        scheme: origin.scheme, authority: authority, path: reference.path.removingDotSegments(),
        query: reference.query, text: text, allowsPlain: isPlain)
    }
    let (path, query) = reference.pathAndQuery(against: self.path, query: self.query)
    return try RemoteURL(origin: origin, uncheckedPath: path, query: query, text: text)
  }

  /// Resolves the href of a resource on this server, whose origin is disregarded.
  ///
  /// A server behind a proxy may write its own scheme, host or port, or a host without a scheme
  /// (RFC 4918 §8.3). Only the path identifies the resource, and no other server is contacted.
  ///
  /// - Throws: `RemoteError` if the text is not the address of a resource.
  package func resolvingPath(_ text: String) throws(RemoteError) -> RemoteURL {
    let reference = URIReference(text)
    let isWeb = reference.scheme.map { Scheme(rawValue: $0.lowercased()) != nil } ?? true
    guard isWeb, reference.authority != nil else { return try resolving(text) }
    return try RemoteURL(
      origin: origin, uncheckedPath: reference.path.removingDotSegments(), query: reference.query,
      text: text)
  }

  /// Resolves a link to another resource, which may be on a server of the same site.
  ///
  /// A link with the host of this address and another scheme or port is the spelling of a server
  /// behind a proxy, which does not know its public address.
  ///
  /// - Throws: `RemoteError` if requests to the target are forbidden; see `init(parsing:)`.
  func resolvingLink(_ text: String) throws(RemoteError) -> RemoteURL {
    let reference = URIReference(text)
    guard let authority = reference.authority else { return try resolving(text) }
    let host = HostName(Self.splitPort(authority).host)
    let isHere = host.text == origin.host || isLoopback && host.isLoopback
    if isHere { return try resolvingPath(text) }
    do {
      return try resolving(text)
    } catch {
      throw RemoteError(
        code: .redirected, subject: error.subject,
        message: "the server refers to another server: \(error.message)")
    }
  }

  private init(
    scheme: Scheme, authority: String, path: String, query: String?, text: String,
    allowsPlain: Bool
  ) throws(RemoteError) {
    guard !authority.contains("@") else {
      throw Self.unusable(text, "an address must not contain a user name or a password")
    }
    let (host, portText) = Self.splitPort(authority)
    guard HostName.isValid(host) else {
      throw Self.unusable(
        text, "expected a host name, found \"\(ServerText.escaped(host))\" (write it in ASCII)")
    }
    var port = scheme.defaultPort
    if let portText, !portText.isEmpty {
      guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(portText),
        (1...65535).contains(number)
      else {
        throw Self.unusable(text, "expected a port from 1 through 65535")
      }
      port = number
    }
    guard scheme == .https || allowsPlain || HostName(host).isLoopback else {
      throw Self.unusable(text, "http is for this machine only; use https")
    }
    try self.init(
      origin: Origin(scheme: scheme, host: HostName(host).text, port: port),
      uncheckedPath: path, query: query, text: text)
  }

  private init(
    origin: Origin, uncheckedPath path: String, query: String?, text: String
  ) throws(RemoteError) {
    let isPlain = (path + (query ?? "")).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    guard isPlain, text.utf8.count <= Self.lengthLimit else {
      throw Self.unusable(
        text, "an address must not contain control characters or exceed 8192 bytes")
    }
    self.init(
      origin: origin, path: PercentEncoding.escapingForbidden(path.isEmpty ? "/" : path),
      query: query.map(PercentEncoding.escapingForbidden))
  }

  /// Splits the host from the port; the colons of a bracketed IPv6 address are part of the host.
  private static func splitPort(_ authority: String) -> (host: String, port: String?) {
    guard let colon = authority.lastIndex(of: ":"),
      authority.lastIndex(of: "]").map({ $0 < colon }) ?? true
    else {
      return (authority, nil)
    }
    return (
      String(authority[..<colon]), String(authority[authority.index(after: colon)...])
    )
  }

  private static func unusable(_ text: String, _ message: String) -> RemoteError {
    RemoteError(code: .configuration, subject: redacted(text), message: message)
  }

  /// The text without the part before an `@`, which may be a password.
  package static func redacted(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return ServerText.escaped(text) }
    let start = text.firstRange(of: "//")?.upperBound ?? text.startIndex
    guard start <= at else { return ServerText.escaped(text) }
    return ServerText.escaped(String(text[..<start]) + "…" + String(text[at...]))
  }
}
