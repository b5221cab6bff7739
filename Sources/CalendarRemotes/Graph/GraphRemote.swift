// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

/// A calendar of Outlook, Microsoft 365 or Exchange Online (Microsoft Graph v1.0).
///
/// Preview: it is built to Microsoft's documentation and tested against a double that checks each request
/// and answer with Microsoft's contract. It has not been tried at Microsoft.
public struct GraphRemote: Remote {
  /// The address of the interface.
  public static let address = "https://graph.microsoft.com/v1.0/"

  private let session: VendorSession
  private let calendar: String
  private let zones: VendorZones
  private let invitations: InvitationPolicy

  /// Creates a remote without sending a request.
  ///
  /// - Parameters:
  ///   - address: The address of the interface.
  ///   - calendar: The id of the calendar; `primary` is the default one of the user.
  ///   - credentials: The tokens of the user.
  ///   - zones: The time zones of items, and that of the user.
  ///   - connection: The transport, and whether attendees are mailed.
  package init(
    address: RemoteURL, calendar: String, credentials: Credentials, zones: VendorZones,
    _ connection: VendorConnection
  ) {
    session = VendorSession(
      base: address.asCollection, credentials: credentials, transport: connection.transport,
      headers: GraphService.preferences)
    self.calendar = calendar
    self.zones = zones
    invitations = connection.invitations
  }

  /// The kind `graph`, the address with the calendar, and the user.
  public var identity: RemoteIdentity {
    RemoteIdentity(
      kind: "graph", location: "\(session.base)#\(calendar)", user: session.credentials?.user ?? "")
  }

  /// The parts of an item that Microsoft holds.
  public static var holding: HoldingTable { GraphForm.table }

  /// Opens the calendar for adding events, without sending a request.
  public func openAppender() async throws -> any RemoteAppender {
    var session = session
    let target = try session.base.resolving("\(GraphService.path(of: calendar))/events")
    session.transport = WriteOnlyTransport(session.transport, creatingIn: target)
    let form = GraphForm(zones: zones, writesPeople: false)
    return VendorAppender(
      GraphService(session, calendar: calendar, form: form, invitations: .hold))
  }

  /// Opens the calendar for reading and writing, without sending a request.
  public func openCalendar() async throws -> any RemoteCalendar {
    let form = GraphForm(zones: zones, writesPeople: invitations == .send)
    return VendorCalendar(
      GraphService(session, calendar: calendar, form: form, invitations: invitations))
  }
}

extension GraphService: VendorAdding {
  /// Adds an event with a transaction that its UID determines.
  func add(_ item: VendorItem) async throws -> AppendOutcome {
    let answer = try await creation(of: item, "")
    switch answer.status {
    case 409: return .alreadyPresent(href: Href(GraphProperties.transaction(of: item.item.uid)))
    case 400...499: return .refused(reason: answer.refusal)
    default:
      let event = try answer.content(GraphEvent.self)
      return isAnswer(event, to: item)
        ? .added(href: Href(event.id), etag: event.etag.map { EntityTag($0) })
        : .alreadyPresent(href: Href(event.id))
    }
  }

  /// Whether an answer is that to the addition of an item, as far as its title and its times tell.
  ///
  /// A repeated request is answered with the event of the first one.
  private func isAnswer(_ event: GraphEvent, to item: VendorItem) -> Bool {
    let sent = item.main.event
    let read = CalendarModel.Event(GraphReading(event, graphForm.zones, uid: "").component)
    guard let start = sent.start, let other = read.start else { return false }
    return read.summary ?? "" == sent.summary ?? ""
      && (try? item.times.instant(of: start)) == (try? item.times.instant(of: other))
  }
}
