// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

/// A calendar on a CalDAV server (RFC 4791).
public struct CalDAVRemote: Remote {
  let address: RemoteURL
  private let calendar: String?
  private let credentials: Credentials?
  private let invitations: InvitationPolicy
  let transport: any HTTPTransport

  /// Creates a remote without sending a request.
  ///
  /// - Parameters:
  ///   - address: The URL of the calendar, or any URL on its server from which discovery finds it.
  ///   - calendar: The name of the calendar, if discovery finds several.
  ///   - credentials: The credentials; nil for a server without authentication.
  ///   - invitations: The handling of meetings on a server that sends scheduling messages.
  ///   - transport: The transport for requests.
  public init(
    address: RemoteURL, calendar: String? = nil, credentials: Credentials?,
    invitations: InvitationPolicy = .hold, transport: any HTTPTransport
  ) {
    self.address = address
    self.calendar = calendar
    self.credentials = credentials
    self.invitations = invitations
    self.transport = transport
  }

  /// The kind `caldav`, the URL and the user; a configured calendar name is part of the URL.
  public var identity: RemoteIdentity {
    RemoteIdentity(
      kind: "caldav", location: address.normalized + (calendar.map { "#\($0)" } ?? ""),
      user: credentials?.user ?? "")
  }

  /// The server, the user and the handling of meetings; nil without a user name.
  public var account: String? {
    guard let user = credentials?.user, !user.isEmpty else { return nil }
    return "\(address.origin) \(user) \(invitations)"
  }

  /// Opens the calendar at the configured URL for adding events, without sending a request.
  ///
  /// - Throws: `RemoteError` if the calendar would have to be discovered, which requires reading.
  public func openAppender() async throws -> any RemoteAppender {
    guard calendar == nil, address.path != "/" else {
      throw RemoteError(
        code: .configuration, subject: address.description,
        message: CalDAVAppender.addressRule)
    }
    return CalDAVAppender(
      session: session(WriteOnlyTransport(transport)), collection: address,
      invitations: invitations)
  }

  /// Discovers the calendar and opens it for full access.
  ///
  /// - Throws: `RemoteError` if it is not found; the message lists the calendars that were found.
  public func openCalendar() async throws -> any RemoteCalendar {
    try await open(with: nil)
  }

  /// Opens the calendar as `openCalendar()` does, and requests all items at the same time.
  ///
  /// The items are requested only if the configured URL may be that of the calendar, and if several
  /// requests may be in flight.
  ///
  /// - Throws: `RemoteError`, as `openCalendar()` does.
  public func openNewCalendar() async throws -> any RemoteCalendar {
    guard mayBeCalendar else { return try await openCalendar() }
    return try await open(with: InitialReport(of: address, by: session(transport)))
  }

  /// Whether the configured URL may be that of the calendar, and two requests may be in flight.
  var mayBeCalendar: Bool {
    calendar == nil && address.path != "/" && transport.requestsAtOnce > 1
  }

  /// Opens the calendar, with requests that were sent before it is found.
  func open(
    with report: InitialReport?, _ probe: AgreementProbe? = nil
  ) async throws -> any RemoteCalendar {
    var search = CalendarSearch(
      address: address, goal: .calendar(named: calendar), asksToken: report == nil,
      credentials: credentials, transport: transport)
    while true {
      let step: Discovery.Step
      do {
        step = try await search.next()
      } catch let error as RemoteError where search.isRefused {
        guard let calendar = try await queried(search) else { throw error }
        return calendar
      }
      guard case .found(let calendar) = step else { continue }
      let quirks = ServerQuirks(server: search.server, url: calendar.url)
      return CalDAVCalendar(
        session: search.session.accepted, collection: calendar.url, quirks: quirks,
        opening: OpeningAnswer(of: search, calendar, quirks, report, probe),
        invitations: invitations,
        memory: CalendarMemory(
          features: search.headers, responseTime: search.responseTime),
        components: CalendarCollection(calendar, search.headers).addable)
    }
  }

