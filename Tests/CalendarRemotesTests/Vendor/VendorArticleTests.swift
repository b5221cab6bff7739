// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Foundation
import Testing

@Suite("The tables of the articles on vendors")
struct VendorArticleTests {
  private static let articles: [(vendor: String, file: String, table: HoldingTable)] = [
    ("google", "GoogleCalendar", GoogleRemote.holding),
    ("graph", "MicrosoftCalendar", GraphRemote.holding),
  ]

  /// The lines of an article between a mark and the end of its part.
  private func part(_ name: String, of file: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: "Sources/Epact/Epact.docc/\(file).md")
    let lines = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: "<!-- \(name) -->"), "\(file) has \(name)")
    return Array(lines[(start + 1)...].prefix { $0 != "<!-- end -->" }).filter { !$0.isEmpty }
  }

  @Test("They say what the code holds and refuses")
  func tables() throws {
    for (vendor, file, table) in Self.articles {
      let rows = table.rows.map { "| \($0.property) | \($0.field) | \($0.limit ?? "") |" }
      let cells = try part("table: \(vendor)", of: file).dropFirst(2).map { line in
        line.replacing("`", with: "").replacing("  ", with: " ")
      }
      #expect(
        Array(cells) == rows.map { $0.replacing("`", with: "").replacing("  ", with: " ") },
        "\(file)")
      #expect(
        try part("refused: \(vendor)", of: file) == table.refused.map { "- \($0)" }, "\(file)")
    }
  }
}
