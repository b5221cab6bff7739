// SPDX-License-Identifier: Apache-2.0

/// Where the calendars of an account may be, from what a person knows of it (RFC 6764 §6).
public struct AccountPlaces: Sendable {
  /// An address at which to begin a search.
  public struct Place: Hashable, Sendable {
    /// The address.
    public let address: RemoteURL
    /// Whether it belongs to the domain that was asked for.
    ///
    /// Otherwise only the name service says so, which anybody between may have answered: a person has
    /// to agree before a password is sent there (RFC 6764 §8).
    public let isOwn: Bool
  }

  /// The places, the likeliest first.
  public let places: [Place]

  /// The most servers that are tried.
  private static let serverLimit = 4

  /// Finds the places for what a person has typed: an address that begins with `https://`, the name of
  /// a host or domain, or an e-mail address.
  ///
  /// A name service that cannot be asked leaves the places that need none.
  ///
  /// - Throws: `RemoteError` if it is none of these.
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
    // A host may come with a port or a path; then it is meant, and not what its domain names.
    let root = try RemoteURL(parsing: "https://\(rest)")
    guard root.path == "/", root.query == nil, root.origin.port == 443,
      !root.origin.host.hasPrefix("[")
    else {
      places = [Place(address: root, isOwn: true)]
      return
    }
    places = await Self.named(under: root.origin.host, lookup) + [Place(address: root, isOwn: true)]
  }

  /// The places that the name service tells of.
  private static func named(
    under domain: String, _ lookup: any ServiceLookup
  ) async -> [Place] {
    let name = "_caldavs._tcp.\(domain)"
    guard let found = try? await lookup.services(name), !found.isEmpty else { return [] }
    let path = (try? await lookup.texts(name))?.lazy
      .filter { $0.lowercased().hasPrefix("path=/") }.map { String($0.dropFirst(5)) }.first
    // The weight shares out load among many clients; one that always asks the same is no worse.
    let sorted = found.sorted {
      ($0.priority, -$0.weight, $0.host) < ($1.priority, -$1.weight, $1.host)
    }
    return sorted.prefix(serverLimit).compactMap { record in
      // A dot alone means that the service is not offered (RFC 2782).
      guard !record.host.isEmpty, (1...65535).contains(record.port) else { return nil }
      let text = "https://\(record.host):\(record.port)\(path ?? "/")"
      guard let address = try? RemoteURL(parsing: text) else { return nil }
      return Place(
        address: address, isOwn: Site.isSame(host: address.origin.host, as: domain))
    }
  }
}
