// SPDX-License-Identifier: Apache-2.0

package import CalendarRemotes

/// A location of calendars, classified by its address.
package enum SetupLocation: Sendable, CustomStringConvertible {
  /// The absolute path of a folder, or of a file that ends in `.ics` or `.vcf`.
  case path(String)
  /// A calendar that is published as a file.
  case feed(String)
  /// A host, an account or a calendar on a server.
  case account(SetupAccount)
  /// A calendar of a service with an interface of its own.
  case vendor(CalendarService, VendorSettings.Vendor, user: String?)

  /// Parses the user's input; only the existence of a path is checked.
  ///
  /// A known service takes precedence over a folder of its name, and over the servers of its domain.
  ///
  /// - Throws: `EpactError` or `RemoteError` if the input is invalid, or is a service without an interface.
  package init(_ text: String, paths: PathResolver) throws {
    if !Self.isFeed(text), let service = CalendarService(named: text) {
      self = try Self.location(of: service, text)
    } else if Self.isPath(text, paths) {
      let path = paths.absolute(text)
      guard FileMode(path) != nil else {
        throw EpactError(
          .failed, "there is nothing at \(path)",
          subject: path,
          remedy: .makeFolder(path: path))
      }
      self = .path(path)
    } else if Self.isFeed(text) {
      _ = try RemoteURL(parsingFeed: text)
      self = .feed(text)
    } else {
      let account = SetupAccount(text: text)
      try account.validate()
      try Self.expectHost(text)
      self = .account(account)
    }
  }

  /// The location of the calendars of a service.
  ///
  /// - Throws: `EpactError` if the service has no interface, or if its address is that of a server of the user.
  private static func location(
    of service: CalendarService, _ text: String
  ) throws(EpactError) -> SetupLocation {
    let user = text.contains("@") && !text.contains("://") ? text : nil
    switch service.interface {
    case .calDAV(let address):
      return .account(SetupAccount(text: address, user: user, service: service))
    case .google: return .vendor(service, .google, user: user)
    case .graph: return .vendor(service, .graph, user: user)
    case .ownServers:
      throw EpactError(
        .argument, "each \(service.title) server has an address of its own, which is expected here",
        subject: text, remedy: .other("As https://cloud.example.org/"))
    case .none(let sharesLinks):
      throw EpactError(
        .failed, "\(service.title) has no interface for other programs", subject: text,
        remedy: .exchangeFiles(sharesLinks: sharesLinks))
    }
  }

  /// Rejects a word that is neither a service nor a folder, and that is probably no host.
  ///
  /// A mistyped name would otherwise be the name of a server that is then asked for the calendars.
  private static func expectHost(_ text: String) throws(EpactError) {
    let isWord = !text.contains { ".:@/[".contains($0) }
    guard isWord, text.lowercased() != "localhost" else { return }
    let names = CalendarService.all.map(\.name)
    let near = Suggestion.nearest(to: text.lowercased(), among: names)
    throw EpactError(
      .argument,
      "\"\(text)\" is neither a known service nor a folder"
        + (near.map { "; did you mean \"\($0)\"?" } ?? ""), subject: text,
      remedy: .other(
        "Known services: \(names.joined(separator: ", ")). A server of this name is https://\(text)/"
      ))
  }

  /// Whether a text is a path: by its beginning, as the name of a file of calendars or contacts, or as the name of an
  /// existing folder that cannot be a host on the internet.
  private static func isPath(_ text: String, _ paths: PathResolver) -> Bool {
    if ["/", "~", "."].contains(where: text.hasPrefix) { return true }
    guard !text.isEmpty, !text.contains("://"), !text.contains("@") else { return false }
    if !isFeed(text), [".ics", ".vcf"].contains(where: text.lowercased().hasSuffix) { return true }
    return !text.contains(".") && !text.contains(":")
      && FileMode(paths.absolute(text))?.isFolder == true
  }

  /// Whether an address is that of a published calendar file.
  private static func isFeed(_ address: String) -> Bool {
    let text = address.lowercased()
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return text.hasPrefix("webcal") || text.hasPrefix("http") && path.hasSuffix(".ics")
  }

  /// The path or the host.
  package var description: String {
    switch self {
    case .path(let path): path
    case .feed(let address): SetupAccount(text: address).host
    case .account(let account): account.host
    case .vendor(let service, _, _): service.title
    }
  }

  /// The service of the calendars, if it is known.
  package var service: CalendarService? {
    switch self {
    case .path, .feed: nil
    case .account(let account): account.service
    case .vendor(let service, _, _): service
    }
  }
}

