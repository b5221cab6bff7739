// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A block of code in a documentation comment.
struct CommentSnippet: Sendable {
  /// The path of the source file from the root of the repository.
  let path: String
  /// The line of the file with the first line of the code.
  let line: Int
  let code: String
  /// Whether the documented declaration is public, or an extension.
  let isPublic: Bool

  /// The path and the line, for messages.
  var place: String { "\(path):\(line)" }
  var library: String { SnippetScope.library(of: path) }
  /// Whether the code is a program of its own.
  var isProgram: Bool { code.hasPrefix("import ") }

  /// The blocks of a source file, in order.
  static func all(in text: String, at path: String) -> [CommentSnippet] {
    guard text.contains("/// ```swift") else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop(while: \.isWhitespace) }
    return lines.indices.filter { lines[$0] == "/// ```swift" }.map { start in
      let code = lines[(start + 1)...].prefix { $0 != "/// ```" }.map { $0.dropFirst(4) }
      let declaration = lines[start...].drop { $0.hasPrefix("///") }
        .first { !$0.hasPrefix("@") || $0.contains(" public ") }
      return CommentSnippet(
        path: path, line: start + 2, code: code.joined(separator: "\n"),
        isPublic: declaration?.contains(/^(?:@\S+ )*(?:public|open|extension)\s/) ?? false)
    }
  }

  /// The code as a function of a program, with its inputs; errors name the line of the source file.
  ///
  /// Code without `await` is in a function that is not asynchronous. In an asynchronous one, a call
  /// means the asynchronous form of a function that has both.
  func function(_ name: String) -> String {
    let effects = code.contains(/\bawait\b/) ? "async throws" : "throws"
    return
      (["func \(name)() \(effects) {"] + SnippetScope.inputs(of: code, in: library)
      + ["#sourceLocation(file: \"\(path)\", line: \(line))", code, "#sourceLocation()", "}"])
      .joined(separator: "\n")
  }
}

/// The code of the documentation comments, type-checked as a reader copies it: into a function.
///
/// The snippets of a library are one program, which imports only that library. The snippets of
/// declarations that are not public are one more program, which sees everything in their libraries.
/// A block that begins with an import is a program of its own.
@Suite("Snippets of documentation comments")
struct CommentSnippetTests {
  struct Program: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: String
  }

  static func snippets() throws -> [CommentSnippet] {
    try SnippetScope.files(".swift").flatMap { CommentSnippet.all(in: $0.text, at: $0.path) }
  }

  static func programs() throws -> [Program] {
    let snippets = try snippets()
    let parts = snippets.filter { !$0.isProgram }
    let libraries = Dictionary(grouping: parts.filter(\.isPublic), by: \.library)
    var programs = libraries.keys.sorted().map { library in
      Program(
        testDescription: library,
        code: code(of: libraries[library] ?? [], SnippetScope.head(for: library)))
    }
    let others = parts.filter { !$0.isPublic }
    let imports = Set(others.map(\.library)).sorted().map { "@testable import \($0)" }
    programs.append(
      Program(
        testDescription: "declarations that are not public",
        code: code(of: others, imports + [SnippetScope.input])))
    return programs
      + snippets.filter(\.isProgram).map { Program(testDescription: $0.place, code: $0.code) }
  }

  /// The program with a function for each snippet.
  private static func code(of snippets: [CommentSnippet], _ head: [String]) -> String {
    let functions = snippets.enumerated().map { $1.function("snippet\($0 + 1)") }
    return (head + functions).joined(separator: "\n")
  }

  @Test("Every snippet is valid in a function with its inputs", arguments: try programs())
  func snippets(_ program: Program) throws {
    let compiler = try DocumentationCompiler(in: try TemporaryFolder())
    let errors = try compiler.typeCheck(program.code)
    #expect(errors == [], "\(program.code)")
  }

  @Test("Every block of Swift code in a comment is a snippet")
  func completeness() throws {
    let blocks = try SnippetScope.files(".swift").flatMap { path, text in
      text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .filter { $0.element.contains("```swift") }.map { "\(path):\($0.offset + 2)" }
    }
    #expect(blocks.count > 100)
    #expect(try Self.snippets().map(\.place) == blocks)
  }

  @Test("A snippet is found with its line, and with the access of what it documents")
  func finding() {
    let text = """
      /// A.
      ///
      /// ```swift
      /// let a = A()
      ///
      /// a.b()
      /// ```
      @available(*, deprecated)
      @MainActor public struct A {
        /// B.
        /// ```swift
        /// a.b()
        /// ```
        package func b() {}
      }
      """
    let snippets = CommentSnippet.all(in: text, at: "Sources/A/A.swift")
    #expect(snippets.map(\.line) == [4, 12])
    #expect(snippets.map(\.code) == ["let a = A()\n\na.b()", "a.b()"])
    #expect(snippets.map(\.isPublic) == [true, false])
    #expect(snippets.map(\.library) == ["A", "A"])
  }

  @Test("A snippet with an unknown member is rejected, with the line of its comment")
  func rejected() throws {
    let compiler = try DocumentationCompiler(in: try TemporaryFolder())
    let errors = try ["days", "fortnights"].map { member in
      let snippet = CommentSnippet(
        path: "Sources/CivilTime/CivilDuration.swift", line: 7,
        code: "noon.adding(.\(member)(1))", isPublic: true)
      return try compiler.typeCheck(
        Self.code(of: [snippet], SnippetScope.head(for: "CivilTime")))
    }
    #expect(errors[0] == [])
    #expect(errors[1].first?.contains("CivilDuration.swift:7:") == true)
    #expect(errors[1].first?.contains("no member 'fortnights'") == true)
  }
}
