// SPDX-License-Identifier: Apache-2.0

/// The reason why an edit of an item is impossible.
public struct EditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noOccurrence, noSeries, otherKind, unsupported
    }

    private let value: Value

    /// The series has no occurrence at the requested time.
    public static let noOccurrence = Code(value: .noOccurrence)
    /// The item has no main component, or its start is unreadable.
    public static let noSeries = Code(value: .noSeries)
    /// The kind of the item differs from the type of the content.
    public static let otherKind = Code(value: .otherKind)
    /// The recurrence of the series cannot be split or is not supported.
    public static let unsupported = Code(value: .unsupported)
  }

  /// The kind of the error.
  public let code: Code
  /// The description of the problem, for display.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The description of the problem, for display.
  public var description: String { message }
}