/// The location of the user's calendars, as entered.
package struct SetupAccount: Sendable {
  /// Uninformative parts of host names.
  private static let common: Set<Substring> = [
    "www", "dav", "caldav", "calendar", "calendars", "cloud",
  ]

  /// The entered text, or the address of the service that it means.
  let text: String
  /// The assumed user name: the entire e-mail address.
  package let user: String?
  /// The service, if it is known.
  let service: CalendarService?

  /// Takes the text as entered.
  package init(text: String) {
    self.text = text
    user = !text.contains("://") && text.contains("@") ? text : nil
    service = nil
  }

  /// Creates the location of an account of a service.
  init(text: String, user: String?, service: CalendarService) {
    (self.text, self.user, self.service) = (text, user, service)
  }

  private var isAddress: Bool { text.contains("://") }

  /// The host with the port, if any.
  var authority: Substring {
    let rest = isAddress ? text.split(separator: "://").last ?? "" : text[...]
    return rest.prefix { $0 != "/" }.split(separator: "@").last ?? ""
  }

  /// The host, without a port.
  package var host: String {
    guard authority.hasPrefix("[") else { return String(authority.prefix { $0 != ":" }) }
    return String(authority.prefix { $0 != "]" }) + "]"
  }

  /// A name for the account: the first informative part of the host, or the whole numeric address.
  package var name: String {
    let isNumbers = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    if isNumbers || !host.contains("."), !authority.isEmpty {
      return authority.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
    let parts = host.split(separator: ".")
    return String(parts.first { !Self.common.contains($0) } ?? parts.first ?? "calendar")
  }

  /// Rejects text that is not an address, a host or an e-mail address.
  ///
  /// - Throws: `RemoteError` or `EpactError`.
  func validate() throws {
    guard !isAddress else {
      _ = try RemoteURL(parsing: text)
      return
    }
    let isHost = host.contains { $0.isLetter || $0.isNumber }
    guard isHost, !text.hasPrefix("@"), !text.hasSuffix("@"), !text.contains(where: \.isWhitespace)
    else {
      throw EpactError(
        .argument, "expected an e-mail address, a host, an address or a folder, found \"\(text)\"",
        subject: text,
        remedy: .other(
          "As ada@example.org, dav.example.org, https://example.org/dav/ or ~/calendars/shared"))
    }
    _ = try RemoteURL(parsing: "https://\(text.split(separator: "@").last ?? "")")
  }

  /// The places to search, the most probable first.
  ///
  /// - Throws: `RemoteError` if the text is not an address, a host or an e-mail address.
  func places(_ lookup: any ServiceLookup) async throws -> [AccountPlaces.Place] {
    try await AccountPlaces(of: text, lookup: lookup).places
  }

  /// The address as given.
  ///
  /// - Throws: `EpactError` if the text is a host or an e-mail address.
  func ownAddress() throws -> String {
    guard isAddress else {
      throw EpactError(
        .argument,
        "expected the address of the calendar, which begins with https://, found "
          + "\"\(text)\"", subject: text)
    }
    return try RemoteURL(parsing: text).description
  }

  /// The address of the calendar itself, used if no lookup is allowed.
  ///
  /// - Throws: `EpactError` if the text is not such an address.
  package func exactAddress() throws -> String {
    let address = isAddress ? try? RemoteURL(parsing: text) : nil
    guard let address, address.path != "/" else {
      throw EpactError(
        .configuration,
        "under write-only access nothing may be looked up: expected the address of the calendar "
          + "itself, found \"\(text)\"",
        subject: text,
        remedy: .other(
          "It begins with https:// and ends with a slash; your calendar program may show it."))
    }
    return address.description
  }
}
