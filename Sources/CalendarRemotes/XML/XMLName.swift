// SPDX-License-Identifier: Apache-2.0

/// The name of an XML element, with its namespace resolved.
package struct XMLName: Hashable, Sendable {
  package let namespace: String
  package let local: String

  private static let davNamespace = "DAV:"
  private static let caldavNamespace = "urn:ietf:params:xml:ns:caldav"
  private static let calendarServerNamespace = "http://calendarserver.org/ns/"
  private static let appleNamespace = "http://apple.com/ns/ical/"

  /// The text of a namespace, which is the constant where it is one of those that are known: of a constant
  /// no references are counted.
  static func shared(_ namespace: String) -> String {
    switch namespace {
    case davNamespace: davNamespace
    case caldavNamespace: caldavNamespace
    case calendarServerNamespace: calendarServerNamespace
    case appleNamespace: appleNamespace
    default: namespace
    }
  }

  /// Compares the local names first, by which nearly all names that meet can be told apart.
  package static func == (left: XMLName, right: XMLName) -> Bool {
    left.local == right.local && left.namespace == right.namespace
  }

  /// Hashes less than equality compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(local)
  }

  /// Whether the name is one of WebDAV or CalDAV.
  package var isStandard: Bool {
    namespace == Self.davNamespace || namespace == Self.caldavNamespace
  }

  /// A name of WebDAV (RFC 4918).
  package static func dav(_ local: String) -> XMLName {
    XMLName(namespace: davNamespace, local: local)
  }

  /// A name of CalDAV (RFC 4791).
  package static func caldav(_ local: String) -> XMLName {
    XMLName(namespace: caldavNamespace, local: local)
  }

  /// A name of the extensions that began with Apple's server, as `getctag`.
  package static func calendarServer(_ local: String) -> XMLName {
    XMLName(namespace: calendarServerNamespace, local: local)
  }

  /// A name of the extensions that began with Apple's calendar program, as `calendar-color`.
  package static func apple(_ local: String) -> XMLName {
    XMLName(namespace: appleNamespace, local: local)
  }

  /// The prefix under which a request declares the namespace; nil for one that no request uses.
  var prefix: String? {
    switch namespace {
    case Self.davNamespace: "d"
    case Self.caldavNamespace: "c"
    case Self.calendarServerNamespace: "s"
    case Self.appleNamespace: "a"
    default: nil
    }
  }
}
