// SPDX-License-Identifier: Apache-2.0

/// Why an item cannot be edited as wanted.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noOccurrence, noSeries, otherKind, unsupported
    }

    private let value: Value

    /// The series has no such occurrence.
    public static let noOccurrence = Code(value: .noOccurrence)
    /// There is no main component that the edit could be about, or one without a readable start.
    public static let noSeries = Code(value: .noSeries)
    /// The item is of another kind than the content.
    public static let otherKind = Code(value: .otherKind)
    /// The series recurs in a way that cannot be taken apart.
    public static let unsupported = Code(value: .unsupported)
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What is wrong, for people.
  public var description: String { message }
}
