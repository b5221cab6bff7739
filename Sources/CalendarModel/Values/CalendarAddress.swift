// SPDX-License-Identifier: Apache-2.0

/// The address of a calendar user: a URI, nearly always a `mailto:` (RFC 5545 §3.3.3).
///
/// Addresses are compared in lower case, because programs disagree about the case in which they
/// write one and the same person.
public struct CalendarAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URI as it stands in the file.
  public let rawValue: String

  /// Creates an address from its URI.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The URI in lower case, by which addresses are compared.
  public var canonicalValue: String { rawValue.lowercased() }

  /// The e-mail address of a `mailto:` URI, or nil for any other.
  public var email: String? {
    let scheme = "mailto:"
    guard canonicalValue.hasPrefix(scheme) else { return nil }
    return String(rawValue.dropFirst(scheme.count))
  }

  /// The URI as it stands in the file.
  public var description: String { rawValue }

  /// Whether two addresses are the same but for the case of their letters.
  public static func == (left: CalendarAddress, right: CalendarAddress) -> Bool {
    left.canonicalValue == right.canonicalValue
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalValue)
  }
}
