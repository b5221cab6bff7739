// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension VendorAccount {
  /// The calendars of a user at Google (Calendar API v3, resources CalendarList and Calendars).
  ///
  /// - Parameters:
  ///   - address: The address of the interface.
  ///   - credentials: The tokens of the user.
  ///   - transport: The transport for requests.
  /// - Returns: The account; no request is sent.
  package static func google(
    address: RemoteURL, credentials: Credentials, transport: any HTTPTransport
  ) -> VendorAccount {
    VendorAccount(
      GoogleCalendars(
        session: VendorSession(
          base: address.asCollection, credentials: credentials, transport: transport)))
  }
}

/// An entry of the user's list of calendars (resource CalendarList).
private struct GoogleCalendarEntry: Decodable {
  var id: String
  var summary: String?
  var summaryOverride: String?
  var description: String?
  var accessRole: String?
  var backgroundColor: String?
}

/// The calendars of a user at Google.
struct GoogleCalendars: VendorAccountInterface {
  fileprivate static let list = "users/me/calendarList"
  /// The largest page of the list.
  private static let pageSize = 250

  let session: VendorSession

  private struct List<Item: Decodable>: VendorList {
    var items: [Item]?
    var nextPageToken: String?

    var entries: [Item] { items ?? [] }

    func next(after first: String) -> String? {
      nextPageToken.map { "\(first)&pageToken=\(PercentEncoding.escapingAll($0))" }
    }
  }

  /// The answer to an addition (resource Calendars).
  private struct Made: Decodable {
    var id: String
    var summary: String?
  }

  private struct New: Encodable {
    var summary: String
  }

  private struct Event: Decodable {
    var recurringEventId: String?
  }

  /// Lists the calendars that the user has not hidden; those with free and busy times alone are left out.
  func calendars() async throws -> [VendorCalendarEntry] {
    let path = "\(Self.list)?maxResults=\(Self.pageSize)&minAccessRole=reader"
    return try await session.all(path, in: List<GoogleCalendarEntry>.self).map { entry in
      VendorCalendarEntry(
        id: entry.id, title: entry.summaryOverride ?? entry.summary ?? "",
        isReadOnly: !["writer", "owner"].contains(entry.accessRole))
    }
  }

  func create(_ title: String) async throws -> VendorCalendarEntry {
    let made = try await session.send(.post, "calendars", body: New(summary: title), .creation)
      .content(Made.self)
    return VendorCalendarEntry(id: made.id, title: made.summary ?? title, isReadOnly: false)
  }

  func itemCount(of id: String) async throws -> Int {
    let path = "\(GoogleService.path(of: id))?maxResults=2500&singleEvents=false"
    return try await session.count(path, in: List<Event>.self) { $0.recurringEventId == nil }
  }

  func remove(_ id: String) async throws {
    let answer = try await session.send(.delete, "calendars/\(PercentEncoding.escapingAll(id))")
    if [404, 410].contains(answer.status) { return }
    try answer.expectSuccess()
  }
}

/// The name, colour and description of a calendar at Google.
///
/// The name and the colour belong to the user's list, so that those of other people stay as they are.
struct GoogleCalendarProperties: CollectionPropertyStore {
  private let session: VendorSession
  private let calendar: String

  init(_ session: VendorSession, calendar: String) {
    (self.session, self.calendar) = (session, calendar)
  }

  private struct Name: Encodable {
    var summaryOverride: String
  }

  private struct Colors: Encodable {
    var backgroundColor: String
    var foregroundColor: String
  }

  private struct Description: Codable {
    var description: String?
  }

  private var entry: String {
    "\(GoogleCalendars.list)/\(PercentEncoding.escapingAll(calendar))"
  }

  func collectionProperties() async throws -> CollectionProperties {
    let entry = try await session.send(.get, entry).content(GoogleCalendarEntry.self)
    var properties = CollectionProperties()
    properties[.name] = entry.summaryOverride ?? entry.summary
    properties[.color] = entry.backgroundColor
    properties[.description] = entry.description?.isEmpty == false ? entry.description : nil
    return properties
  }

  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    switch (property, value) {
    case (.name, let value?):
      return try await change(entry, Name(summaryOverride: value)) {
        try $0.content(GoogleCalendarEntry.self).summaryOverride == value
      }
    case (.color, let value?):
      guard let color = VendorColor(value) else {
        return .refused(reason: "Google has colors of the form #RRGGBB, and not \(value)")
      }
      let colors = Colors(backgroundColor: color.text, foregroundColor: color.contrast)
      return try await change("\(entry)?colorRgbFormat=true", colors) {
        try $0.content(GoogleCalendarEntry.self).backgroundColor?.lowercased() == color.text
      }
    case (.description, _):
      let path = "calendars/\(PercentEncoding.escapingAll(calendar))"
      return try await change(path, Description(description: value ?? "")) {
        try $0.content(Description.self).description ?? "" == value ?? ""
      }
    case (.name, nil): return .refused(reason: "a calendar at Google always has a name")
    case (.color, nil): return .refused(reason: "a calendar at Google always has a color")
    case (.order, _): return .refused(reason: "calendars at Google have no order")
    }
  }

  private func change(
    _ path: String, _ body: some Encodable, _ isHeld: (VendorAnswer) throws -> Bool
  ) async throws -> CollectionPropertyOutcome {
    try await session.send(.patch, path, body: body).outcome(isHeld)
  }
}
