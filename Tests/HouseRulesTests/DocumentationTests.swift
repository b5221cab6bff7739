// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Rules for documentation")
struct DocumentationTests {
  @Test("Every public symbol is documented, cases and requirements too")
  func coverage() {
    let files = SourceTree.files(under: "Sources", extensions: ["swift"])
    let reports = files.map(DocumentationRules.report)
    #expect(reports.map(\.count).reduce(0, +) > 1_000)
    #expect(reports.flatMap(\.violations) == [])
  }

  struct Sample: CustomTestStringConvertible {
    let text: String
    let lines: [Int]
    var testDescription: String { text }

    init(_ text: String, _ lines: Int...) {
      self.text = text
      self.lines = lines
    }
  }

  @Test(
    "What is not documented is found",
    arguments: [
      Sample("public struct A {}", 1),
      Sample("/// A.\npublic struct A {\n  public let b: Int\n  let c: Int\n}", 3),
      Sample("/// A.\npublic enum A {\n  case b\n  /// C.\n  case c\n}", 3),
      Sample(
        "/// A.\npublic enum A {\n  /// B.\n  public var b: Int {\n    switch self {\n    case c: 1\n    }\n  }\n}"
      ),
      Sample("/// A.\npublic indirect enum A: B,\n  C\n{\n  case b\n}", 5),
      Sample(
        "/// A.\npublic protocol A {\n  func b()\n  /// C.\n  static var c: Int { get }\n  associatedtype D\n}",
        3, 6),
      Sample("/// A.\n@available(*, deprecated)\n@frozen\npublic struct A {}"),
      Sample("@frozen public struct A {}", 1),
      Sample("extension A {\n  public static func == (left: A, right: A) -> Bool { true }\n}", 2),
      Sample("// A.\n\npublic func a() {}", 3),
      Sample("/// A.\n\npublic func a() {}", 3),
      Sample("public import B\npublic import struct B.C\nlet text = \"public struct\""),
      Sample("enum A {\n  case b\n}\nprotocol C {\n  func d()\n}"),
      Sample("/// A.\npublic struct A {\n  private enum B {\n    case c\n  }\n}"),
      Sample("public extension A {\n  func b() {\n    let c = 1\n  }\n}", 2),
      Sample(
        "/// A.\npublic struct A {\n  /// B.\n  public internal(set) var b: Int\n  public private(set) var c: Int\n}",
        5),
    ])
  func samples(_ sample: Sample) {
    let file = SourceFile(path: "Sources/A/A.swift", text: sample.text)
    let report = DocumentationRules.report(on: file)
    #expect(report.violations.map { $0.line ?? 0 } == sample.lines)
  }
}
