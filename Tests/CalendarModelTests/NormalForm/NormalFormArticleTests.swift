// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import ICalSyntax
import TestSupport
import Testing

@Suite struct NormalFormArticleTests {
  /// The rows of the tables of the article, each as its cells.
  static func rows() throws -> [[String]] {
    let file = Fixture.root.deletingLastPathComponent().appending(
      path: "Sources/CalendarModel/CalendarModel.docc/TheNormalForm.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  @Test("The article tells what the form leaves out, and nothing else")
  func article() throws {
    let rows = try Self.rows()
    let ignored = rows.filter { $0.count == 2 }.map { $0[0] }
      .drop { $0 != "property" }.dropFirst().prefix { $0 != "may differ" }
    #expect(Array(ignored) == PropertyTraits.ignored.map(\.canonicalName))
    let standards = rows.filter { $0.count == 3 }.dropFirst().map { "\($0[0])=\($0[1])" }
    #expect(
      standards
        == PropertyTraits.standards.map { "\($0.0.canonicalName)=\($0.1)" }
        + CanonicalParameter.standards.map { ";\($0.0.canonicalName)=\($0.1)" })
  }
}
