// SPDX-License-Identifier: Apache-2.0

/// An XML element with its contents and, of its attributes, only `name`.
package struct XMLElement: Hashable, Sendable {
  package let name: XMLName
  /// The attribute `name`, as in a component set (RFC 4791 §9.4).
  package internal(set) var nameAttribute: String?
  /// The child elements, in order.
  package internal(set) var children: [XMLElement] = []
  /// The text directly in the element.
  package internal(set) var text = ""

  /// The first child with a name.
  package subscript(name: XMLName) -> XMLElement? {
    place(of: name).map { children[$0] }
  }

  /// The index of the first child with a name.
  ///
  /// It is an index, because passing an element to a closure copies it, and a listing has
  /// thousands.
  func place(of name: XMLName) -> Int? {
    for place in children.indices where children[place].name == name { return place }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns the children with a name, in order.
  package func children(named name: XMLName) -> [XMLElement] {
    children.filter { $0.name == name }
  }

  /// The text, trimmed of white space.
  package var trimmedText: String {
    // Only XML white space (§2.3) counts. The search is on bytes, because a listing has thousands
    // of texts.
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, Self.isSpace(first) || Self.isSpace(last)
    else { return text }
    let start = bytes.firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !Self.isSpace($0) }.map { bytes.index(after: $0) } ?? start
    return String(text[start..<end])
  }
}

/// The name of an XML element, with its namespace resolved.
package struct XMLName: Hashable, Sendable {
  package let namespace: String
  package let local: String

  private static let davNamespace = "DAV:"
  private static let caldavNamespace = "urn:ietf:params:xml:ns:caldav"
  private static let calendarServerNamespace = "http://calendarserver.org/ns/"
  private static let appleNamespace = "http://apple.com/ns/ical/"

  /// The text of a namespace, or an equal constant if it is a known one.
  ///
  /// Constants need no reference counting.
  static func shared(_ namespace: String) -> String {
    switch namespace {
    case davNamespace: davNamespace
    case caldavNamespace: caldavNamespace
    case calendarServerNamespace: calendarServerNamespace
    case appleNamespace: appleNamespace
    default: namespace
    }
  }

  /// Compares the local names first, because nearly all names differ in them.
  package static func == (left: XMLName, right: XMLName) -> Bool {
    left.local == right.local && left.namespace == right.namespace
  }

  /// Hashes both names: a document may have one local name in thousands of namespaces.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(local)
    hasher.combine(namespace)
  }

  /// Whether the name belongs to WebDAV or CalDAV.
  package var isStandard: Bool {
    namespace == Self.davNamespace || namespace == Self.caldavNamespace
  }

  /// Creates a name in the WebDAV namespace (RFC 4918).
  package static func dav(_ local: String) -> XMLName {
    XMLName(namespace: davNamespace, local: local)
  }

  /// Creates a name in the CalDAV namespace (RFC 4791).
  package static func caldav(_ local: String) -> XMLName {
    XMLName(namespace: caldavNamespace, local: local)
  }

  /// Creates a name of the extensions of Apple's Calendar Server, such as `getctag`.
  package static func calendarServer(_ local: String) -> XMLName {
    XMLName(namespace: calendarServerNamespace, local: local)
  }

  /// Creates a name of the extensions of Apple Calendar, such as `calendar-color`.
  package static func apple(_ local: String) -> XMLName {
    XMLName(namespace: appleNamespace, local: local)
  }

  /// The prefix of the namespace in requests, or nil if no request uses it.
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
