// SPDX-License-Identifier: Apache-2.0

/// The name under which an item is stored: a file name, and the last segment of an address.
///
/// It is derived from the UID alone, so that storing the same item again finds the place taken.
/// Two UIDs never share a name. A UID is foreign data, so nothing of it gets through that means
/// anything to a file system, a URL or a shell: `meeting@example.org` becomes
/// `meeting_40example.org.ics`.
///
/// The escape is `_` and not `%`, because servers differ in which percent-encodings they undo.
public struct ItemName: Hashable, Sendable, CustomStringConvertible {
  /// The longest escaped UID, in bytes; a longer one is replaced by its digest.
  ///
  /// It leaves room for the suffix and for a temporary name beside it in the 255 bytes of a name.
  private static let lengthLimit = 120

  /// The name, which ends in `.ics`.
  public let rawValue: String

  /// Creates the name of the item with this UID.
  public init(of uid: UID) {
    let bytes = Array(uid.rawValue.utf8)
    if let escaped = Self.escaped(bytes) {
      rawValue = escaped + ".ics"
    } else {
      // No escaped name begins so: an underscore is followed by two upper-case digits there.
      rawValue = "_sha256-" + SHA256.digest(of: bytes).description + ".ics"
    }
  }

  /// The name.
  public var description: String { rawValue }

  /// The UID with every byte escaped that is not safe, or nil if that is no name for people.
  private static func escaped(_ bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count <= lengthLimit else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(lengthLimit)
    for (index, byte) in bytes.enumerated() {
      guard byte >= 0x20, byte != 0x7F else { return nil }
      // A name that begins with a full stop is hidden, or is `..`; one with a hyphen is an option.
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

  /// The hexadecimal digit of a number below 16, in upper case.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10
  }
}
