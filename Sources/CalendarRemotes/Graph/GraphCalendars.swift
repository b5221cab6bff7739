// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension VendorAccount {
  /// The calendars of a user in Microsoft Graph (v1.0, resource type calendar).
  ///
  /// - Parameters:
  ///   - address: The address of the interface.
  ///   - credentials: The tokens of the user.
  ///   - transport: The transport for requests.
  /// - Returns: The account; no request is sent.
  package static func graph(
    address: RemoteURL, credentials: Credentials, transport: any HTTPTransport
  ) -> VendorAccount {
    VendorAccount(
      GraphCalendars(
        session: VendorSession(
          base: address.asCollection, credentials: credentials, transport: transport,
          headers: GraphService.preferences)))
  }
}

/// A calendar of Microsoft Graph.
private struct GraphCalendarEntry: Decodable {
  var id: String
  var name: String?
  var color: String?
  var hexColor: String?
  var canEdit: Bool?

  /// The colour; nil if the user chose none.
  var shownColor: VendorColor? { hexColor.flatMap(VendorColor.init) }
}

/// The calendars of a user in Microsoft Graph.
struct GraphCalendars: VendorAccountInterface {
  /// The items of a page.
  private static let pageSize = 100

  let session: VendorSession

  private struct List<Entry: Decodable>: VendorList {
    var entries: [Entry]
    var nextLink: String?

    enum CodingKeys: String, CodingKey {
      case entries = "value"
      case nextLink = "@odata.nextLink"
    }

    func next(after first: String) -> String? { nextLink }
  }

  private struct Event: Decodable {
    var id: String
  }

  private struct New: Encodable {
    var name: String
  }

  func calendars() async throws -> [VendorCalendarEntry] {
    let path = "me/calendars?$select=id,name,canEdit&$top=\(Self.pageSize)"
    return try await session.all(path, in: List<GraphCalendarEntry>.self).map { entry in
      VendorCalendarEntry(
        id: entry.id, title: entry.name ?? "", isReadOnly: entry.canEdit == false)
    }
  }

  func create(_ title: String) async throws -> VendorCalendarEntry {
    let answer = try await session.send(.post, "me/calendars", body: New(name: title), .creation)
    try answer.expectSuccess()
    let made = try answer.content(GraphCalendarEntry.self)
    return VendorCalendarEntry(
      id: made.id, title: made.name ?? title, isReadOnly: made.canEdit == false)
  }

  func itemCount(of id: String) async throws -> Int {
    let path = "\(GraphService.path(of: id))/events?$select=id&$top=\(Self.pageSize)"
    return try await session.count(path, in: List<Event>.self) { _ in true }
  }

  func remove(_ id: String) async throws {
    let answer = try await session.send(.delete, GraphService.path(of: id))
    if [404, 410].contains(answer.status) { return }
    try answer.expectSuccess()
  }
}

/// The name and colour of a calendar in Microsoft Graph.
///
/// Microsoft has a closed list of colours. A colour that is not on the list stays here alone.
struct GraphCalendarProperties: CollectionPropertyStore {
  /// The colours and their values, which Microsoft does not document; each answer is compared with the
  /// value that was asked for.
  static let colors: KeyValuePairs<String, String> = [
    "lightBlue": "#a6d1f5", "lightGreen": "#87d28e", "lightOrange": "#fcab73",
    "lightGray": "#c0c0c0", "lightYellow": "#f5e97c", "lightTeal": "#4adacc",
    "lightPink": "#f1a7b5", "lightBrown": "#e2c08d", "lightRed": "#ff887c",
    "maxColor": "#f88c9b",
  ]

  private let session: VendorSession
  /// The path of the calendar.
  private let path: String

  init(_ session: VendorSession, path: String) {
    (self.session, self.path) = (session, path)
  }

  private struct Name: Encodable {
    var name: String
  }

  private struct Color: Encodable {
    var color: String
  }

  private func entry() async throws -> GraphCalendarEntry {
    try await session.send(.get, "\(path)?$select=id,name,color,hexColor").content()
  }

  func collectionProperties() async throws -> CollectionProperties {
    let entry = try await entry()
    var properties = CollectionProperties()
    properties[.name] = entry.name
    properties[.color] = entry.shownColor?.text
    return properties
  }

  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    switch (property, value) {
    case (.name, let value?):
      return try await session.send(.patch, path, body: Name(name: value)).outcome {
        try $0.content(GraphCalendarEntry.self).name == value
      }
    case (.color, let value): return try await setColor(value)
    case (.name, nil): return .refused(reason: "a calendar at Microsoft always has a name")
    case (.description, _): return .refused(reason: "calendars at Microsoft have no description")
    case (.order, _): return .refused(reason: "calendars at Microsoft have no order")
    }
  }

  /// Sets the colour of the list that has exactly a value; the former one stays if the answer has another.
  private func setColor(_ value: String?) async throws -> CollectionPropertyOutcome {
    let wanted = value.flatMap(VendorColor.init)
    let name = Self.colors.first { $0.value == wanted?.text }?.key
    guard let name = value == nil ? "auto" : name else {
      let list = Self.colors.map(\.value).joined(separator: ", ")
      return .refused(
        reason: "Microsoft has no color \(value ?? ""), and it stays here; it has \(list)")
    }
    let before = try await entry()
    let outcome = try await session.send(.patch, path, body: Color(color: name)).outcome {
      try $0.content(GraphCalendarEntry.self).shownColor == wanted
    }
    if case .refused = outcome, let old = before.color, old != name {
      _ = try await session.send(.patch, path, body: Color(color: old))
    }
    return outcome
  }
}
