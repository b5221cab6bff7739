// SPDX-License-Identifier: Apache-2.0

import Epact

extension ConfigurationReader {
  mutating func checkKeys(of table: Table, known: [String]) {
    for key in table.members.keys.sorted() where !known.contains(key) {
      let near = Suggestion.nearest(to: key, among: known)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? " in \(table.title)"
      complain(table.path + [key], "unknown key \"\(key)\"\(hint)")
    }
  }

  mutating func checkReference(
    _ name: String?, key: String, in table: Table, names: [String]
  ) {
    guard let name, !names.contains(name) else { return }
    let near = Suggestion.nearest(to: name, among: names)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
    complain(table.path + [key], "there is no [\(key).\(name)]\(hint)")
  }

  mutating func requiredString(_ key: String, in table: Table) -> String? {
    guard table.members[key] != nil else {
      complain(table.path, "\(table.title) has no \"\(key)\"")
      return nil
    }
    return string(key, in: table)
  }

  mutating func string(_ key: String, in table: Table) -> String? {
    guard let node = table.members[key] else { return nil }
    guard case .string(let text) = node else {
      complain(table.path + [key], "expected \"\(key)\" to be a string, found \(node.typeName)")
      return nil
    }
    guard !text.isEmpty else {
      complain(table.path + [key], "\"\(key)\" is empty")
      return nil
    }
    return text
  }

  mutating func words(_ key: String, in table: Table) -> [String]? {
    guard let node = table.members[key] else { return nil }
    let wanted =
      "expected \"\(key)\" to be an array of strings, as [\"pass\", \"show\", \"dav/alice\"]"
    guard case .array(let elements) = node else {
      complain(table.path + [key], "\(wanted); found \(node.typeName)")
      return nil
    }
    var words: [String] = []
    for element in elements {
      guard case .string(let word) = element else {
        complain(table.path + [key], "\(wanted); found \(element.typeName) in it")
        return nil
      }
      words.append(word)
    }
    guard words.first?.isEmpty == false else {
      complain(table.path + [key], "\"\(key)\" names no program")
      return nil
    }
    return words
  }

  mutating func count(_ key: String, of what: String = "items", in table: Table) -> Int? {
    guard let node = table.members[key] else { return nil }
    guard case .integer(let number) = node, number >= 0 else {
      complain(table.path + [key], "expected \"\(key)\" to be a number of \(what), from 0")
      return nil
    }
    return number
  }

  mutating func complain(_ path: [String], _ message: String) {
    problems.append(ConfigurationError.Problem(line: lines.line(of: path), message))
  }
}
