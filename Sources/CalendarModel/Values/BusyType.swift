// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// How somebody is taken up (RFC 5545 §3.2.9).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct BusyType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Not at all.
  public static let free = BusyType(rawValue: "FREE")
  /// By something that takes place; so it is where nothing is said.
  public static let busy = BusyType(rawValue: "BUSY")
  /// By being away.
  public static let unavailable = BusyType(rawValue: "BUSY-UNAVAILABLE")
  /// By something that may take place.
  public static let tentative = BusyType(rawValue: "BUSY-TENTATIVE")
}
