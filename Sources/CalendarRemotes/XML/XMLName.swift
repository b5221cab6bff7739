// SPDX-License-Identifier: Apache-2.0

/// The name of an XML element, with its namespace resolved.
package struct XMLName: Hashable, Sendable {
  package let namespace: String
  package let local: String

  private static let davNamespace = "DAV:"
  private static let caldavNamespace = "urn:ietf:params:xml:ns:caldav"

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
}
