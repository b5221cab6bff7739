// SPDX-License-Identifier: Apache-2.0

/// A URI reference, split into its unvalidated components (RFC 3986 Appendix B).
///
/// The fragment is dropped, because it is never sent.
struct URIReference {
  let scheme: String?
  let authority: String?
  let path: String
  let query: String?

  init(_ text: String) {
    var rest = Substring(text)
    // The search is on bytes, because none of these occurs inside another character.
    if let hash = rest.utf8.firstIndex(of: 0x23) { rest = rest[..<hash] }
    if let mark = rest.utf8.firstIndex(of: 0x3F) {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    } else {
      query = nil
    }
    if let colon = rest.utf8.firstIndex(of: 0x3A), !rest[..<colon].utf8.contains(0x2F),
      colon > rest.startIndex
    {
      scheme = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
    } else {
      scheme = nil
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<slash])
      rest = rest[slash...]
    } else {
      authority = nil
    }
    path = String(rest)
  }

  /// The path and query of the target of a relative-path reference (RFC 3986 §5.2.2).
  func pathAndQuery(
    against basePath: String, query baseQuery: String?
  ) -> (path: String, query: String?) {
    if path.isEmpty { return (basePath, query ?? baseQuery) }
    if path.hasPrefix("/") { return (path.removingDotSegments(), query) }
    let folder = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
    return ((folder + path).removingDotSegments(), query)
  }
}

extension String {
  /// Removes the `.` and `..` segments of the path (RFC 3986 §5.2.4).
  func removingDotSegments() -> String {
    guard utf8.first == 0x2F else { return self }
    // Without a segment that starts with a dot, there is nothing to remove.
    let isPlain = zip(utf8, utf8.dropFirst()).allSatisfy { $0 != 0x2F || $1 != 0x2E }
    if isPlain { return self }
    var output: [Substring] = []
    let segments = dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { output.append("") }
      case "..":
        if !output.isEmpty { output.removeLast() }
        if isLast { output.append("") }
      default:
        output.append(segment)
      }
    }
    return "/" + output.joined(separator: "/")
  }
}

/// Percent-encoding of addresses (RFC 3986 §2.1), on bytes, which need not be UTF-8.
enum PercentEncoding {
  /// Escapes only the bytes that are not allowed in a request.
  ///
  /// Servers send hrefs with spaces and unescaped UTF-8, which must not break the request line.
  static func escapingForbidden(_ text: String) -> String {
    // Most addresses contain no such bytes.
    if text.utf8.allSatisfy(isAllowed) { return text }
    var result = ""
    for byte in text.utf8 {
      if isAllowed(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escape(byte)
      }
    }
    return result
  }

  /// Escapes all bytes that are not unreserved, as in a form.
  static func escapingAll(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isUnreserved(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escape(byte)
      }
    }
  }

  /// Decodes all escapes, or returns nil if the result is not UTF-8.
  static func decoded(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: false
    default: byte > 0x20 && byte < 0x7F
    }
  }

  /// Normalizes a path: unreserved bytes and `/` are literal, all others are uppercase escapes.
  ///
  /// An escaped slash remains escaped, because it is not a separator.
  static func normalized(_ path: String) -> String {
    if path.utf8.allSatisfy({ isUnreserved($0) || $0 == 0x2F }) { return path }
    let bytes = Array(path.utf8)
    var result = ""
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      var isEscaped = false
      if byte == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        byte = high << 4 | low
        isEscaped = true
        index += 2
      }
      index += 1
      if isUnreserved(byte) || byte == 0x2F && !isEscaped {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escape(byte)
      }
    }
    return result
  }

  /// Whether a text is the normalized path of a direct member of a folder.
  ///
  /// If it is false, the text may still be such a path in another spelling.
  static func isPlainMember(_ text: String, of folder: String) -> Bool {
    let (bytes, start) = (text.utf8, folder.utf8)
    let (name, first) = (bytes.dropFirst(start.count), bytes.starts(with: start))
    // A name must not start with a dot, and an address must not be too long.
    return first && name.first.map { $0 != 0x2E } ?? false && bytes.count < 2048
      && name.allSatisfy(isUnreserved)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
  }

  private static func escape(_ byte: UInt8) -> String {
    "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
