// SPDX-License-Identifier: Apache-2.0

import CNames

/// The possible locations of an account's calendars, from user input (RFC 6764 §6).
public struct AccountPlaces: Sendable {
  /// A URL at which to start discovery.
  public struct Place: Hashable, Sendable {
    /// The URL.
    public let address: RemoteURL
    /// Whether the URL belongs to the requested domain.
    ///
    /// Otherwise only DNS names the URL, and an attacker can forge DNS responses. The user must
    /// confirm before a password is sent there (RFC 6764 §8).
    public let isOwn: Bool
  }

  /// The places, most likely first.
  public let places: [Place]

  /// The maximum number of servers to try.
  private static let serverLimit = 4

  /// Finds the places for a URL, a host or domain name, or an e-mail address.
  ///
  /// A URL starts with `https://`. If DNS is unavailable, the result contains only the places that
  /// need no lookup.
  ///
  /// - Throws: `RemoteError` if the text is not a URL, a name or an e-mail address.
  public init(of text: String, lookup: any ServiceLookup) async throws {
    let text = ServerText.collapsed(text)
    if text.contains("://") {
      places = [Place(address: try RemoteURL(parsing: text), isOwn: true)]
      return
    }
    let mail = text.lowercased().hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
    let at = mail.lastIndex(of: "@")
    let user = at.map { String(mail[..<$0]) }
    let rest = at.map { String(mail[mail.index(after: $0)...]) } ?? mail
    guard user != "" else {
      throw RemoteError(
        code: .configuration, subject: ServerText.escaped(text),
        message: "expected a user name before the @")
    }
    // A host with a port or a path is meant literally, so that no SRV lookup follows.
    let root = try RemoteURL(parsing: "https://\(rest)")
    guard root.path == "/", root.query == nil, root.origin.port == 443,
      !root.origin.host.hasPrefix("[")
    else {
      places = [Place(address: root, isOwn: true)]
      return
    }
    places = await Self.named(under: root.origin.host, lookup) + [Place(address: root, isOwn: true)]
  }

  /// Returns the places from the SRV and TXT records of a domain.
  private static func named(
    under domain: String, _ lookup: any ServiceLookup
  ) async -> [Place] {
    let name = "_caldavs._tcp.\(domain)"
    guard let found = try? await lookup.services(name), !found.isEmpty else { return [] }
    let path = (try? await lookup.texts(name))?.lazy
      .filter { $0.lowercased().hasPrefix("path=/") }.map { String($0.dropFirst(5)) }.first
    // The weight distributes load among many clients. A single client can always choose the same
    // server.
    let sorted = found.sorted {
      ($0.priority, -$0.weight, $0.host) < ($1.priority, -$1.weight, $1.host)
    }
    return sorted.prefix(serverLimit).compactMap { record in
      // The target "." means that the service is not available (RFC 2782).
      guard !record.host.isEmpty, (1...65535).contains(record.port) else { return nil }
      let text = "https://\(record.host):\(record.port)\(path ?? "/")"
      guard let address = try? RemoteURL(parsing: text) else { return nil }
      return Place(
        address: address, isOwn: Site.isSame(host: address.origin.host, as: domain))
    }
  }
}

/// Comparison of servers by registered domain.
///
/// Only the public suffix list shows that `p42-caldav.icloud.com` and `caldav.icloud.com` have the
/// same owner, and that `a.co.uk` and `b.co.uk` do not.
package enum Site {
  /// Whether credentials for one server may be sent to another.
  ///
  /// The servers must be the same, or both use HTTPS on port 443 and have the same registered
  /// domain.
  package static func isSame(_ left: RemoteURL.Origin, _ right: RemoteURL.Origin) -> Bool {
    if left == right { return true }
    guard left.scheme == .https, right.scheme == .https, left.port == 443, right.port == 443,
      let domain = registeredDomain(of: left.host)
    else { return false }
    return domain == registeredDomain(of: right.host)
  }

  /// Whether a host has the same registered domain as another.
  static func isSame(host: String, as other: String) -> Bool {
    guard let domain = registeredDomain(of: other) else { return host == other }
    return domain == registeredDomain(of: host)
  }

  /// Returns the registered domain of a lower-case host; nil for an IP address or a public suffix.
  static func registeredDomain(of host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !host.hasPrefix("["), !(labels.last?.allSatisfy(\.isNumber) ?? true)
    else { return nil }
    let offset = unsafe cnames_registered_domain(host)
    guard offset >= 0, offset < host.utf8.count else { return nil }
    return String(decoding: host.utf8.dropFirst(offset), as: UTF8.self)
  }
}
