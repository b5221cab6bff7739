// SPDX-License-Identifier: Apache-2.0

/// The name of an XML element, with its namespace resolved.
package struct XMLName: Hashable, Sendable {
  package let namespace: String
  package let local: String

  /// A name of WebDAV (RFC 4918).
  package static func dav(_ local: String) -> XMLName {
    XMLName(namespace: "DAV:", local: local)
  }

  /// A name of CalDAV (RFC 4791).
  package static func caldav(_ local: String) -> XMLName {
    XMLName(namespace: "urn:ietf:params:xml:ns:caldav", local: local)
  }
}
