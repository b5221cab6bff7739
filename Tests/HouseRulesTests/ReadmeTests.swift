// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Rules for the README and other documents")
struct ReadmeTests {
  @Test("The README has both commands, word for word, and is short")
  func promises() throws {
    let readme = try #require(SourceTree.file("README.md"))
    #expect(ReadmeRules.promiseViolations(in: readme) == [])
    #expect(readme.lines.count <= ReadmeRules.lineLimit)
  }

  @Test("A README without a command is reported")
  func badPromises() {
    let readme = SourceFile(path: "README.md", text: "```sh\n.ci/setup && swift test\n```\n")
    #expect(ReadmeRules.promiseViolations(in: readme).count == 1)
    let inline = SourceFile(path: "README.md", text: "Run `.ci/setup && swift test`.")
    #expect(ReadmeRules.promiseViolations(in: inline).count == 2)
  }

  @Test("Every relative link of a document leads to a file")
  func links() {
    let documents = SourceTree.textFiles().filter { $0.path.hasSuffix(".md") }
    #expect(documents.count > 30)
    let violations = documents.flatMap { document in
      ReadmeRules.linkViolations(in: document) {
        FileManager.default.fileExists(atPath: SourceTree.root.appending(path: $0).path)
      }
    }
    #expect(violations == [])
  }

  @Test("A link to nothing is reported, with its line")
  func badLinks() {
    let text = """
      [a](a.md) [b](../b.md#part) [c](gone.md)
      [d](https://example.org) [e](#part) [f](../../gone) <doc:Gone>
      """
    let violations = ReadmeRules.linkViolations(
      in: SourceFile(path: "Sources/A/x.md", text: text),
      exists: ["Sources/A/a.md", "Sources/b.md"].contains)
    #expect(
      violations.map(\.description) == [
        "Sources/A/x.md:1: has a link to nothing: gone.md",
        "Sources/A/x.md:2: has a link to nothing: ../../gone",
      ])
  }
}
