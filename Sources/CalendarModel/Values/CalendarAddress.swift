// SPDX-License-Identifier: Apache-2.0

/// The address of a calendar user: a URI, usually a `mailto:` (RFC 5545 §3.3.3).
///
/// Addresses are compared in lower case, because programs differ in the case of the same address.
public struct CalendarAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URI as in the file.
  public let rawValue: String

  /// Creates an address from its URI.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The URI in lower case, for comparison.
  public var canonicalValue: String { rawValue.lowercased() }

  /// The e-mail address of a `mailto:` URI, or nil for any other.
  public var email: String? {
    let scheme = "mailto:"
    guard canonicalValue.hasPrefix(scheme) else { return nil }
    return String(rawValue.dropFirst(scheme.count))
  }

  /// The URI as in the file.
  public var description: String { rawValue }

  /// Whether two addresses are equal without regard to case.
  public static func == (left: CalendarAddress, right: CalendarAddress) -> Bool {
    left.canonicalValue == right.canonicalValue
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalValue)
  }
}
