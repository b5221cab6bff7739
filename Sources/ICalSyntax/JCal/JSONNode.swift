// SPDX-License-Identifier: Apache-2.0

/// A value of JSON (RFC 8259 §3) and where it begins.
package struct JSONNode: Sendable {
  /// What a value is.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// A number as it is spelled: no digit is lost before somebody asks for it.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in the order of the text.
    case object([Member])
  }

  /// A member of an object (RFC 8259 §4).
  package struct Member: Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: JSONNode
  }

  /// What it is.
  package let content: Content
  /// Where it begins.
  package let position: SourcePosition

  /// The text of a string, or nil for anything else.
  package var text: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The elements of an array, or nil for anything else.
  package var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The members of an object, or nil for anything else.
  package var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// What it is, for messages: `a string`.
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
