// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Rules for the repository")
struct RepositoryTests {
  @Test("Nothing lies at the top that the design does not have there")
  func topLevel() {
    let paths = SourceTree.paths(under: "")
    #expect(paths.contains("Package.swift"))
    #expect(RepositoryRules.topLevelViolations(of: paths) == [])
  }

  @Test("A file at the top that does not belong there is found")
  func badTopLevel() {
    let paths = [
      "Package.swift", "Sources/A/A.swift", ".ci/run", "Makefile", "docs/a.md", "docs/b",
    ]
    #expect(
      RepositoryRules.topLevelViolations(of: paths).map(\.path) == ["Makefile", "docs"])
  }

  @Test("The README has both commands, word for word")
  func promises() throws {
    let readme = try #require(SourceTree.file("README.md"))
    #expect(RepositoryRules.promiseViolations(in: readme) == [])
  }

  @Test("A README that lost a command is found")
  func badPromises() {
    let readme = SourceFile(path: "README.md", text: "```sh\n.ci/setup && swift test\n```\n")
    #expect(RepositoryRules.promiseViolations(in: readme).count == 1)
    let inline = SourceFile(path: "README.md", text: "Run `.ci/setup && swift test`.")
    #expect(RepositoryRules.promiseViolations(in: inline).count == 2)
  }
}
