// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Articles of OpenEventKit")
struct ArticleTests {
  @Test("The example programs are those that are built and run", arguments: ["Agenda", "Booking"])
  func programs(_ name: String) throws {
    let root = Fixture.root.deletingLastPathComponent()
    let source = try String(
      contentsOf: root.appending(path: "Tests/Consumers/Front/Sources/\(name)/main.swift"),
      encoding: .utf8)
    let article = try String(
      contentsOf: root.appending(
        path: "Sources/OpenEventKit/OpenEventKit.docc/\(name)Program.md"), encoding: .utf8)
    let code = try #require(source.firstRange(of: "\n\n")).upperBound
    #expect(article.contains("```swift\n\(source[code...])```\n"))
  }

  @Test("The table of members lists each member once, with what differs")
  func members() throws {
    let text = try String(
      contentsOf: Fixture.root.appending(path: "eventkit/members.tsv"), encoding: .utf8)
    let article = try String(
      contentsOf: Fixture.root.deletingLastPathComponent().appending(
        path: "Sources/OpenEventKit/OpenEventKit.docc/APICoverage.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(rows.count > 300)
    #expect(rows.allSatisfy { $0.count == 3 })
    #expect(Set(rows.map { $0[0] + "." + $0[1] }).count == rows.count)
    for row in rows {
      let note = row[2].isEmpty ? "the same" : row[2]
      #expect(article.contains("| `\(row[1])` | \(note) |"), "\(row)")
    }
  }
}
