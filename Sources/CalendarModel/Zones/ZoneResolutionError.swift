// SPDX-License-Identifier: Apache-2.0

/// Why there are no rules for a TZID.
public struct ZoneResolutionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case unknown, badDefinition, unreadable
    }

    private let value: Value

    /// No zone is known by the name.
    public static let unknown = Code(value: .unknown)
    /// Only the calendar defines the zone, and nothing can be made of its definition.
    public static let badDefinition = Code(value: .badDefinition)
    /// The file of the zone cannot be read.
    public static let unreadable = Code(value: .unreadable)
  }

  /// What kind of error it is.
  public let code: Code
  /// The TZID.
  public let tzID: String
  /// What is wrong, for people.
  public let message: String

  init(_ code: Code, tzID: String, message: String) {
    self.code = code
    self.tzID = tzID
    self.message = message
  }

  /// The TZID and what is wrong.
  public var description: String { "time zone '\(tzID)': \(message)" }
}
