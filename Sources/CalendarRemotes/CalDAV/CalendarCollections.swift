// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// The calendars of a user on a server: discovery, listing and creation.
public struct CalendarCollections: Sendable {
  /// The maximum number of URLs that are tried for a new calendar.
  private static let nameLimit = 20

  private let address: RemoteURL
  private let credentials: Credentials?
  private let transport: any HTTPTransport

  /// Creates a value without sending a request.
  ///
  /// - Parameters:
  ///   - address: Any URL on the server from which discovery finds the user's calendars.
  ///   - credentials: The credentials; nil for a server without authentication.
  ///   - transport: The transport for requests.
  public init(address: RemoteURL, credentials: Credentials?, transport: any HTTPTransport) {
    self.address = address
    self.credentials = credentials
    self.transport = transport
  }

  /// Lists the calendars in the order of the server.
  ///
  /// - Throws: `RemoteError` if discovery fails.
  public func list() async throws -> [CalendarCollection] {
    try await find().calendars
  }

  private func find() async throws -> AccountListing {
    try await AccountListing(
      of: CalendarSearch(
        address: address, goal: .all, credentials: credentials, transport: transport))
  }

  /// Creates a calendar in the user's first home set (RFC 4791 §5.3.1, RFC 5689 §3).
  ///
  /// The URL is derived from the name. The other properties are set individually after the
  /// creation; properties that the server rejects are omitted.
  ///
  /// - Parameters:
  ///   - properties: The name, which is required, and other properties.
  ///   - components: The supported components, such as `VEVENT`; nil for the default of the server.
  /// - Returns: The calendar as the server lists it.
  /// - Throws: `RemoteError` if the creation fails.
  public func create(
    _ properties: CollectionProperties, components: Set<String>? = nil
  ) async throws -> CalendarCollection {
    let found = try await find()
    let home = try found.home(of: address)
    let maker = CollectionMaker(
      session: found.session, name: properties[.name] ?? "", components: components)
    let taken = Set(found.calendars.map(\.url.asCollection.normalized))
    let slug = Self.slug(properties[.name] ?? "")
    for number in 1...Self.nameLimit {
      let url = home.appending(number == 1 ? slug : "\(slug)-\(number)").asCollection
      guard !taken.contains(url.normalized) else { continue }
      guard try await maker.make(at: url) else { continue }
      let store = CalDAVProperties(session: found.session, collection: url)
      for property in CollectionProperty.allCases where property != .name {
        if let value = properties[property] { _ = try await store.set(property, to: value) }
      }
      let made = try await found.calendar(createdAt: url, named: properties[.name]) {
        try await find()
      }
      guard let made else {
        throw failure(.notCalendar, "the created collection is not a calendar")
      }
      return made
    }
    throw failure(.refused, "no free address was found for the calendar")
  }

  /// Returns the last path segment for a name: its letters and digits, in lower case.
  private static func slug(_ name: String) -> String {
    let words = name.lowercased().utf8.prefix(200).split { !PercentEncoding.isAlphanumeric($0) }
    let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    return text.isEmpty ? "calendar" : String(text.prefix(60))
  }

  private func failure(_ code: RemoteError.Code, _ message: String) -> RemoteError {
    RemoteError(code: code, subject: address.description, message: message)
  }
}

/// The calendars of a user, with what is needed to create another one.
struct AccountListing {
  /// The calendars in the order of the server.
  let calendars: [CalendarCollection]
  /// The collections for calendars (`calendar-home-set`, RFC 4791 §6.2.1).
  let homes: [RemoteURL]
  /// The subscriptions, in the order of the server.
  let subscriptions: [AccountSubscription]
  /// The parts that the lists omit because of an error.
  let gaps: [AccountParts.Gap]
  /// The session of the server that responded.
  let session: DAVSession

