// SPDX-License-Identifier: Apache-2.0

import CalendarModel
package import Epact

/// Formats the differences between two versions: `-` marks the first one, `+` the second.
package enum DifferencePage {
  /// The lines of the properties of the calendars, then those of the items.
  package static func lines(of comparison: CalendarComparison) -> [ConsoleText] {
    let heading: [ConsoleText] =
      comparison.calendar.isEmpty ? [] : ["\("~", .yellow) the calendar"]
    return heading + lines(of: comparison.calendar) + comparison.items.flatMap(lines)
  }

  private static func lines(of difference: ItemDifference) -> [ConsoleText] {
    let item = difference.item
    let name: ConsoleText = "\(item.title) \("(\(item.uid))", .dim)"
    return switch difference.change {
    case .added: ["\("+", .green) \(name)"]
    case .removed: ["\("-", .red) \(name)"]
    case .changed: ["\("~", .yellow) \(name)"] + lines(of: difference.rows)
    }
  }

  /// The differences by property, grouped by component.
  package static func lines(of rows: [ItemComparison.Row]) -> [ConsoleText] {
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
}
