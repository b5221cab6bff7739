// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A calendar on a server, according to its listing (RFC 4791 §4.2).
public struct CalendarCollection: Hashable, Sendable {
  /// The URL for the configuration.
  public let url: RemoteURL
  /// The name, colour, description and order, if they are set.
  public let properties: CollectionProperties
  /// The supported components, such as `VEVENT`; nil for all components (RFC 4791 §5.2.3).
  public let components: Set<String>?
  /// The privileges of the user; nil if the server does not return them.
  public let privileges: CollectionPrivileges?

  /// The properties that are requested for each calendar.
  static let queried: [XMLName] =
    [
      .dav("resourcetype"), .dav("displayname"), .caldav("supported-calendar-component-set"),
      .dav("current-user-privilege-set"), .calendarServer("source"),
    ] + described

  /// The descriptive properties of a calendar, except its name.
  static let described = CollectionProperty.allCases.map(\.element)
    .filter { $0 != .dav("displayname") }

  init(_ calendar: Discovery.Calendar, _ headers: HTTPHeaders) {
    url = calendar.url
    let response = calendar.response
    properties = CollectionProperties(response, headers)
    let set = response.properties[.caldav("supported-calendar-component-set")]
    let names = set?.children(named: .caldav("comp")).compactMap { $0.nameAttribute?.uppercased() }
    components = names.flatMap { $0.isEmpty ? nil : Set($0) }
    privileges = response.properties[.dav("current-user-privilege-set")]
      .map(CollectionPrivileges.init)
  }

  /// The components that the user can add; nil for all, and empty if the user may only read the calendar.
  var addable: Set<String>? { privileges?.isReadOnly == true ? [] : components }

  /// The display name, or the last path segment of the URL if there is none.
  public var title: String {
    properties[.name] ?? url.path.split(separator: "/").last.map(String.init) ?? url.description
  }
}

extension CollectionProperty {
  /// The XML element of the property.
  var element: XMLName {
    switch self {
    case .name: .dav("displayname")
    case .color: .apple("calendar-color")
    case .description: .caldav("calendar-description")
    case .order: .apple("calendar-order")
    }
  }
}

extension CollectionProperties {
  /// Reads the properties of a calendar from a response; empty values are omitted.
  ///
  /// DAViCal, which sends its version in a header field, stores values with the XML escapes of the
  /// request and escapes them again.
  init(_ response: MultiStatus.Response, _ headers: HTTPHeaders) {
    self.init()
    for property in CollectionProperty.allCases {
      guard var text = response.properties[property.element]?.trimmedText, !text.isEmpty,
        text.utf8.count <= CollectionProperty.sizeLimit
      else { continue }
      if headers["X-DAViCal-Version"] != nil { text = Self.unescaped(text) }
      if property == .name, Self.isPath(text, of: response.href) { continue }
      self[property] = text
    }
  }

  /// Whether a name is the path of the calendar, which Radicale returns for a calendar without a name.
  private static func isPath(_ name: String, of href: String) -> Bool {
    let path = Href(href).comparisonKey.split(separator: UInt8(ascii: "/"))
    let parts = Array(name.utf8).split(separator: UInt8(ascii: "/"))
    return parts.count > 1 && path.suffix(parts.count) == parts[...]
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

/// The privileges of a user for a calendar (RFC 3744 §3).
public struct CollectionPrivileges: Hashable, Sendable {
  /// Whether items can be read.
  public var mayRead = false
  /// Whether items can be added.
  public var mayAdd = false
  /// Whether items can be changed.
  public var mayChange = false
  /// Whether items can be deleted.
  public var mayDelete = false

  /// Creates an empty set of privileges.
  public init() {}

  /// Parses `DAV:current-user-privilege-set` (RFC 3744 §5.4); aggregate privileges include others.
  init(_ set: XMLElement) {
    let names = Set(set.children(named: .dav("privilege")).flatMap(\.children).map(\.name))
    func has(_ locals: String...) -> Bool {
      names.contains(.dav("all")) || locals.contains { names.contains(.dav($0)) }
    }
    mayRead = has("read")
    mayAdd = has("write", "bind")
    mayChange = has("write", "write-content")
    mayDelete = has("write", "unbind")
  }

  /// Whether the user has no write privilege.
  public var isReadOnly: Bool { !mayAdd && !mayChange && !mayDelete }
}

/// The name, colour, description and order of a calendar on a server.
struct CalDAVProperties: CollectionPropertyStore {
  let session: DAVSession
  let collection: RemoteURL
  /// The responses from opening the calendar.
  var opening = OpeningAnswer()

  func collectionProperties() async throws -> CollectionProperties {
    if let known = opening.takeProperties() { return known }
    let response = try await session.propfind(
      CollectionProperty.allCases.map(\.element), of: collection, depth: 0)
    let answer = try DAVSession.multiStatus(of: response)
    guard let own = answer.responses.first else {
      throw RemoteError(
        code: .malformed, subject: collection.description,
        message: "the response does not contain the calendar itself")
    }
    return CollectionProperties(own, response.headers)
  }

  func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    _ = opening.takeProperties()
    let outcome = try await send(property, value)
    // SOGo accepts only colours with an alpha value, as Apple Calendar writes them.
    guard case .refused = outcome, property == .color, let value, value.utf8.count == 7 else {
      return outcome
    }
    let second = try await send(property, value + "FF")
    return second == .done ? second : outcome
  }

  /// Sends a PROPPATCH and reads the result of the property.
  ///
  /// A server applies all changes of a request or none, but reports a status for each (RFC 4918
  /// §9.2).
  private func send(
    _ property: CollectionProperty, _ value: String?
  ) async throws -> CollectionPropertyOutcome {
    let name = property.element
    let response = try await session.send(
      .proppatch, to: collection, content: .xml(DAVBody.propertyUpdate(name, to: value)))
    switch response.status {
    case 200, 204: return .done
    case 207: break
    case 400...501, 507: return .refused(reason: DAVRefusal(response).reason)
    default:
      throw RemoteError(
        code: .failed, subject: collection.description, message: DAVRefusal(response).reason)
    }
    let answer = try DAVSession.multiStatus(of: response)
    let own = answer.responses.first
    if own?.properties[name] != nil { return .done }
    guard let status = own?.failures[name] ?? own?.status else { return .done }
    // Removing a property that does not exist is a success.
    if (200...299).contains(status) || value == nil && status == 404 { return .done }
    let words = ServerText.escaped(ServerText.collapsed(own?.description ?? ""))
    let reason = "the server refuses it with status \(status)"
    return .refused(reason: words.isEmpty ? reason : "\(reason): \(words)")
  }
}

extension CalDAVCalendar {
  var properties: (any CollectionPropertyStore)? {
    hasProperties
      ? CalDAVProperties(session: session, collection: collection, opening: opening) : nil
  }
}
