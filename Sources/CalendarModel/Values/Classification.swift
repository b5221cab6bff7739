// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Who may see an item (RFC 5545 §3.8.1.3).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct Classification: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Everyone; so it is where nothing is said.
  public static let everyone = Classification(rawValue: "PUBLIC")
  /// Only the owner.
  public static let owner = Classification(rawValue: "PRIVATE")
  /// Only those who are told.
  public static let confidential = Classification(rawValue: "CONFIDENTIAL")
}
