// SPDX-License-Identifier: Apache-2.0

/// The escapes of addresses (RFC 3986 §2.1), over bytes: what they mean need not be UTF-8.
enum PercentEncoding {
  /// The text with every byte escaped that may not stand in a request, and nothing else changed.
  ///
  /// Servers send hrefs with spaces and bare UTF-8 in them, which must not break the request line.
  static func escapingForbidden(_ text: String) -> String {
    // Most addresses hold nothing of the kind.
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

  /// The text with every byte escaped that is not unreserved, as in a form.
  static func escapingAll(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isUnreserved(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escape(byte)
      }
    }
  }

  /// The text with the escapes undone; nil if it is not UTF-8 then.
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

  /// The path in one spelling: unreserved bytes and `/` bare, all others as upper-case escapes.
  ///
  /// A slash that was escaped stays so, because it separates nothing.
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

  /// Whether a text is the path of a direct member of a folder, spelled in the one way in which equal
  /// paths are equal texts; one that is not may be spelled otherwise.
  static func isPlainMember(_ text: String, of folder: String) -> Bool {
    let (bytes, start) = (text.utf8, folder.utf8)
    let (name, first) = (bytes.dropFirst(start.count), bytes.starts(with: start))
    // Dots alone are no name, and an address that is too long is none.
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
