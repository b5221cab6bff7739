// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import Testing

/// The tables of the article "Bulk files" are made from the columns; EPACT_RECORD=1 writes them.
struct BulkArticleTests {
  private static let url = DocumentationCompiler.root.appending(
    path: "Sources/Epact/Epact.docc/BulkFiles.md")

  private static func table(of columns: [RowColumn]) -> [String] {
    ["| member | type | meaning | source |", "|---|---|---|---|"]
      + columns.map { column in
        let name = column.isStandard ? "**`\(column.name)`**" : "`\(column.name)`"
        let type = column.type.rawValue + (column.isNullable ? " or null" : "")
        return "| \(name) | \(type) | \(column.meaning) | \(column.reference ?? "") |"
      }
  }

  /// The article with a table after a heading, in place of the one that is there.
  private static func text(_ text: String, with table: [String], after heading: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let place = lines.firstIndex(of: heading) else { return text }
    let rest = lines[(place + 1)...].drop { $0.isEmpty || $0.hasPrefix("|") }
    lines.replaceSubrange((place + 1)..<rest.startIndex, with: [""] + table + [""])
    return lines.joined(separator: "\n")
  }

  @Test func theTablesAreTheColumns() throws {
    let recorded = try String(contentsOf: Self.url, encoding: .utf8)
    var text = recorded
    for (heading, columns) in [
      ("## Columns of convert", ComponentRow.schema.columns),
      ("## Columns of occurrences", OccurrenceRow.schema.columns),
    ] {
      #expect(recorded.contains("\n\(heading)\n"))
      text = Self.text(text, with: Self.table(of: columns), after: heading)
    }
    if ProcessInfo.processInfo.environment["EPACT_RECORD"] == "1", text != recorded {
      try text.write(to: Self.url, atomically: true, encoding: .utf8)
      Issue.record("recorded \(Self.url.lastPathComponent)")
      return
    }
    #expect(text == recorded)
  }
}
