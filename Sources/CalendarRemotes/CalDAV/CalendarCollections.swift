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

  private struct Found {
    let calendars: [CalendarCollection]
    let homes: [RemoteURL]
    let session: DAVSession
  }

  private func find() async throws -> Found {
    var search = CalendarSearch(
      address: address, goal: .all, credentials: credentials, transport: transport)
    while true {
      guard case .listed(let calendars, let homes) = try await search.next() else { continue }
      return Found(
        calendars: calendars.map { CalendarCollection($0, search.headers) }, homes: homes,
        session: search.session)
    }
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
    guard let home = found.homes.first?.asCollection else {
      throw failure(.notFound, "the server tells no place for new calendars")
    }
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
      return try await collection(at: url, found.session)
    }
    throw failure(.refused, "no free address was found for the calendar")
  }

  /// Requests the properties of a new calendar, which verifies that it is one.
  private func collection(
    at url: RemoteURL, _ session: DAVSession
  ) async throws -> CalendarCollection {
    let response = try await session.propfind(CalendarCollection.queried, of: url, depth: 0)
    let answer = try DAVSession.multiStatus(of: response)
    guard let own = answer.responses.first,
      let calendar = try Discovery.calendar(own, from: response.url)
    else { throw failure(.notCalendar, "what the server made is no calendar") }
    return CalendarCollection(calendar, response.headers)
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
