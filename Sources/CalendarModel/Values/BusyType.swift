// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The type of busy time (RFC 5545 §3.2.9).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct BusyType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Free.
  public static let free = BusyType(rawValue: "FREE")
  /// Busy because of an event; the default.
  public static let busy = BusyType(rawValue: "BUSY")
  /// Unavailable, for example out of office.
  public static let unavailable = BusyType(rawValue: "BUSY-UNAVAILABLE")
  /// Busy because of a tentative event.
  public static let tentative = BusyType(rawValue: "BUSY-TENTATIVE")
}
