// SPDX-License-Identifier: Apache-2.0

/// The ASCII characters that the grammar of content lines uses (RFC 5545 §3.1).
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let comma: UInt8 = 0x2C
  static let hyphen: UInt8 = 0x2D
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let backslash: UInt8 = 0x5C
  static let caret: UInt8 = 0x5E
  static let delete: UInt8 = 0x7F
}

extension UInt8 {
  /// The byte, with an ASCII letter in upper case.
  var asciiUppercased: UInt8 { self >= 0x61 && self <= 0x7A ? self & 0xDF : self }

  /// Whether the byte is valid in a name: a letter, a digit or a hyphen (RFC 5545 §3.1).
  var isNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, ASCII.hyphen: true
    default: false
    }
  }

  /// Whether the byte starts the continuation of a folded line (RFC 5545 §3.1).
  var isFoldSpace: Bool { self == ASCII.space || self == ASCII.tab }
}

extension String {
  /// The text, with its ASCII letters in upper case.
  package var asciiUppercased: String {
    let bytes = utf8.span
    for index in bytes.indices where bytes[index] != bytes[index].asciiUppercased {
      return String(decoding: utf8.map(\.asciiUppercased), as: UTF8.self)
    }
    return self
  }

  /// Whether two texts are equal, ignoring the case of ASCII letters.
  package func isEqualIgnoringASCIICase(to other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiUppercased == $1.asciiUppercased }
  }
}
