// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A calendar on a CalDAV server (RFC 4791).
public struct CalDAVRemote: Remote {
  private let address: RemoteURL
  private let calendar: String?
  private let credentials: Credentials?
  private let transport: any HTTPTransport

  /// Describes a calendar; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - address: The calendar itself, or anything on its server from which it can be found.
  ///   - calendar: The name of the calendar, where the address leads to several.
  ///   - credentials: Who asks; nil for a server that asks nobody.
  ///   - transport: What sends the requests.
  public init(
    address: RemoteURL, calendar: String? = nil, credentials: Credentials?,
    transport: any HTTPTransport
  ) {
    self.address = address
    self.calendar = calendar
    self.credentials = credentials
    self.transport = transport
  }

  /// The kind `caldav`, the address, and the user; a configured name is part of the address.
  public var identity: RemoteIdentity {
    RemoteIdentity(
      kind: "caldav", location: address.normalized + (calendar.map { "#\($0)" } ?? ""),
      user: credentials?.user ?? "")
  }

  /// Opens the calendar at exactly the configured address for adding events; nothing is sent yet.
  ///
  /// - Throws: `RemoteError` if the calendar would have to be looked for, which is reading.
  public func openAppender() async throws -> any RemoteAppender {
    guard calendar == nil, address.path != "/" else {
      throw RemoteError(
        code: .configuration, subject: address.description,
        message: CalDAVAppender.addressRule)
    }
    return CalDAVAppender(session: session(WriteOnlyTransport(transport)), collection: address)
  }

  /// Finds the calendar and opens it for everything.
  ///
  /// - Throws: `RemoteError` if it cannot be found, with the calendars that were found.
  public func openCalendar() async throws -> any RemoteCalendar {
    let session = session(transport)
    var discovery = Discovery(address: address, calendar: calendar)
    var step = Discovery.Step.ask(discovery.firstQuery)
    var (server, headers) = ("", HTTPHeaders())
    var isStateTold = false
    while true {
      switch step {
      case .found(let calendar):
        let quirks = ServerQuirks(server: server, path: calendar.url.path)
        let state = isStateTold ? quirks.state(calendar.response, headers) : nil
        return CalDAVCalendar(
          session: session, collection: calendar.url, quirks: quirks, opening: OpeningState(state))
      case .ask(let query):
        let response = try await session.propfind(
          query.properties, of: query.url, depth: query.depth)
        headers = response.headers
        server = headers["Server"] ?? server
        isStateTold = query.properties.contains(CollectionState.properties)
        step = try discovery.receive(Self.answer(response))
      }
    }
  }

  private func session(_ transport: any HTTPTransport) -> DAVSession {
    DAVSession(transport: transport, credentials: credentials, origin: address.origin)
  }

  /// What a response means to the search: that there is nothing here does not end it.
  private static func answer(_ response: HTTPResponse) throws(RemoteError) -> Discovery.Answer {
    do {
      return .properties(try DAVSession.multiStatus(of: response), from: response.url)
    } catch {
      switch error.code {
      case .malformed, .tooLarge: throw error
      default: return .nothing(error)
      }
    }
  }
}
