// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259 §3) with its position.
package struct JSONNode: Sendable {
  /// The kind and content of a value.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The source text of a number, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members, in source order.
    case object([Member])
  }

  /// A member of an object (RFC 8259 §4).
  package struct Member: Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: JSONNode
  }

  /// The content.
  package let content: Content
  /// The position of the first byte.
  package let position: SourcePosition

  /// The text of a string, or nil for other values.
  package var text: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The elements of an array, or nil for other values.
  package var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The members of an object, or nil for other values.
  package var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The kind of the value for messages, such as `a string`.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
