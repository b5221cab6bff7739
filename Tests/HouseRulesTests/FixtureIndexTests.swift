// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Rules for fixtures")
struct FixtureIndexTests {
  @Test("Every fixture is in the index, and every row has its fixture")
  func index() throws {
    let index = try #require(SourceTree.file("Fixtures/README.md"))
    let paths = SourceTree.paths(under: "Fixtures")
    #expect(paths.count > 100)
    #expect(FixtureRules.indexViolations(paths: paths, index: index) == [])
  }

  @Test("Every folder of fixtures names the tests that read it")
  func readers() throws {
    let index = try #require(SourceTree.file("Fixtures/README.md"))
    let paths = SourceTree.paths(under: "Fixtures")
    #expect(FixtureRules.readerViolations(paths: paths, index: index, read: SourceTree.file) == [])
  }

  /// Faults that nothing is said about yet.
  ///
  /// Whoever makes a check find one takes it off this list.
  private static let silent: Set<String> = []

  @Test("Every invalid fixture has its golden, and every golden its fixture")
  func goldens() {
    let paths = SourceTree.paths(under: "Fixtures")
    #expect(FixtureRules.goldenViolations(paths: paths, exceptions: Self.silent) == [])
  }

  private static let index = SourceFile(
    path: "Fixtures/README.md",
    text: """
      # Fixtures

      ## valid/

      Read by `Tests/A.swift`.

      | file | what it proves |
      |---|---|
      | `a.ics` | a |
      | `gone.ics` | gone |
      | `a.ics` | again |

      ## cli/

      Read by nobody.

      ## later/
      """)

  @Test("What the index lacks, and what it has too much, is found")
  func badIndex() {
    let found = FixtureRules.indexViolations(
      paths: [
        "Fixtures/README.md", "Fixtures/valid/a.ics", "Fixtures/valid/a.ics.diagnostics",
        "Fixtures/valid/b.ics", "Fixtures/cli/x.transcript", "Fixtures/new/c.ics",
      ], index: Self.index)
    #expect(
      found.map(\.description) == [
        "Fixtures/README.md: has two rows for valid/a.ics",
        "Fixtures/new/c.ics: its folder has no section in the index",
        "Fixtures/valid/b.ics: is not in the index",
        "Fixtures/README.md: has a row for Fixtures/valid/gone.ics, which does not exist",
      ])
  }

  @Test("A folder that nobody reads is found, and so is a reader that reads something else")
  func badReaders() {
    func violations(_ reader: String?) -> [String] {
      let paths = ["Fixtures/valid/a.ics", "Fixtures/cli/x.transcript"]
      return FixtureRules.readerViolations(paths: paths, index: Self.index) { path in
        reader.map { SourceFile(path: path, text: $0) }
      }.map(\.description)
    }
    let nobody = "Fixtures/README.md: names nobody who reads cli/"
    #expect(violations("read(\"valid\")") == [nobody])
    #expect(
      violations("read(\"other\")") == [
        nobody, "Tests/A.swift: does not read valid/, though the index says so",
      ])
    #expect(
      violations(nil) == [
        nobody, "Fixtures/README.md: names Tests/A.swift, which does not exist, as a reader",
      ])
  }

  @Test("A fault without a golden is found, and a golden without a fault")
  func badGoldens() {
    let found = FixtureRules.goldenViolations(
      paths: [
        "Fixtures/invalid/a.ics", "Fixtures/invalid/a.ics.diagnostics", "Fixtures/invalid/b.ics",
        "Fixtures/invalid/c.ics", "Fixtures/invalid/c.ics.diagnostics", "Fixtures/invalid/d.ics",
        "Fixtures/valid/c.ics", "Fixtures/valid/gone.ics.diagnostics",
      ], exceptions: ["c", "d"])
    #expect(
      found.map(\.description) == [
        "Fixtures/invalid/b.ics: has no golden",
        "Fixtures/invalid/c.ics: has a golden: no exception any more",
        "Fixtures/valid/gone.ics.diagnostics: is the golden of nothing",
      ])
  }
}
