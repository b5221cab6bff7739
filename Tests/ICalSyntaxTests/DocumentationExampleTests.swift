// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The examples in the articles are those that are compiled and run.
@Suite("Articles of the documentation")
struct DocumentationExampleTests {
  private static let catalogue = Fixture.root.deletingLastPathComponent()
    .appending(path: "Sources/ICalSyntax/ICalSyntax.docc")

  /// Lines without what is around them: an example in a function is indented.
  private static func normalized(_ lines: [Substring]) -> String {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The blocks of code in an article.
  private static func blocks(in text: String) -> [String] {
    var blocks: [String] = []
    var open: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = open, line == "```" {
        blocks.append(normalized(lines))
        open = nil
      } else if line == "```swift" {
        open = []
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  /// The marked code, by the article that it is for.
  private static func examples(in text: String) -> [String: [String]] {
    var examples: [String: [String]] = [:]
    var open: (article: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let mark = line.trimmingCharacters(in: .whitespaces)
      if let (article, lines) = open, mark == "// end" {
        examples[article, default: []].append(normalized(lines))
        open = nil
      } else if mark.hasPrefix("// example: ") {
        open = (String(mark.dropFirst("// example: ".count)), [])
      } else {
        open?.lines.append(line)
      }
    }
    return examples
  }

  @Test("Each example of an article is compiled and run, and the other way round")
  func examples() throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "DocumentationExamples.swift")
    var examples = Self.examples(in: try String(contentsOf: source, encoding: .utf8))
    #expect(examples.values.map(\.count).reduce(0, +) > 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
    for name in names.sorted() where name.hasSuffix(".md") {
      let url = Self.catalogue.appending(path: name)
      let blocks = Self.blocks(in: try String(contentsOf: url, encoding: .utf8))
      let article = String(name.dropLast(".md".count))
      #expect(blocks == examples.removeValue(forKey: article) ?? [], "\(name)")
    }
    #expect(examples.isEmpty)
  }

  @Test("The landing page leads to every article")
  func links() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
      .filter { $0.hasSuffix(".md") && $0 != "ICalSyntax.md" }
    let landing = try String(
      contentsOf: Self.catalogue.appending(path: "ICalSyntax.md"), encoding: .utf8)
    for name in names {
      #expect(landing.contains("- <doc:\(name.dropLast(".md".count))>"), "\(name)")
    }
  }
}
