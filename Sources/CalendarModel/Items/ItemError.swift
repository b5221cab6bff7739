// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The reason why bytes or components are not one calendar item.
public struct ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an item error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notCalendar, incomplete, noItem, noUID, severalItems, limit
    }

    private let value: Value

    /// The bytes are not an iCalendar object.
    public static let notCalendar = Code(value: .notCalendar)
    /// A component is truncated or its END does not match its BEGIN.
    public static let incomplete = Code(value: .incomplete)
    /// No component can be an item.
    public static let noItem = Code(value: .noItem)
    /// A component has no UID.
    public static let noUID = Code(value: .noUID)
    /// The components have more than one UID or kind.
    public static let severalItems = Code(value: .severalItems)
    /// A limit of the parser was exceeded.
    public static let limit = Code(value: .limit)
  }

  /// The kind of the error.
  public let code: Code
  /// The position in the file, if known.
  public let position: SourcePosition?
  /// The description of the problem, for display.
  public let message: String

  /// Creates an error.
  public init(code: Code, position: SourcePosition? = nil, message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  /// The description of the problem, preceded by the line and column if they are known.
  public var description: String {
    position.map { "\($0): \(message)" } ?? message
  }
}
