// SPDX-License-Identifier: Apache-2.0

package import Epact

/// A table with aligned columns; the first column is bold.
package struct ColumnTable {
  private let rows: [[String]]

  /// Creates a table.
  ///
  /// - Parameter rows: The cells of each row; all rows have the same number of cells.
  package init(_ rows: [[String]]) {
    self.rows = rows.map { $0.map(SafeText.escaped) }
  }

  /// Creates the table of the calendars of a configuration.
  package init(_ list: CalendarList) {
    self.init(
      list.entries.map { entry in
        [
          entry.name, entry.title == entry.name ? "" : entry.title, entry.color ?? "",
          entry.items.map { "\(Count($0, "item"))" } ?? entry.absence,
          entry.kinds.joined(separator: ",") + (entry.isReadOnly ? ", read-only" : ""),
          entry.syncs.joined(separator: ", "), entry.path,
        ]
      })
  }

  /// The lines of the table.
  package var lines: [ConsoleText] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var rest = ""
      for (column, cell) in row.enumerated().dropFirst() where widths[column] > 0 {
        rest += "  " + cell + Self.padding(cell, widths[column])
      }
      while rest.last == " " { rest.removeLast() }
      return "\(row[0], .bold)\(rest.isEmpty ? "" : Self.padding(row[0], widths[0]))\(rest)"
    }
  }

  private static func padding(_ cell: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - DisplayWidth.of(cell)))
  }
}
