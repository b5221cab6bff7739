// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The action of an alarm (RFC 5545 §3.8.6.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct AlarmAction: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Plays a sound.
  public static let audio = AlarmAction(rawValue: "AUDIO")
  /// Displays a text.
  public static let display = AlarmAction(rawValue: "DISPLAY")
  /// Sends an e-mail.
  public static let email = AlarmAction(rawValue: "EMAIL")
}
