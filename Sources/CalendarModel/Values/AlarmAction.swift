// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What an alarm does (RFC 5545 §3.8.6.1).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct AlarmAction: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// It plays a sound.
  public static let audio = AlarmAction(rawValue: "AUDIO")
  /// It shows a text.
  public static let display = AlarmAction(rawValue: "DISPLAY")
  /// It sends an e-mail.
  public static let email = AlarmAction(rawValue: "EMAIL")
}
