// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// All calendars of a user on a CalDAV server.
package struct CalDAVAccount: RemoteAccount {
  private let address: RemoteURL
  private let credentials: Credentials?
  private let transport: any HTTPTransport
  /// The last listing, for subscriptions and for new calendars.
  private let listing = SharedAnswer<AccountListing>()

  /// Creates an account without sending a request.
  ///
  /// - Parameters:
  ///   - address: Any URL on the server from which discovery finds the user's calendars.
  ///   - credentials: The credentials; nil for a server without authentication.
  ///   - transport: The transport for requests.
  package init(address: RemoteURL, credentials: Credentials?, transport: any HTTPTransport) {
    self.address = address
    self.credentials = credentials
    self.transport = transport
  }

  /// Lists the calendars in the order of the server.
  ///
  /// - Throws: `RemoteError`; also if parts may be missing that the server does not name.
  package func collections() async throws -> [AccountCollection] {
    try await list().collections
  }

  /// Lists the calendars, and names the parts that the server refuses to list.
  ///
  /// - Throws: `RemoteError` if other parts may be missing.
  package func list() async throws -> AccountList {
    let found = try await find()
    listing.remember(found)
    var collections: [AccountCollection] = []
    var gaps = found.gaps.map { gap in
      AccountList.Gap(
        place: gap.url.description, id: gap.isHome ? nil : Self.id(of: gap.url),
        reason: gap.failure.message,
        mayHoldMore: gap.isHome && gap.url == found.homes.first?.asCollection)
    }
    for calendar in found.calendars {
      do {
        try expectOwn(calendar.url)
        collections.append(try Self.collection(calendar))
      } catch {
        gaps.append(
          AccountList.Gap(
            place: calendar.url.description, id: Self.id(of: calendar.url), reason: error.message))
      }
    }
    return AccountList(collections: collections, gaps: gaps)
  }

  private static func id(of url: RemoteURL) -> CollectionID? {
    url.path.split(separator: "/").last.flatMap { CollectionID(segment: $0) }
  }

  /// Lists the feeds to which the user subscribed on the server; they are no calendars.
  ///
  /// - Throws: `RemoteError`, as `collections()` does.
  package func subscriptions() async throws -> [AccountSubscription] {
    try await listing.value { try await find() }.subscriptions
  }

  /// Whether the credentials of the account may be sent to an address.
  package func isOwn(_ url: RemoteURL) -> Bool { Site.isSame(address.origin, url.origin) }

  private func expectOwn(_ url: RemoteURL) throws(RemoteError) {
    guard !isOwn(url) else { return }
    throw RemoteError(
      code: .redirected, subject: url.description,
      message: "the account lists a calendar of another server")
  }

  private static func collection(
    _ calendar: CalendarCollection
  ) throws(RemoteError) -> AccountCollection {
    guard let id = id(of: calendar.url) else {
      throw RemoteError(
        code: .malformed, subject: calendar.url.description,
        message: "no folder can have the name of this calendar")
    }
    return AccountCollection(
      id, at: calendar.url.description, title: calendar.properties[.name],
      components: calendar.addable)
  }

  private func find() async throws -> AccountListing {
    try await AccountListing(
      of: CalendarSearch(
        address: address, goal: .account, credentials: credentials, transport: transport))
  }

  /// Creates a calendar in the user's first home set (RFC 4791 §5.3.1, RFC 5689 §3).
  ///
  /// - Throws: `RemoteError` if the server refuses, or if something else is at its address.
  package func create(
    _ id: CollectionID, title: String?, for components: Set<String>?
  ) async throws -> AccountCollection {
    let found = try await listing.value { try await find() }
    let url = try found.home(of: address).appending(id.segment).asCollection
    do {
      _ = try await CollectionMaker(
        session: found.session, name: title ?? "", components: components
      ).make(at: url)
    } catch let error as RemoteError where title != nil && error.code == .refused {
      // Xandikos fails at a title with a percent sign (status 500).
      _ = try await CollectionMaker(
        session: found.session, name: "", components: components
      ).make(at: url)
    }
    let made = try await found.calendar(createdAt: url, named: title) { try await find() }
    guard let calendar = made else {
      throw RemoteError(
        code: .notCalendar, subject: url.description,
        message: "there is something else than a calendar at this address")
    }
    return try Self.collection(calendar)
  }

  /// Removes a calendar by a DELETE of its collection (RFC 4918 §9.6.1).
  ///
  /// - Throws: `RemoteError` if the server refuses.
  package func remove(
    _ collection: AccountCollection, withItems isWithItems: Bool
  ) async throws -> Int {
    let url = try RemoteURL(parsing: collection.place)
    try expectOwn(url)
    let session = DAVSession(transport: transport, credentials: credentials, origin: url.origin)
    if !isWithItems {
      let response = try await session.propfind(
        [.dav("getetag"), .dav("resourcetype")], of: url, depth: 1)
      var listing = CollectionListing(of: url, from: response.url)
      for response in try DAVSession.multiStatus(of: response).responses { listing.add(response) }
      let count = try listing.entries().count
      guard count == 0 else { return count }
    }
    let response = try await session.send(.delete, to: url)
    switch response.status {
    case 200, 204: return 0
    case 404, 410:
      // Cyrus sometimes answers 404 to a DELETE that it carries out. A later request decides.
      guard try await exists(url, session) else { return 0 }
      throw RemoteError(
        code: .refused, subject: url.description,
        message: "the server reports that the calendar does not exist, but still returns it")
    case 403:
      throw RemoteError(
        code: .forbidden, subject: url.description, message: DAVRefusal(response).reason)
    default:
      throw RemoteError(
        code: .refused, subject: url.description, message: DAVRefusal(response).reason)
    }
  }

  private func exists(_ url: RemoteURL, _ session: DAVSession) async throws -> Bool {
    let response = try await session.propfind([.dav("resourcetype")], of: url, depth: 0)
    guard let answer = try? DAVSession.multiStatus(of: response).responses.first else {
      return false
    }
    return answer.status.map((200...299).contains) ?? true
  }
}
