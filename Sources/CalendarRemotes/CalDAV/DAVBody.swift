// SPDX-License-Identifier: Apache-2.0

/// The bodies of WebDAV requests.
enum DAVBody {
  /// A request for properties (RFC 4918 §9.1).
  static func propfind(_ properties: [XMLName]) -> [UInt8] {
    document("d:propfind", propertyList(properties))
  }

  /// A request for resources with their calendar data (RFC 4791 §7.9); hrefs as they were received.
  static func multiget(_ hrefs: [String]) -> [UInt8] {
    document(
      "c:calendar-multiget",
      propertyList([.dav("getetag"), .caldav("calendar-data")])
        + hrefs.map { "<d:href>\(escaped($0))</d:href>" }.joined())
  }

  private static func propertyList(_ properties: [XMLName]) -> String {
    let elements = properties.map { name in
      "<\(name.namespace == "DAV:" ? "d" : "c"):\(name.local)/>"
    }
    return "<d:prop>\(elements.joined())</d:prop>"
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
