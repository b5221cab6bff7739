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
}
