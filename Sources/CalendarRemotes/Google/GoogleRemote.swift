// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A calendar of Google Calendar (Calendar API v3).
///
/// Preview: it is built to Google's documentation and tested against a double that checks each request
/// and answer with Google's discovery document. It has not been tried at Google.
public struct GoogleRemote: Remote {
  /// The address of the interface.
  public static let address = "https://www.googleapis.com/calendar/v3/"

  private let session: VendorSession
  private let calendar: String
  private let zones: VendorZones
  private let invitations: InvitationPolicy
  private let isForAccount: Bool

  /// Creates a remote without sending a request.
  ///
  /// - Parameters:
  ///   - address: The address of the interface.
  ///   - calendar: The id of the calendar; `primary` is that of the user.
  ///   - credentials: The tokens of the user.
  ///   - zones: The time zones of items, and that of the user.
  ///   - connection: The transport, and whether Google mails the attendees of what is written.
  package init(
    address: RemoteURL, calendar: String, credentials: Credentials, zones: VendorZones,
    _ connection: VendorConnection
  ) {
    session = VendorSession(
      base: address.asCollection, credentials: credentials,
      transport: connection.transport)
    self.calendar = calendar
    self.zones = zones
    invitations = connection.invitations
    isForAccount = connection.isForAccount
  }

  /// The kind `google`, the address with the calendar, and the user.
  public var identity: RemoteIdentity {
    RemoteIdentity(
      kind: "google", location: "\(session.base)#\(calendar)", user: session.credentials?.user ?? ""
    )
  }

  /// The parts of an item that Google holds.
  public static var holding: HoldingTable { GoogleForm.table }

  /// Opens the calendar for adding events, without sending a request.
  public func openAppender() async throws -> any RemoteAppender {
    var session = session
    let target = try session.base.resolving(GoogleService.path(of: calendar))
    session.transport = WriteOnlyTransport(session.transport, creatingIn: target)
    let form = GoogleForm(zones: zones, writesPeople: false)
    return VendorAppender(
      GoogleService(session, calendar: calendar, form: form, invitations: .hold))
  }

  /// Opens the calendar for reading and writing, without sending a request.
  public func openCalendar() async throws -> any RemoteCalendar {
    let names = [session.credentials?.user, calendar].compactMap(\.self)
    let owners = Set(names.filter { $0.contains("@") }.map { $0.lowercased() })
    let form = GoogleForm(zones: zones, writesPeople: true, owners: owners)
    var service = GoogleService(
      session, calendar: calendar, form: form, invitations: invitations)
    if isForAccount {
      service.properties = GoogleCalendarProperties(session, calendar: calendar)
    }
    return VendorCalendar(service)
  }
}

/// The connection to a vendor.
package struct VendorConnection: Sendable {
  let transport: any HTTPTransport
  let invitations: InvitationPolicy
  /// Whether the sign-in covers the list of calendars, in which Google has their names and colours.
  let isForAccount: Bool

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - transport: The transport for requests.
  ///   - invitations: Whether the vendor mails the attendees of what is written.
  ///   - isForAccount: Whether the sign-in is for all calendars of an account.
  package init(
    _ transport: any HTTPTransport, invitations: InvitationPolicy, isForAccount: Bool = false
  ) {
    (self.transport, self.invitations) = (transport, invitations)
    self.isForAccount = isForAccount
  }
}

extension GoogleService: VendorAdding {
  /// Adds an event with an id that its UID determines (status 409 if it is taken).
  func add(_ item: VendorItem) async throws -> AppendOutcome {
    let id = GoogleID.id(of: item.item.uid)
    let answer = try await creation(of: item, id)
    switch answer.status {
    case 409: return .alreadyPresent(href: Href(id))
    case 400...499: return .refused(reason: answer.refusal)
    default:
      let event = try? answer.content(GoogleEvent.self)
      return .added(href: Href(id), etag: event?.etag.map { EntityTag($0) })
    }
  }
}
