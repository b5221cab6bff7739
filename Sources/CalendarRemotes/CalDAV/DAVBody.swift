// SPDX-License-Identifier: Apache-2.0

/// The bodies of WebDAV requests.
enum DAVBody {
  /// A PROPFIND request (RFC 4918 §9.1).
  static func propfind(_ properties: [XMLName]) -> [UInt8] {
    document("d:propfind", propertyList(properties))
  }

  /// A sync report request for changes since a token (RFC 6578 §3.2); for all items if it is empty.
  static func syncCollection(since token: String) -> [UInt8] {
    document(
      "d:sync-collection",
      "<d:sync-token>\(escaped(token))</d:sync-token><d:sync-level>1</d:sync-level>"
        + propertyList([.dav("getetag")]))
  }

  /// A multiget request for tags, and for calendar data (RFC 4791 §7.9); hrefs are sent as received.
  static func multiget(_ hrefs: [String], withData: Bool = true) -> [UInt8] {
    document(
      "c:calendar-multiget",
      propertyList([.dav("getetag")] + (withData ? [.caldav("calendar-data")] : []))
        + hrefs.map { "<d:href>\(escaped($0))</d:href>" }.joined())
  }

  /// A PROPPATCH request that sets a property, or removes it if the value is nil (RFC 4918 §9.2).
  static func propertyUpdate(_ name: XMLName, to value: String?) -> [UInt8] {
    let verb = value == nil ? "remove" : "set"
    return document(
      "d:propertyupdate", "<d:\(verb)><d:prop>\(element(name, value))</d:prop></d:\(verb)>")
  }

  /// A MKCALENDAR request (RFC 4791 §5.3.1).
  static func makeCalendar(_ name: String, _ components: Set<String>?) -> [UInt8] {
    document("c:mkcalendar", collection(name, components, ""))
  }

  /// An extended MKCOL request for servers without MKCALENDAR (RFC 5689 §3).
  static func makeCollection(_ name: String, _ components: Set<String>?) -> [UInt8] {
    document(
      "d:mkcol",
      collection(
        name, components, "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"))
  }

  private static func collection(
    _ name: String, _ components: Set<String>?, _ type: String
  ) -> String {
    let list = (components ?? []).sorted().map { "<c:comp name=\"\(escaped($0))\"/>" }.joined()
    let set = "<c:supported-calendar-component-set>\(list)</c:supported-calendar-component-set>"
    return "<d:set><d:prop>\(type)" + (name.isEmpty ? "" : element(.dav("displayname"), name))
      + (list.isEmpty ? "" : set) + "</d:prop></d:set>"
  }

  /// A query for all items (RFC 4791 §7.8).
  static let itemQuery = document(
    "c:calendar-query",
    propertyList([.dav("getetag")])
      + "<c:filter><c:comp-filter name=\"VCALENDAR\"/></c:filter>")

  /// A query for items with a UID (RFC 4791 §7.8.6); servers may return other items, too.
  static func uidQuery(_ uid: String, component: String) -> [UInt8] {
    document(
      "c:calendar-query",
      propertyList([.dav("getetag")])
        + "<c:filter><c:comp-filter name=\"VCALENDAR\"><c:comp-filter name=\"\(component)\">"
        + "<c:prop-filter name=\"UID\"><c:text-match collation=\"i;octet\">\(escaped(uid))"
        + "</c:text-match></c:prop-filter></c:comp-filter></c:comp-filter></c:filter>")
  }

  private static func propertyList(_ properties: [XMLName]) -> String {
    "<d:prop>\(properties.map { element($0, nil) }.joined())</d:prop>"
  }

  /// Returns an element, with a namespace declaration if the root does not declare the prefix.
  private static func element(_ name: XMLName, _ text: String?) -> String {
    let prefix = name.prefix ?? "x"
    let tag = "\(prefix):\(name.local)"
    let isDeclared = ["d", "c"].contains(prefix)
    let start = isDeclared ? tag : "\(tag) xmlns:\(prefix)=\"\(name.namespace)\""
    return text.map { "<\(start)>\(escaped($0))</\(tag)>" } ?? "<\(start)/>"
  }

  private static func document(_ root: String, _ content: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <\(root) xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">\(content)</\(root)>
      """.utf8)
  }

  private static func escaped(_ text: String) -> String {
    // Most texts and nearly all hrefs contain no such characters.
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{9}", "\n": result.unicodeScalars.append(scalar)
      // XML cannot represent these characters (XML 1.0 §2.2).
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a byte needs no escape in a text.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x26, 0x3C, 0x3E, 0x7F...: false
    default: byte >= 0x20
    }
  }
}
