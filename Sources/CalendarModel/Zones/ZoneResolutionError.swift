// SPDX-License-Identifier: Apache-2.0

/// The reason why a TZID has no rules.
public struct ZoneResolutionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case unknown, badDefinition, unreadable
    }

    private let value: Value

    /// The name of the zone is unknown.
    public static let unknown = Code(value: .unknown)
    /// Only the calendar defines the zone, and the definition is invalid.
    public static let badDefinition = Code(value: .badDefinition)
    /// The file of the zone is unreadable.
    public static let unreadable = Code(value: .unreadable)
  }

  /// The kind of the error.
  public let code: Code
  /// The TZID.
  public let tzID: String
  /// The description of the problem, for display.
  public let message: String

  init(_ code: Code, tzID: String, message: String) {
    self.code = code
    self.tzID = tzID
    self.message = message
  }

  /// The TZID and the description of the problem.
  public var description: String { "time zone '\(tzID)': \(message)" }
}
