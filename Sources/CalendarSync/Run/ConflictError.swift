// SPDX-License-Identifier: Apache-2.0

/// The reason why a conflict cannot be resolved.
public struct ConflictError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case gone, unplaced, unreadable, otherItem, notWritten
    }

    private let value: Value

    /// The item is no longer in the local calendar.
    public static let gone = Code(value: .gone)
    /// The place of the item on the remote is unknown.
    public static let unplaced = Code(value: .unplaced)
    /// A version is missing or cannot be read.
    public static let unreadable = Code(value: .unreadable)
    /// The edited item has another UID.
    public static let otherItem = Code(value: .otherItem)
    /// The local calendar rejected the change.
    public static let notWritten = Code(value: .notWritten)
  }

  /// The kind of the error.
  public let code: Code
  /// The problem, for display.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The problem.
  public var description: String { message }
}
