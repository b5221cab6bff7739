// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

/// Parsing of the item filter of a sync.
extension ConfigurationReader {
  /// The number of days in each unit of a span; months and years have their maximum length.
  private static let units: [(letter: Character, days: Int)] = [
    ("d", 1), ("w", 7), ("m", 31), ("y", 366),
  ]
  /// The maximum number of a span, in any unit: calendars end with the year 9999.
  private static let longest = 9999

  /// The window and the components of a sync.
  mutating func filter(in table: Table) -> ItemFilter {
    var filter = ItemFilter()
    filter.kinds = kinds("components", in: table)
    guard let node = table.members["window"] else { return filter }
    let path = table.path + ["window"]
    guard case .table(let members) = node else {
      complain(
        path,
        #"expected "window" to be a table, as { past = "90d", future = "2y" }, found \#(node.typeName)"#
      )
      return filter
    }
    let window = Table(path: path, members: members, title: "window")
    checkKeys(of: window, known: ["past", "future"])
    filter.past = span("past", in: window)
    filter.future = span("future", in: window)
    return filter
  }

  /// A span in days, such as `"90d"`, `"12w"`, `"6m"` or `"2y"`.
  private mutating func span(_ key: String, in table: Table) -> Int? {
    guard let text = string(key, in: table) else { return nil }
    let unit = Self.units.first { $0.letter == text.last }
    guard let unit, let number = Int(text.dropLast()), (0...Self.longest).contains(number) else {
      complain(
        table.path + [key],
        #"expected "\#(key)" to be days, weeks, months or years, such as "90d", "12w", "6m" or "2y", found "\#(text)""#
      )
      return nil
    }
    return number * unit.days
  }

  /// A set of item kinds, given by component names.
  private mutating func kinds(_ key: String, in table: Table) -> Set<ItemKind>? {
    guard let node = table.members[key] else { return nil }
    let names = ItemKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    guard case .array(let elements) = node, !elements.isEmpty else {
      complain(
        table.path + [key], "expected \"\(key)\" to be an array of some of \(names)")
      return nil
    }
    var kinds: Set<ItemKind> = []
    for element in elements {
      guard case .string(let word) = element, let kind = ItemKind(rawValue: word.uppercased())
      else {
        let found = if case .string(let word) = element { "\"\(word)\"" } else { element.typeName }
        complain(table.path + [key], "expected one of \(names), found \(found)")
        return nil
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
