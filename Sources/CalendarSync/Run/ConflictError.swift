// SPDX-License-Identifier: Apache-2.0

/// Why a conflict cannot be settled.
public struct ConflictError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case gone, unplaced, unreadable, otherItem, notWritten
    }

    private let value: Value

    /// The item is not in the local calendar any more.
    public static let gone = Code(value: .gone)
    /// It is not known where the item is on the remote.
    public static let unplaced = Code(value: .unplaced)
    /// A version is missing or cannot be read.
    public static let unreadable = Code(value: .unreadable)
    /// What was edited is another item.
    public static let otherItem = Code(value: .otherItem)
    /// The local calendar did not take it.
    public static let notWritten = Code(value: .notWritten)
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What is wrong.
  public var description: String { message }
}
