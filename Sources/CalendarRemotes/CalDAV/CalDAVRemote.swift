// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A calendar on a CalDAV server (RFC 4791).
public struct CalDAVRemote: Remote {
  private let address: RemoteURL
  private let calendar: String?
  private let credentials: Credentials?
  private let invitations: InvitationPolicy
  private let transport: any HTTPTransport

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
    var search = CalendarSearch(
      address: address, goal: .calendar(named: calendar), credentials: credentials,
      transport: transport)
    while true {
      guard case .found(let calendar) = try await search.next() else { continue }
      let quirks = ServerQuirks(server: search.server, url: calendar.url)
      let isTold = search.properties.contains(CollectionState.properties)
      return CalDAVCalendar(
        session: search.session, collection: calendar.url, quirks: quirks,
        opening: isTold
          ? OpeningAnswer(
            quirks.state(calendar.response, search.headers),
            CollectionProperties(calendar.response, search.headers)) : OpeningAnswer(),
        invitations: invitations, memory: CalendarMemory(features: search.headers))
    }
  }

  private func session(_ transport: any HTTPTransport) -> DAVSession {
    DAVSession(transport: transport, credentials: credentials, origin: address.origin)
  }
}
