// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

/// The differences between two versions of an item, as text and JSON.
struct ItemDifference {
  /// The kind of change.
  private enum Change: String {
    case added, removed, changed
  }

  private let item: CalendarItem
  private let change: Change
  private let rows: [ItemComparison.Row]

  /// Compares the versions; nil if they are equivalent.
  init?(before: CalendarItem?, after: CalendarItem?, normalForm: NormalForm) {
    let before = before?.normalized(by: normalForm)
    let after = after?.normalized(by: normalForm)
    guard before?.fingerprint != after?.fingerprint, let item = after ?? before else { return nil }
    self.item = item
    change = before == nil ? .added : after == nil ? .removed : .changed
    rows = change == .changed ? ItemComparison([before, after], normalForm: normalForm).rows : []
    if change == .changed, rows.isEmpty { return nil }
  }

  /// The item and its differences: `-` marks the first version, `+` the second.
  var lines: [ConsoleText] {
    let name: ConsoleText = "\(item.title) \("(\(item.uid))", .dim)"
    switch change {
    case .added: return ["\("+", .green) \(name)"]
    case .removed: return ["\("-", .red) \(name)"]
    case .changed: break
    }
    return ["\("~", .yellow) \(name)"] + RowReport(rows: rows).lines
  }

  /// The JSON representation.
  var json: JSONValue {
    [
      "uid": .string(item.uid.rawValue), "title": .string(item.title),
      "change": .string(change.rawValue),
      "properties": RowReport(rows: rows).json,
    ]
  }
}
