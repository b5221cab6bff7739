// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The code of the articles, type-checked as a reader copies it: at the top level of a program.
///
/// The rules for a function differ: variables at the top level belong to the main actor. The blocks
/// of an article are one program, until one of them declares a name again.
@Suite("Snippets of articles")
struct SnippetTests {
  struct Document: CustomTestStringConvertible, Sendable {
    let path: String
    let programs: [String]
    var testDescription: String { path }
  }

  static func documents() throws -> [Document] {
    try SnippetScope.files(".md").compactMap { path, text in
      // ProgramArticleTests compiles and runs these.
      guard !path.hasSuffix("/Programs.md"), !path.contains("/Decisions/") else { return nil }
      let programs = programs(
        of: CatalogueExamples.blocks(in: text), for: SnippetScope.library(of: path))
      return programs.isEmpty ? nil : Document(path: path, programs: programs)
    }
  }

  private static func programs(of blocks: [String], for library: String) -> [String] {
    var programs: [[String]] = []
    var known: Set<Substring> = []
    for block in blocks {
      let names = Set(block.matches(of: SnippetScope.declaration).map(\.1))
      let isComplete = block.hasPrefix("import ")
      if isComplete || programs.isEmpty || !known.isDisjoint(with: names) {
        programs.append([])
        known = []
      }
      programs[programs.count - 1].append(block)
      known.formUnion(names)
      // A block after a complete program begins another one.
      if isComplete { (programs, known) = (programs + [[]], []) }
    }
    return programs.filter { !$0.isEmpty }.map { program($0.joined(separator: "\n"), library) }
  }

  /// The code with the import of its library and with its inputs.
  private static func program(_ code: String, _ library: String) -> String {
    guard !code.hasPrefix("import ") else { return code }
    return
      (SnippetScope.head(for: library) + SnippetScope.inputs(of: code, in: library) + [code])
      .joined(separator: "\n")
  }

  @Test("Every snippet is valid at the top level of a program", arguments: try documents())
  func snippets(_ document: Document) throws {
    let compiler = try DocumentationCompiler(in: try TemporaryFolder())
    for program in document.programs {
      let errors = try compiler.typeCheck(program)
      #expect(errors == [], "\(program)")
    }
  }

  @Test("A snippet that is valid in a function only is rejected")
  func rejected() throws {
    let compiler = try DocumentationCompiler(in: try TemporaryFolder())
    let code = """
      var count = 0
      func add() { count += 1 }
      """
    #expect(try compiler.typeCheck("func f() {\n\(code)\nadd()\n}") == [])
    #expect(try compiler.typeCheck(code).first?.contains("main actor-isolated") == true)
  }
}
