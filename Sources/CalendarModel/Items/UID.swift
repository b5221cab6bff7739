// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The persistent, globally unique identifier of a calendar item (RFC 5545 §3.8.4.7).
///
/// All components of an item, such as a recurring event and its overrides, have the same UID. It is
/// compared byte by byte, never used as a path and never parsed.
public struct UID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The identifier as in the file, unescaped.
  public let rawValue: String

  /// Creates an identifier from a string.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a random identifier, a UUID of version 4 (RFC 7986 §5.3, RFC 9562 §5.4), from a source of
  /// random numbers.
  ///
  /// - Parameter generator: The source, which should be secure.
  /// - Returns: The identifier, in lower case.
  public static func random(using generator: inout some RandomNumberGenerator) -> UID {
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next() & ~(0b11 << 62) | 0b10 << 62
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text += "-" }
      text.append(digit)
    }
    return UID(text)
  }

  /// The identifier as in the file.
  public var description: String { rawValue }

  /// Whether two identifiers have the same bytes.
  ///
  /// Equality of strings would ignore differences in Unicode normalization, such as "é" as one or
  /// two code points.
  public static func == (left: UID, right: UID) -> Bool {
    let (first, second) = (left.rawValue.utf8, right.rawValue.utf8)
    let (bytes, others) = (first.span, second.span)
    guard bytes.count == others.count else { return false }
    for index in bytes.indices where bytes[index] != others[index] { return false }
    return true
  }

  /// Hashes the string; canonically equivalent identifiers have equal hashes but are unequal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }

  /// Orders identifiers by their UTF-8 bytes, so that listings are the same on every machine.
  public static func < (left: UID, right: UID) -> Bool {
    let (first, second) = (left.rawValue.utf8, right.rawValue.utf8)
    let (bytes, others) = (first.span, second.span)
    for index in 0..<min(bytes.count, others.count) where bytes[index] != others[index] {
      return bytes[index] < others[index]
    }
    return bytes.count < others.count
  }
}

extension UID {
  /// A UID for a component that has none or may not keep its own.
  ///
  /// Equal content results in the same UID, so that a repeated import finds the items of the first
  /// one.
  static func derived(from digest: SHA256.Digest) -> UID {
    UID("epact-" + digest.description.prefix(40))
  }
}

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

/// The kind of a calendar item: that of its components (RFC 5545 §3.6).
public enum ItemKind: String, Hashable, Sendable, CaseIterable, Comparable {
  /// A VEVENT (RFC 5545 §3.6.1).
  case event = "VEVENT"
  /// A VTODO (RFC 5545 §3.6.2); always called a reminder here.
  case reminder = "VTODO"
  /// A VJOURNAL (RFC 5545 §3.6.3).
  case journal = "VJOURNAL"
  /// A VFREEBUSY (RFC 5545 §3.6.4).
  case freeBusy = "VFREEBUSY"
  /// A VAVAILABILITY (RFC 7953 §3.1).
  case availability = "VAVAILABILITY"

  /// Returns the kind of a component, or nil for a VTIMEZONE or an unknown component.
  public init?(_ name: ComponentName) {
    self.init(rawValue: name.canonicalName)
  }

  /// Orders kinds as in the RFC.
  public static func < (left: ItemKind, right: ItemKind) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension UID: Codable {
  /// Reads an identifier from a text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the identifier as its text.
  public func encode(to encoder: any Encoder) throws { try encoder.write(rawValue) }
}