  /// Opens the calendar at the configured URL if the server refuses PROPFIND, but not queries.
  private func queried(_ search: CalendarSearch) async throws -> CalDAVCalendar? {
    guard calendar == nil, address.path != "/" else { return nil }
    let found = CalDAVCalendar(
      session: search.session, collection: address.asCollection,
      quirks: ServerQuirks(server: search.server, url: address), opening: OpeningAnswer(),
      invitations: invitations,
      memory: CalendarMemory(features: search.headers, responseTime: search.responseTime),
      hasProperties: false)
    return try await found.query() == nil ? nil : found
  }

  func session(_ transport: any HTTPTransport) -> DAVSession {
    DAVSession(transport: transport, credentials: credentials, origin: address.origin)
  }
}

extension OpeningAnswer {
  /// Creates the answers that a search received about the calendar that it found.
  fileprivate convenience init(
    of search: CalendarSearch, _ calendar: Discovery.Calendar, _ quirks: ServerQuirks,
    _ report: InitialReport?, _ probe: AgreementProbe?
  ) {
    let isAnswered = search.properties.contains(CollectionState.tagProperty)
    self.init(
      isAnswered ? quirks.state(calendar.response, search.headers) : nil,
      isAnswered ? CollectionProperties(calendar.response, search.headers) : nil,
      isAnswered ? report : nil, probe)
  }
}

/// The handling of meetings on a server with automatic scheduling (RFC 6638).
public enum InvitationPolicy: String, Hashable, Sendable, CaseIterable {
  /// No messages are sent: writes that would trigger messages are stored without them or refused.
  case hold
  /// The server sends invitations, updates and cancellations.
  case send
}

/// A CalDAV calendar under write-only access; its transport allows only additions.
struct CalDAVAppender: RemoteAppender {
  /// The explanation of rejected addresses.
  static let addressRule =
    "under write-only access the address has to be that of the calendar itself, "
    + "since nothing may be looked up"

  let session: DAVSession
  let collection: RemoteURL
  let invitations: InvitationPolicy

  var requestsAtOnce: Int { session.transport.requestsAtOnce }

  func append(_ original: CalendarItem) async throws -> AppendOutcome {
    var item = original
    if invitations == .hold, Meeting.isOne(item) {
      // Write-only access allows no requests for the server's features or the user's addresses.
      guard !collection.isOfGoogle else {
        return .refused(
          reason: "the server would send mail to the attendees; it does so only with "
            + "invitations = \"send\"")
      }
      item = Meeting(item, own: []).quiet()
    }
    let url = collection.appending(ItemName(of: item.uid).rawValue)
    let href = Href(url.path)
    let request = item.serialized(forStorage: true)
    let response = try await session.send(
      .put, to: url, headers: [("If-None-Match", "*")], content: .calendar(request))
    let refusal = DAVRefusal(response)
    switch response.status {
    // A new resource has status 201 (RFC 9110 §9.3.4). With another status the server ignored the
    // condition, or reports the creation differently. The event is there in any case.
    case 200...299: return .added(href: href, etag: EntityTag(answer: response))
    case _ where refusal.isUIDConflict:
      guard let text = refusal.conflictingHref, let place = try? url.resolvingPath(text),
        place.normalized != url.normalized
      else { return .alreadyPresent(href: href) }
      // Additions from here have no other place than that of the UID.
      return .refused(
        reason: "\(refusal.reason); the UID is at \(ServerText.escaped(place.path))")
    case _ where refusal.isFailedCondition: return .alreadyPresent(href: href)
    case 404, 405, 409:
      throw RemoteError(
        code: .refused, subject: url.description,
        message: "\(refusal.reason); \(Self.addressRule)")
    case 403: throw RemoteError(code: .forbidden, subject: url.description, message: refusal.reason)
    case 413:
      return .refused(
        reason: "\(refusal.reason): it has \(request.count) bytes, more than the server accepts")
    case 400...499: return .refused(reason: refusal.reason)
    default:
      throw RemoteError(code: .failed, subject: url.description, message: refusal.reason)
    }
  }
}
