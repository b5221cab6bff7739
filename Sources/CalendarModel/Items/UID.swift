// SPDX-License-Identifier: Apache-2.0

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
