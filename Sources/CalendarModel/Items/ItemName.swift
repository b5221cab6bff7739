// SPDX-License-Identifier: Apache-2.0

/// The storage name of an item: a file name and the last segment of a URL.
///
/// It is derived from the UID alone, so that storing the same item again finds the name in use. Two
/// UIDs never have the same name. A UID is foreign data. Therefore all characters with a special
/// meaning in a file system, a URL or a shell are escaped: `meeting@example.org` becomes
/// `meeting_40example.org.ics`.
///
/// The escape character is `_` instead of `%`, because servers decode percent-encodings
/// differently.
public struct ItemName: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length of an escaped UID, in bytes; a longer UID is replaced by its digest.
  ///
  /// A name is limited to 255 bytes. The rest is for the suffix and for temporary names.
  private static let lengthLimit = 120

  /// The name, which ends in `.ics`.
  public let rawValue: String

  /// Creates the name of the item with a UID.
  public init(of uid: UID) {
    let bytes = Array(uid.rawValue.utf8)
    if let escaped = Self.escaped(bytes) {
      rawValue = escaped + ".ics"
    } else {
      // Escaped names never start like this: they have two upper-case hexadecimal digits after `_`.
      rawValue = "_sha256-" + SHA256.digest(of: bytes).description + ".ics"
    }
  }

  /// The name.
  public var description: String { rawValue }

  /// Returns the UID with unsafe bytes escaped, or nil if a digest must replace it.
  private static func escaped(_ bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count <= lengthLimit else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(lengthLimit)
    for (index, byte) in bytes.enumerated() {
      guard byte >= 0x20, byte != 0x7F else { return nil }
      // A leading full stop hides the file or is part of `..`; a leading hyphen starts an option.
      let isSafe = isAlphanumeric(byte) || index > 0 && (byte == 0x2D || byte == 0x2E)
      if isSafe {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "_"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return result.count <= lengthLimit ? String(decoding: result, as: UTF8.self) : nil
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Returns the upper-case hexadecimal digit of a number below 16.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }
}
