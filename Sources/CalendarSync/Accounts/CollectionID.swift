// SPDX-License-Identifier: Apache-2.0

/// The name of a calendar within an account: the last segment of its address on the server, and the
/// name of its folder here.
///
/// Equal names belong together, so that no run has to remember which calendar it created for which.
/// A name that no folder can have is escaped as in an address: `a/b` is the folder `a%2Fb`.
package struct CollectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The maximum length of a folder's name, in bytes.
  private static let limit = 255

  /// The name, without escapes.
  package let rawValue: String

  /// Reads the last segment of an address; nil if no folder can have such a name.
  ///
  /// - Parameter segment: The segment as the server writes it.
  package init?(segment: some StringProtocol) {
    self.init(Self.decoded(segment) ?? String(segment))
  }

  /// Reads the name of a folder; nil for names that no calendar has, such as hidden ones.
  package init?(folder: String) {
    if let name = Self.decoded(folder), !Self.isPlain(name), Self.escaped(name) == folder {
      self.init(name)
    } else {
      guard !folder.hasPrefix("."), !folder.lowercased().hasSuffix(".ics") else { return nil }
      self.init(folder)
    }
  }

  private init?(_ name: String) {
    rawValue = name
    guard !name.isEmpty, folder.utf8.count <= Self.limit else { return nil }
  }

  /// The name of a new folder for the calendar.
  package var folder: String { Self.isPlain(rawValue) ? rawValue : Self.escaped(rawValue) }

  /// The last segment of the address of a new calendar.
  package var segment: String {
    let bytes = rawValue.utf8.flatMap { Self.isUnreserved($0) ? [$0] : Self.escape($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name, without escapes.
  package var description: String { rawValue }

  package static func < (left: CollectionID, right: CollectionID) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether a name is that of its folder, too.
  private static func isPlain(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.lowercased().hasSuffix(".ics")
      && !name.utf8.contains { $0 < 0x20 || [0x25, 0x2F, 0x7F].contains($0) }
  }

  private static func escaped(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let suffix = name.lowercased().hasSuffix(".ics") ? bytes.count - 4 : 0
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isDot = byte == 0x2E && (index == 0 || index == suffix)
      let isForbidden = byte < 0x20 || [0x25, 0x2F, 0x7F].contains(byte) || isDot
      result += isForbidden ? escape(byte) : [byte]
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// The text without its escapes; nil if that is not UTF-8.
  private static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == 0x25, digits.count == 2, digits.allSatisfy(isHexDigit),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }
}
