// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import CalendarModel
package import CalendarRemotes
package import CalendarSync
import Synchronization

/// Searches for the calendars of an account.
package struct CalendarSearch: Sendable {
  /// A calendar on the server.
  package struct Found: Sendable {
    /// The display name.
    package let title: String
    /// The URL for the configuration.
    package let address: String
    /// The URL of the account, or the path of the folder that contains it.
    package let account: String
    /// A remark to show before the selection, or nil.
    package let remark: String?
    /// The kinds of items that it is for; nil if they are not known.
    var kinds: Set<ItemKind>?
    /// Whether the user may only read it.
    var isReadOnly = false
  }

  private let account: SetupAccount
  /// The user name for the server.
  package var user: String
  private let identity: NetworkIdentity
  private let machine: Machine

  /// Creates a search for an account.
  package init(account: SetupAccount, user: String, identity: NetworkIdentity, machine: Machine) {
    self.account = account
    self.user = user
    self.identity = identity
    self.machine = machine
  }

  /// Searches for the calendars.
  ///
  /// - Parameters:
  ///   - password: The source of the password.
  ///   - requests: Receives the sent requests, even after an error.
  ///   - agree: Whether the password may be sent to a server found only by DNS.
  /// - Returns: The calendars.
  /// - Throws: The `RemoteError` of the first failed place, or of rejected credentials;
  ///   `EpactError`.
  package func calendars(
    with password: SetupPlan.Password, noting requests: inout [AccessRequest],
    _ agree: (_ address: String) throws -> Bool
  ) async throws -> [Found] {
    let asked = Mutex<[AccessRequest]>([])
    defer { requests += asked.withLock { $0 } }
    let credentials = Credentials(user: user, password: try secret(of: password))
    let network = try machine.makeTransport(
      identity, ServerSettings.defaultConnections)
    var failure: (any Error)?
    for place in try await account.places(SystemServiceLookup()) {
      let address = place.address.description
      try expectAllowed(place.address, "caldav")
      guard try place.isOwn || agree(address) else { continue }
      let transport = ObservedTransport(
        network, note: { request in asked.withLock { $0.append(request) } }, observe: { _ in })
      let collections = CalendarCollections(
        address: place.address, credentials: credentials, transport: transport)
      do {
        return try await collections.list().map { Found($0, of: address) }
      } catch let error as RemoteError {
        // Other places would reject the credentials, too, and more attempts could lock the account.
        if error.code == .credentials { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? EpactError(.failed, "no server of this account was asked")
  }

  /// Checks whether a server exists, without sending a user name.
  ///
  /// - Returns: The address of a server that accepts tokens of an authorization server (RFC 9728) and
  ///   no passwords; nil for other servers.
  /// - Throws: The `HTTPError` of the most probable place if no server responds; `EpactError`.
  package func reach(noting requests: inout [AccessRequest]) async throws -> RemoteURL? {
    let places = try await account.places(SystemServiceLookup()).map(\.address)
    let asking = places.map { address in
      HTTPRequest(method: .propfind, url: address, headers: ["Depth": "0"])
    }
    let response = try await reach(by: asking, kind: "caldav", noting: &requests)
    guard let response, response.status == 401,
      BearerChallenge(response.headers)?.metadata != nil,
      !response.headers.values(of: "WWW-Authenticate").contains(where: { challenge in
        challenge.lowercased().hasPrefix("basic") || challenge.lowercased().contains(", basic ")
      })
    else { return nil }
    return response.url
  }

  /// Checks whether the server of a feed exists.
  ///
  /// - Throws: `HTTPError` if the server does not respond; `EpactError`.
  package func reach(feed address: String, noting requests: inout [AccessRequest]) async throws {
    let asking = HTTPRequest(method: .get, url: try RemoteURL(parsingFeed: address))
    _ = try await reach(by: [asking], kind: "webcal", noting: &requests)
  }

  /// Reads a public feed.
  ///
  /// - Returns: The contents of the feed.
  /// - Throws: `RemoteError` if the server returns no calendar; `EpactError`.
  func read(feed address: String, noting requests: inout [AccessRequest]) async throws
    -> FeedContents
  {
    let asked = Mutex<[AccessRequest]>([])
    defer { requests += asked.withLock { $0 } }
    let url = try RemoteURL(parsingFeed: address)
    try expectAllowed(url, "webcal")
    let network = try machine.makeTransport(identity, ServerSettings.defaultConnections)
    let transport = ObservedTransport(
      network, note: { request in asked.withLock { $0.append(request) } }, observe: { _ in })
    let calendar = try await WebcalRemote(
      address: url, credentials: nil, transport: transport, now: machine.now,
      charsets: TextDecoder.decoderOfValues(.utf8)
    ).openCalendar()
    let entries = try await calendar.list()
    let count = entries.count { $0.etag != nil }
    return FeedContents(
      name: try await calendar.properties?.collectionProperties()[.name], itemCount: count,
      unreadableCount: entries.count - count)
  }

  /// The response of the first server that exists; nil if it has none of use.
  private func reach(
    by asking: [HTTPRequest], kind: String, noting requests: inout [AccessRequest]
  ) async throws -> HTTPResponse? {
    let asked = Mutex<[AccessRequest]>([])
    defer { requests += asked.withLock { $0 } }
    let network = try machine.makeTransport(identity, ServerSettings.defaultConnections)
    let transport = ObservedTransport(
      network, note: { request in asked.withLock { $0.append(request) } }, observe: { _ in })
    var failure: HTTPError?
    for request in asking {
      try expectAllowed(request.url, kind)
      do {
        return try await transport.send(request)
      } catch let error as HTTPError {
        // A response that is too large or a redirect shows that the server exists.
        if [.tooLarge, .redirected].contains(error.code) { return nil }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// Checks that administrators' policies allow full access.
  ///
  /// - Throws: `EpactError` if an administrator's policy forbids full access.
  private func expectAllowed(_ address: RemoteURL, _ kind: String) throws {
    let remote = RemoteIdentity(kind: kind, location: address.description, user: user)
    let policies = try AccessPolicyFile(machine: machine).load()
    if let restriction = policies.restriction(on: remote), restriction.tier < .full {
      throw EpactError(.noAccess, "access to \(address) is \(restriction.words)")
    }
  }

  private func secret(of password: SetupPlan.Password) throws -> String {
    let source: PasswordSource
    switch password {
    case .none, .signIn: return ""
    case .new(let secret, _): return secret.revealed
    case .command(let words): source = .command(words)
    case .file(let path): source = .file(path)
    }
    let reader = PasswordReader(
      remote: account.name, host: account.host, machine: machine)
    return try reader.password(from: source, for: user).revealed
  }
}

extension CalendarSearch.Found {
  fileprivate init(_ collection: CalendarCollection, of account: String) {
    self.account = account
    title = collection.title
    address = collection.url.description
    var remarks: [String] = []
    if let components = collection.components, !components.contains("VEVENT") {
      remarks.append("for \(components.sorted().joined(separator: ", ")) only")
    }
    isReadOnly = collection.privileges?.isReadOnly == true
    if isReadOnly { remarks.append("may only be read") }
    // An unknown component, as of a later RFC, is no kind of items here.
    kinds = collection.components.map { Set($0.compactMap(ItemKind.init)) }
    remark = remarks.isEmpty ? nil : remarks.joined(separator: ", ")
  }
}