  /// Carries out a search whose goal is a list.
  ///
  /// - Throws: `RemoteError` if discovery fails.
  init(of search: CalendarSearch) async throws {
    var search = search
    while true {
      guard case .listed(let calendars, let parts) = try await search.next() else { continue }
      self.calendars = calendars.map { CalendarCollection($0, search.headers) }
      let missing = Set(parts.gaps.filter { $0.failure.code == .notFound }.map(\.url))
      homes = parts.homes.filter { !missing.contains($0.asCollection) }
      subscriptions = parts.subscriptions
      gaps = parts.gaps
      session = search.session
      return
    }
  }

  /// The collection for new calendars.
  ///
  /// - Throws: `RemoteError` if the server has none.
  func home(of address: RemoteURL) throws(RemoteError) -> RemoteURL {
    guard let home = homes.first?.asCollection else {
      throw RemoteError(
        code: .notFound, subject: address.description,
        message: "the server has no home for new calendars")
    }
    return home
  }

  /// Requests the properties of a new calendar; nil if it is not a calendar.
  func calendar(at url: RemoteURL) async throws -> CalendarCollection? {
    let response = try await session.propfind(CalendarCollection.queried, of: url, depth: 0)
    guard let own = try DAVSession.multiStatus(of: response).responses.first,
      let calendar = try Discovery.calendar(own, from: response.url)
    else { return nil }
    return CalendarCollection(calendar, response.headers)
  }
}

extension AccountListing {
  /// Requests the properties of a calendar that was just created; nil if there is none.
  ///
  /// A server may store it at another URL than the requested one. Then it is the calendar that is new
  /// in the list, or the new one with this name if there are several.
  func calendar(
    createdAt url: RemoteURL, named name: String?,
    _ listAgain: () async throws -> AccountListing
  ) async throws -> CalendarCollection? {
    do {
      return try await calendar(at: url)
    } catch let error as RemoteError where error.code == .notFound {
      let before = Set(calendars.map(\.url.normalized))
      let new = try await listAgain().calendars.filter { !before.contains($0.url.normalized) }
      let alike = new.count == 1 ? new : new.filter { $0.properties[.name] == name }
      guard alike.count == 1 else { throw error }
      return alike.first
    }
  }
}

/// Creates a calendar at a URL with MKCALENDAR, or else with MKCOL.
struct CollectionMaker {
  let session: DAVSession
  let name: String
  let components: Set<String>?

  /// Creates the calendar.
  ///
  /// - Returns: Whether it was created; false if the URL is already in use.
  /// - Throws: `RemoteError` if the server refuses the creation.
  func make(at url: RemoteURL) async throws -> Bool {
    guard !url.isOfGoogle else {
      throw RemoteError(
        code: .refused, subject: url.description,
        message:
          "Google creates no calendars by CalDAV: create it on the web page of Google Calendar")
    }
    let first = try await session.send(
      .mkcalendar, to: url, content: .xml(DAVBody.makeCalendar(name, components)))
    if (200...299).contains(first.status) { return try checked(first) }
    if try await isTaken(first, url) { return false }
    // Servers without MKCALENDAR may support calendars as extended collections (RFC 5689).
    let second = try await session.send(
      .mkcol, to: url, content: .xml(DAVBody.makeCollection(name, components)))
    if (200...299).contains(second.status) { return try checked(second) }
    throw RemoteError(
      code: first.status == 403 ? .forbidden : .refused, subject: url.description,
      message: DAVRefusal(first).reason)
  }

  /// Rejects a success response whose body reports a property that was not set (RFC 4791 §5.3.1).
  private func checked(_ response: HTTPResponse) throws(RemoteError) -> Bool {
    guard response.status == 207 else { return true }
    throw RemoteError(
      code: .refused, subject: response.url.description, message: DAVRefusal(response).reason)
  }

  /// Whether the URL is already in use; the statuses 403, 405 and 409 alone do not show it.
  private func isTaken(_ response: HTTPResponse, _ url: RemoteURL) async throws -> Bool {
    guard [403, 405, 409].contains(response.status) else { return false }
    if DAVRefusal(response).preconditions.contains("resource-must-be-null") { return true }
    let probe = try await session.propfind([.dav("resourcetype")], of: url, depth: 0)
    guard let answer = try? DAVSession.multiStatus(of: probe) else { return false }
    return answer.responses.first.map { $0.status.map((200...299).contains) ?? true } ?? false
  }
}

