// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Who sends the messages of scheduling (RFC 6638 §7.1).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct ScheduleAgent: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The server; so it is where nothing is said.
  public static let server = ScheduleAgent(rawValue: "SERVER")
  /// The program of the person.
  public static let client = ScheduleAgent(rawValue: "CLIENT")
  /// Nobody.
  public static let none = ScheduleAgent(rawValue: "NONE")
}
