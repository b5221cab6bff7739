// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a query.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value { case syntax, field, value, limit }

    private let value: Value

    /// The text has an unexpected word or sign, or ends too early.
    public static let syntax = Code(value: .syntax)
    /// A field is unknown, or does not support the operator.
    public static let field = Code(value: .field)
    /// The value does not fit the field.
    public static let value = Code(value: .value)
    /// The text exceeds the limit of its length or depth.
    public static let limit = Code(value: .limit)
  }

  /// The kind of the error.
  public let code: Code
  /// The column in UTF-8 bytes, from 1.
  public let column: Int
  /// The message in lower case, without a full stop.
  public let message: String

  init(_ code: Code, column: Int, _ message: String) {
    self.code = code
    self.column = column
    self.message = message
  }

  /// The message, preceded by the column.
  public var description: String { "column \(column): \(message)" }
}
