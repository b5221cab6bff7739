// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Why bytes or components are not one calendar item.
public struct ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an item error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notCalendar, incomplete, noItem, noUID, severalItems, limit
    }

    private let value: Value

    /// The bytes are not an iCalendar object.
    public static let notCalendar = Code(value: .notCalendar)
    /// A component is cut off or does not end as it began.
    public static let incomplete = Code(value: .incomplete)
    /// There is no component that can be an item.
    public static let noItem = Code(value: .noItem)
    /// A component has no UID.
    public static let noUID = Code(value: .noUID)
    /// There is more than one UID, or more than one kind of component.
    public static let severalItems = Code(value: .severalItems)
    /// A limit of the parser is reached.
    public static let limit = Code(value: .limit)
  }

  /// What kind of error it is.
  public let code: Code
  /// Where it is in the file, if it has a place.
  public let position: SourcePosition?
  /// What is wrong, for people.
  public let message: String

  /// Creates an error.
  public init(code: Code, position: SourcePosition? = nil, message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  /// What is wrong, after the line and column if they are known.
  public var description: String {
    position.map { "\($0): \(message)" } ?? message
  }
}
