// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// A calendar on a server, as its listing tells of it (RFC 4791 §4.2).
public struct CalendarCollection: Hashable, Sendable {
  /// The address, which is the one to configure.
  public let url: RemoteURL
  /// The name, colour, description and order, as far as they are set.
  public let properties: CollectionProperties
  /// The components that it takes, as `VEVENT`; nil if it takes any (RFC 4791 §5.2.3).
  public let components: Set<String>?
  /// What the user may do with it; nil if the server does not tell.
  public let privileges: CollectionPrivileges?

  /// What is asked for about each calendar.
  static let queried: [XMLName] =
    [
      .dav("resourcetype"), .dav("displayname"), .caldav("supported-calendar-component-set"),
      .dav("current-user-privilege-set"),
    ] + described

  /// What a calendar says of itself besides its name.
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

  /// The name for people; without one, the last part of the address.
  public var title: String {
    properties[.name] ?? url.path.split(separator: "/").last.map(String.init) ?? url.description
  }
}

extension CollectionProperty {
  /// The element that holds the property on a server.
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
  /// Reads what a server says about a calendar; an empty value is none.
  ///
  /// DAViCal, which tells its version in the header, keeps values with the escapes of the request that
  /// set them, and escapes them again.
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
