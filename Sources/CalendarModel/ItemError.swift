// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not one calendar item.
public struct ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an item error, for programs.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case notCalendar, incomplete, noItem, severalItems
    }

    private let value: Value

    /// The bytes are not an iCalendar object.
    public static let notCalendar = Code(value: .notCalendar)
    /// A component is cut off or does not end as it began.
    public static let incomplete = Code(value: .incomplete)
    /// There is no component that can be an item.
    public static let noItem = Code(value: .noItem)
    /// There is more than one UID, or more than one kind of component.
    public static let severalItems = Code(value: .severalItems)
  }

  /// What kind of error it is.
  public let code: Code
  /// What is wrong, for people.
  public let message: String

  /// Creates an error.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// What is wrong, for people.
  public var description: String { message }
}
