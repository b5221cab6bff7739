// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// The tables of the article "How the merge decides" are those of the code.
@Suite("How the merge decides")
struct MergeArticleTests {
  /// The rows of the table under a heading, without its head, each as its cells.
  private static func rows(under heading: String) throws -> [[String]] {
    let url = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/CalendarSync/CalendarSync.docc/HowTheMergeDecides.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
    let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
    return lines.filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("The groups are those of the code, with the same properties")
  func groups() throws {
    let rows = try Self.rows(under: "What is taken whole")
    #expect(
      rows
        == MergeGroup.allCases.map { group in
          [group.rawValue, group.names.map(\.rawName).joined(separator: ", ")]
        })
  }

  @Test("The rules of bookkeeping are those of the code")
  func bookkeeping() throws {
    let words: [MergeBookkeeping: String] = [
      .latest: "the latest", .earliest: "the earliest", .greatest: "the greatest",
      .kept: "the local one",
    ]
    let rows = try Self.rows(under: "What never conflicts")
    #expect(
      rows == MergeBookkeeping.rules.map { [$0.name.rawName, words[$0.rule] ?? ""] })
  }

  @Test("The policies are those of the code")
  func policies() throws {
    let rows = try Self.rows(under: "Policies")
    #expect(rows.map { $0[0] } == MergePolicy.allCases.map { "`\($0.rawValue)`" })
  }
}
