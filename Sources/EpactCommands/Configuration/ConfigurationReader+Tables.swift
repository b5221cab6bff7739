// SPDX-License-Identifier: Apache-2.0

import Epact

extension ConfigurationReader {
  mutating func namedTables(_ key: String, in root: Table) -> [Table] {
    guard let node = root.members[key] else { return [] }
    guard case .table(let members) = node else {
      complain([key], "expected tables like [\(key).name], found \(node.typeName)")
      return []
    }
    return members.sorted { $0.key < $1.key }.compactMap { name, node in
      guard case .table(let members) = node else {
        complain([key, name], "expected a table [\(key).\(name)], found \(node.typeName)")
        return nil
      }
      if let reason = Self.problem(ofName: name) { complain([key, name], reason) }
      return Table(path: [key, name], members: members, title: "[\(key).\(name)]")
    }
  }

  mutating func arrayTables(_ key: String, in root: Table) -> [Table] {
    guard let node = root.members[key] else { return [] }
    guard case .array(let elements) = node else {
      complain([key], "expected [[\(key)]] tables, found \(node.typeName)")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      guard case .table(let members) = element else {
        complain([key], "expected [[\(key)]] tables, found \(element.typeName)")
        return nil
      }
      return Table(path: [key, String(index)], members: members, title: "[[\(key)]]")
    }
  }

  func names(of key: String, in document: [String: TOMLNode]) -> [String] {
    guard case .table(let members)? = document[key] else { return [] }
    return members.keys.sorted()
  }

  /// A name must not resemble a path, because commands accept both.
  static func problem(ofName name: String) -> String? {
    guard name.isEmpty || name.contains("/") || name.hasSuffix(".ics") || name == "-" else {
      return nil
    }
    return "\"\(name)\" cannot be a name: it is empty or looks like a path"
  }
}
