// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// What two versions of an item say differently, in lines for people and as an object for programs.
struct ItemDifference {
  /// What happened to the item.
  private enum Change: String {
    case added, removed, changed
  }

  private let item: CalendarItem
  private let change: Change
  private let rows: [ItemComparison.Row]

  /// Compares the versions; nil if they mean the same.
  init?(before: CalendarItem?, after: CalendarItem?, normalForm: NormalForm) {
    let before = before?.normalized(by: normalForm)
    let after = after?.normalized(by: normalForm)
    guard before?.fingerprint != after?.fingerprint, let item = after ?? before else { return nil }
    self.item = item
    change = before == nil ? .added : after == nil ? .removed : .changed
    rows = change == .changed ? ItemComparison([before, after], normalForm: normalForm).rows : []
    if change == .changed, rows.isEmpty { return nil }
  }

  /// The item, and under it what differs: `-` before what only the first has, `+` before the second.
  var lines: [ConsoleText] {
    let name: ConsoleText = "\(item.title) \("(\(item.uid))", .dim)"
    switch change {
    case .added: return ["\("+", .green) \(name)"]
    case .removed: return ["\("-", .red) \(name)"]
    case .changed: break
    }
    return ["\("~", .yellow) \(name)"] + RowReport(rows: rows).lines
  }

  /// The object for programs.
  var json: JSONValue {
    [
      "uid": .string(item.uid.rawValue), "title": .string(item.title),
      "change": .string(change.rawValue),
      "properties": RowReport(rows: rows).json,
    ]
  }
}