/// A running search: sends the queries of a `Discovery` and passes it the responses.
struct CalendarSearch {
  /// The maximum number of redirects to other servers per query.
  private static let hopLimit = 3

  /// The session of the server that responded last.
  private(set) var session: DAVSession
  /// The header fields of the last response.
  private(set) var headers = HTTPHeaders()
  /// Whether the server refused the last query.
  private(set) var isRefused = false
  /// The `Server` header field, if any response contained it.
  private(set) var server = ""
  /// The shortest time of a response; nil if no time was measured.
  private(set) var responseTime: Duration?
  /// The properties of the last query.
  private(set) var properties: [XMLName] = []
  private let address: RemoteURL
  private var discovery: Discovery
  private var query: Discovery.Query

  init(
    address: RemoteURL, goal: Discovery.Goal, asksToken: Bool = true, credentials: Credentials?,
    transport: any HTTPTransport
  ) {
    session = DAVSession(
      transport: transport, credentials: credentials, origin: address.origin)
    self.address = address
    discovery = Discovery(address: address, goal: goal, asksToken: asksToken)
    query = discovery.firstQuery
  }

  /// Sends the next query and returns the next step of the discovery.
  mutating func next() async throws -> Discovery.Step {
    let response = try await ask(query)
    headers = response.headers
    isRefused = ServerQuirks.refusals.contains(response.status)
    server = headers["Server"] ?? server
    if response.duration > .zero {
      responseTime = min(responseTime ?? response.duration, response.duration)
    }
    properties = query.properties
    let step = try receive(answer(response))
    if case .ask(let next) = step { query = next }
    return step
  }

  /// Passes a response to the discovery, and completes the message of an address without a calendar.
  private mutating func receive(
    _ answer: Discovery.Answer
  ) throws(RemoteError) -> Discovery.Step {
    do {
      return try discovery.receive(answer)
    } catch {
      guard address.isOfGoogle, [.notFound, .notCalendar].contains(error.code) else { throw error }
      throw RemoteError(
        code: error.code, subject: error.subject,
        message: "\(error.message); \(Self.googleAddresses)")
    }
  }

  /// The addresses of Google's calendars; no other address on the server leads there.
  private static let googleAddresses =
    "Google has calendars at https://apidata.googleusercontent.com/caldav/v2/ID/user, in which ID is "
    + "that of a calendar, and at …/ID/events/"

  /// Sends a query to the server that is responsible for it.
  ///
  /// Large services distribute their users over servers such as `p42-caldav.icloud.com`, and
  /// announce them by redirects or by URLs in responses. Such a server receives the same
  /// credentials only if it belongs to the same site.
  private mutating func ask(_ query: Discovery.Query) async throws -> HTTPResponse {
    var url = query.url
    for _ in 0..<Self.hopLimit {
      if Site.isSame(session.origin, url.origin) { session = session.moved(to: url.origin) }
      let response = try await session.propfind(
        query.properties, of: url, depth: query.depth, mayMove: true)
      guard response.url.origin != session.origin else { return response }
      guard Site.isSame(session.origin, response.url.origin) else {
        throw session.elsewhere(url, response.url)
      }
      url = response.url
    }
    throw RemoteError(
      code: .redirected, subject: query.url.description,
      message: "the server redirects to more than \(Self.hopLimit) servers")
  }

  /// Converts a response for the discovery; a missing resource does not end the search.
  private func answer(_ response: HTTPResponse) throws(RemoteError) -> Discovery.Answer {
    do {
      return .properties(try DAVSession.multiStatus(of: response), from: response.url)
    } catch {
      switch error.code {
      case .malformed where !discovery.isGuessing, .tooLarge: throw error
      default: return .nothing(error)
      }
    }
  }
}
