// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The code of the documentation, type-checked as a reader copies it: at the top level of a program.
///
/// The rules for a function differ: variables at the top level belong to the main actor. The blocks
/// of an article are one program, until one of them declares a name again.
@Suite("Snippets of the documentation")
struct SnippetTests {
  struct Document: CustomTestStringConvertible, Sendable {
    let path: String
    let programs: [String]
    var testDescription: String { path }
  }

  /// The declarations of values that articles use without declaring them, by name.
  private static let inputs = [
    "another": "let another: CalendarItem = input()",
    "berlin": "let berlin: ZoneRules = input()",
    "binding": "let binding: SyncBinding = input()",
    "bytes": "let bytes: [UInt8] = input()",
    "chunks": "let chunks: [[UInt8]] = input()",
    "component": "var component: Component = input()",
    "disk": "let disk: String = input()",
    "event": "let event: Component = input()",
    "events": "let events: [Component] = input()",
    "folder": "let folder: String = input()",
    "item": "let item: CalendarItem = input()",
    "ledgerPath": "let ledgerPath: String = input()",
    "machine": "let machine: Machine = input()",
    "makeUID": "let makeUID: @Sendable () -> UID = input()",
    "now": "let now: Instant = input()",
    "password": "let password: String = input()",
    "path": "let path: String = input()",
    "reader": "var reader = ComponentReader()",
    "resolver": "let resolver: ZoneResolver = input()",
    "start": "let start: EventTime = input()",
    "stream": "let stream: CalendarStream = input()",
    "write": "func write(_ bytes: [UInt8]) throws {}",
  ]

  static func documents() throws -> [Document] {
    let sources = DocumentationCompiler.root.appending(path: "Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
      .compactMap { path in
        // ProgramArticleTests compiles and runs these.
        guard !path.hasSuffix("/Programs.md"), !path.contains("/Decisions/"),
          [".md", ".swift"].contains(where: path.hasSuffix)
        else { return nil }
        let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        let library = String(path.prefix { $0 != "/" })
        let programs =
          path.hasSuffix(".md")
          ? programs(of: CatalogueExamples.blocks(in: text), for: library)
          : CatalogueExamples.blocks(in: comments(in: text)).filter { $0.hasPrefix("import ") }
        return programs.isEmpty ? nil : Document(path: path, programs: programs)
      }
  }

  /// The text of the documentation comments of a source file.
  private static func comments(in source: String) -> String {
    source.split(separator: "\n").map { line in
      let line = line.drop(while: \.isWhitespace)
      return String(line.hasPrefix("/// ") ? line.dropFirst(4) : "")
    }.joined(separator: "\n")
  }

  private static func programs(of blocks: [String], for library: String) -> [String] {
    var programs: [[String]] = []
    var known: Set<Substring> = []
    for block in blocks {
      let names = Set(block.matches(of: declaration).map(\.1))
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

  /// A declaration at the top level.
  private static var declaration: Regex<(Substring, Substring)> {
    /^(?:let|var|func|struct) (\w+)/.anchorsMatchLineEndings()
  }

  /// The code with the import of its library and with its inputs.
  private static func program(_ code: String, _ library: String) -> String {
    guard !code.hasPrefix("import ") else { return code }
    // Names at the top level, and those of patterns.
    let own = Set(
      code.matches(of: declaration).map { String($0.1) }
        + code.matches(of: /(?:\(|, )let (\w+)/).map { String($0.1) })
    let words = Set(code.matches(of: /(?:^|[^\w.])(\w+)(?![\w:])/).map { String($0.1) })
    let needed = inputs.keys.filter { words.contains($0) && !own.contains($0) }.sorted()
    let imports =
      ["import \(library)"] + (library == "EpactFoundation" ? ["import Foundation"] : [])
    return
      (imports + ["func input<Value>() -> Value { fatalError() }"]
      + needed.compactMap { inputs[$0] } + [code])
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
