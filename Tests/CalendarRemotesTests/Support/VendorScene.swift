// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

/// An account at the double of a vendor, with the remote that a sync uses.
struct VendorScene {
  let double: VendorDouble
  let account = VendorDouble.makeAccount()
  let kind: VendorDouble.Kind

  private static let resolver = ZoneResolver(
    database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
  static let zones = VendorZones(
    resolver: resolver,
    floating: "Europe/Berlin")
  /// The form in which items of tests are compared.
  static let form = NormalForm(zones: resolver)

  init(_ kind: VendorDouble.Kind) async throws {
    self.kind = kind
    double = try await VendorDouble.shared(kind)
  }

  /// The transport of all connections.
  private func transport() throws -> any HTTPTransport {
    let network = try NetworkTransport(userAgent: "epact-tests/1", identity: NetworkIdentity())
    let pace = PatientTransport.Pace(
      now: { Instant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) },
      stopwatch: { .zero }, sleep: { _ in }, random: { 0.5 })
    return PatientTransport(RateLimitTransport(network), pace: pace)
  }

  /// The tokens of the user.
  private var credentials: Credentials {
    let account = account
    return Credentials(user: "me", tokens: TokenSource { account })
  }

  /// The address of the interface.
  private var address: RemoteURL {
    get throws {
      let path = kind == .google ? "calendar/v3" : "v1.0"
      return try RemoteURL(parsing: "http://127.0.0.1:\(double.port)/\(path)/")
    }
  }

  /// The remote.
  ///
  /// - Parameters:
  ///   - calendar: The id of the calendar.
  ///   - invitations: Whether attendees are mailed.
  ///   - isForAccount: Whether the sign-in is for a whole account.
  ///   - wrap: Wraps the transport.
  /// - Returns: The remote.
  /// - Throws: `RemoteError` if the address cannot be used.
  func remote(
    calendar: String = "primary", invitations: InvitationPolicy = .hold, isForAccount: Bool = false,
    wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> any Remote {
    let connection = VendorConnection(
      wrap(try transport()), invitations: invitations, isForAccount: isForAccount)
    switch kind {
    case .google:
      return GoogleRemote(
        address: try address, calendar: calendar, credentials: credentials, zones: Self.zones,
        connection)
    case .graph:
      return GraphRemote(
        address: try address, calendar: calendar, credentials: credentials, zones: Self.zones,
        connection)
    }
  }

  /// All calendars of the user.
  func calendars() throws -> VendorAccount {
    switch kind {
    case .google:
      return .google(address: try address, credentials: credentials, transport: try transport())
    case .graph:
      return .graph(address: try address, credentials: credentials, transport: try transport())
    }
  }

  /// Everything that a fresh connection reads, by UID.
  func items() async throws -> [String: CalendarItem] {
    let calendar = try await remote().openCalendar()
    var found: [String: CalendarItem] = [:]
    for result in try await calendar.fetch(try await calendar.list().map(\.href)) {
      guard case .item(_, _, let item) = result else {
        throw VendorDouble.Failure(description: "\(result)")
      }
      guard found.updateValue(item, forKey: item.uid.rawValue) == nil else {
        throw VendorDouble.Failure(description: "\(item.uid) is there twice")
      }
    }
    return found
  }

  /// Sets the notes of an event as the vendor's own program does; false if there is no such event.
  func setNotes(_ text: String, of uid: UID) async throws -> Bool {
    let calendar = try await remote().openCalendar()
    let entries = try await calendar.list()
    for case .item(let href, _, let item) in try await calendar.fetch(entries.map(\.href))
    where item.uid == uid {
      switch kind {
      case .google:
        try await double.person(
          account, "PATCH", "/calendar/v3/calendars/primary/events/\(href)",
          #"{"description": "\#(text)"}"#)
      case .graph:
        try await double.person(
          account, "PATCH", "/v1.0/me/events/\(href)",
          #"{"body": {"contentType": "text", "content": "\#(text)"}}"#)
      }
      return true
    }
    return false
  }

  /// Fails if a request or an answer was not as the vendor documents it.
  func expectNoViolations(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(try await double.violations(account) == "[]", sourceLocation: sourceLocation)
  }
}
