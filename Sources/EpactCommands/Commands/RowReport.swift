// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// The differences between two versions by property, as text and JSON.
struct RowReport {
  let rows: [ItemComparison.Row]

  /// The differences, grouped by component: `-` marks the first version, `+` the second.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = []
    var component = ""
    for row in rows {
      if row.component != component { lines.append("    \(row.component, .bold)") }
      component = row.component
      lines += row.versions[0].map { "      \("- \($0)", .red)" }
      lines += row.versions[1].map { "      \("+ \($0)", .green)" }
    }
    return lines
  }

  /// An object for each row.
  var json: JSONValue {
    .array(
      rows.map { row in
        [
          "component": .string(row.component), "name": .string(row.subject),
          "before": .array(row.versions[0].map { .string($0) }),
          "after": .array(row.versions[1].map { .string($0) }),
        ]
      })
  }
}
