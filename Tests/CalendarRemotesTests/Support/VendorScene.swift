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

  /// The remote.
  ///
  /// - Parameter invitations: Whether attendees are mailed.
  /// - Returns: The remote.
  /// - Throws: `RemoteError` if the address cannot be used.
  func remote(invitations: InvitationPolicy = .hold) throws -> any Remote {
    let network = try NetworkTransport(userAgent: "epact-tests/1", identity: NetworkIdentity())
    let pace = PatientTransport.Pace(
      now: { Instant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) },
      stopwatch: { .zero }, sleep: { _ in }, random: { 0.5 })
    let limited = PatientTransport(RateLimitTransport(network), pace: pace)
    let connection = VendorConnection(limited, invitations: invitations)
    let account = account
    let credentials = Credentials(user: "me", tokens: TokenSource { account })
    switch kind {
    case .google:
      return GoogleRemote(
        address: try RemoteURL(parsing: "http://127.0.0.1:\(double.port)/calendar/v3/"),
        calendar: "primary", credentials: credentials, zones: Self.zones, connection)
    case .graph:
      return GraphRemote(
        address: try RemoteURL(parsing: "http://127.0.0.1:\(double.port)/v1.0/"),
        calendar: "primary", credentials: credentials, zones: Self.zones, connection)
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
