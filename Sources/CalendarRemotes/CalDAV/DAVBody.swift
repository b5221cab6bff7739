// SPDX-License-Identifier: Apache-2.0

/// The bodies of WebDAV requests.
enum DAVBody {
  /// A request for properties (RFC 4918 §9.1).
  static func propfind(_ properties: [XMLName]) -> [UInt8] {
    document("d:propfind", propertyList(properties))
  }

  /// A request for what has changed since a token (RFC 6578 §3.2).
  static func syncCollection(since token: String) -> [UInt8] {
    document(
      "d:sync-collection",
      "<d:sync-token>\(escaped(token))</d:sync-token><d:sync-level>1</d:sync-level>"
        + propertyList([.dav("getetag")]))
  }

  /// A request for resources with their calendar data (RFC 4791 §7.9); hrefs as they were received.
  static func multiget(_ hrefs: [String]) -> [UInt8] {
    document(
      "c:calendar-multiget",
      propertyList([.dav("getetag"), .caldav("calendar-data")])
        + hrefs.map { "<d:href>\(escaped($0))</d:href>" }.joined())
  }

  private static func propertyList(_ properties: [XMLName]) -> String {
    "<d:prop>\(properties.map { empty($0) }.joined())</d:prop>"
  }

  /// An element without content, with a declaration of its namespace where the root has none.
  private static func empty(_ name: XMLName) -> String {
    let prefix = name.prefix ?? "x"
    let isDeclared = ["d", "c"].contains(prefix)
    return isDeclared
      ? "<\(prefix):\(name.local)/>"
      : "<\(prefix):\(name.local) xmlns:\(prefix)=\"\(name.namespace)\"/>"
  }

  private static func document(_ root: String, _ content: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <\(root) xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">\(content)</\(root)>
      """.utf8)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
