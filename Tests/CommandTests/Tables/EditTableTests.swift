// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import TestSupport
import Testing

/// Edits make the items that the help text promises, or are refused; none is silently wrong.
struct EditTableTests {
  @Test("Edits hold or are refused") func edits() async throws {
    let table = try SpokenTable(named: "edits.tsv")
    #expect(table.rows.count >= 150)
    for row in table.rows {
      let scene = try CommandScene(locale: row.locale)
      let command = row.input[1]
      do {
        try await scene.run(row.input[0])
      } catch {
        Issue.record("\(row.id): \(row.input[0]): \(error)")
        continue
      }
      let before = try scene.items()
      do {
        try await scene.run(command)
      } catch {
        let isExpected = row.expected.contains(.refused)
        #expect(isExpected, "\(row.id): \(row.input[0]) | \(command): refused: \(error)")
        #expect(try scene.items() == before)
        continue
      }
      let result = SpokenResult(items: try scene.items())
      let differences = row.expected.map { expected -> String? in
        if case .item(let fields) = expected { result.difference(from: fields) } else { "done" }
      }
      #expect(differences.contains(nil), "\(row.id): \(row.input[0]) | \(command): \(differences)")
    }
  }
}
