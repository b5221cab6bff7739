// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The agent that sends scheduling messages (RFC 6638 §7.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ScheduleAgent: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The server; the default.
  public static let server = ScheduleAgent(rawValue: "SERVER")
  /// The user's calendar program.
  public static let client = ScheduleAgent(rawValue: "CLIENT")
  /// No messages are sent.
  public static let none = ScheduleAgent(rawValue: "NONE")
}
