// SPDX-License-Identifier: Apache-2.0

import Epact
import TOMLKit

/// A value of a TOML document.
indirect enum TOMLNode: Sendable, Hashable {
  case string(String)
  case integer(Int)
  case bool(Bool)
  case array([TOMLNode])
  case table([String: TOMLNode])
  /// A value of a type that no key has: a date, a time, or a floating-point number.
  case other(type: String)

  /// Parses a document.
  ///
  /// - Throws: `TOMLParseError` with the position of the first error.
  static func parse(_ text: String) throws -> [String: TOMLNode] {
    members(of: try TOMLTable(string: text))
  }

  /// The type in messages.
  var typeName: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .bool: "true or false"
    case .array: "an array"
    case .table: "a table"
    case .other(let type): "a \(type)"
    }
  }

  private static func members(of table: TOMLTable) -> [String: TOMLNode] {
    var result: [String: TOMLNode] = [:]
    for key in table.keys {
      result[key] = table[key].map(TOMLNode.init)
    }
    return result
  }

  private init(_ value: any TOMLValueConvertible) {
    if let text = value.string {
      self = .string(text)
    } else if let number = value.int {
      self = .integer(number)
    } else if let flag = value.bool {
      self = .bool(flag)
    } else if let array = value.array {
      self = .array(array.map(TOMLNode.init))
    } else if let table = value.table {
      self = .table(Self.members(of: table))
    } else {
      self = .other(type: value.type.description)
    }
  }
}
