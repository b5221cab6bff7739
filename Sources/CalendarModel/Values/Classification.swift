// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The access classification of an item (RFC 5545 §3.8.1.3).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct Classification: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Public; the default.
  public static let everyone = Classification(rawValue: "PUBLIC")
  /// Private: visible to the owner only.
  public static let owner = Classification(rawValue: "PRIVATE")
  /// Confidential: visible to selected users only.
  public static let confidential = Classification(rawValue: "CONFIDENTIAL")
}
