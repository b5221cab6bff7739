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
      .dav("current-user-privilege-set"),
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
      self[property] = text
    }
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
