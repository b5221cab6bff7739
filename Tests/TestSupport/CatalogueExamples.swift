// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// The Swift code in the articles of a DocC catalogue, and the code of a test that repeats it.
///
/// The test has each example between two marks, so that it is compiled and run:
///
/// ```swift
/// // example: TheArticle
/// let item = try CalendarItem(event)
/// // end
/// ```
public struct CatalogueExamples: Sendable {
  private let catalogue: URL
  private let source: URL

  /// Reads the examples of a library.
  ///
  /// - Parameters:
  ///   - library: The library, such as `CalendarModel`.
  ///   - source: The path of the test file with the examples.
  public init(of library: String, in source: String) {
    catalogue = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/\(library)/\(library).docc")
    self.source = URL(filePath: source)
  }

  /// Expects that every example of an article is compiled, in its order, and the other way round.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var examples = Self.examples(in: try String(contentsOf: source, encoding: .utf8))
    #expect(!examples.isEmpty, sourceLocation: sourceLocation)
    for name in try articles() {
      let url = catalogue.appending(path: name)
      // Complete programs begin with an import.
      let blocks = Self.blocks(in: try String(contentsOf: url, encoding: .utf8))
        .filter { !$0.hasPrefix("import ") }
        .map { Self.normalized($0.split(separator: "\n")) }
      let article = String(name.dropLast(".md".count))
      #expect(
        blocks == examples.removeValue(forKey: article) ?? [], "\(name)",
        sourceLocation: sourceLocation)
    }
    #expect(examples.isEmpty, sourceLocation: sourceLocation)
  }

  /// Expects that the landing page leads to every article beside it.
  public func checkLinks(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let page = catalogue.deletingPathExtension().lastPathComponent + ".md"
    let landing = try String(contentsOf: catalogue.appending(path: page), encoding: .utf8)
    for name in try articles() where name != page {
      let link = "- <doc:\(name.dropLast(".md".count))>"
      #expect(landing.contains(link), "\(name)", sourceLocation: sourceLocation)
    }
  }

  private func articles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
      .filter { $0.hasSuffix(".md") }.sorted()
  }

  /// Lines without what is around them: an example in a function is indented.
  private static func normalized(_ lines: [Substring]) -> String {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The blocks of Swift code in a document, as they are printed.
  public static func blocks(in text: String) -> [String] {
    var blocks: [String] = []
    var open: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = open, line == "```" {
        blocks.append(lines.joined(separator: "\n"))
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
}
