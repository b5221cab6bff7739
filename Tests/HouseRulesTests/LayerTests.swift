// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Layers")
struct LayerTests {
  @Test("Every file imports only what lies below its target")
  func repository() {
    let files = SourceTree.files(
      under: "Sources", "Tests", "Benchmarks", extensions: ["swift"])
    #expect(files.count > 20)
    #expect(files.flatMap(LayerRules.violations) == [])
  }

  @Test("Every target folder has a row, and every row a folder")
  func rows() {
    let files = SourceTree.files(
      under: "Sources", "Tests", "Benchmarks", extensions: ["swift"])
    let folders = Set(files.map { $0.path.split(separator: "/").prefix(2).joined(separator: "/") })
    #expect(folders == Set(LayerRules.allowed.keys))
  }

  @Test(
    "The folders of a target do not need each other",
    arguments: [
      "CivilTime", "Recurrence", "ICUServices", "CalendarLanguage", "CalendarSync", "CalendarStore",
      "CalendarRemotes", "Epact", "EpactConsole", "EpactCommands",
    ])
  func folders(_ name: String) {
    let target = "Sources/" + name
    let files = SourceTree.files(under: target, extensions: ["swift"])
    #expect(files.count > 5)
    #expect(FolderRules(files, of: target).cycles == [])
  }

  @Test("Folders that need each other are found, also through a third one")
  func folderCycles() {
    func file(_ path: String, _ text: String) -> SourceFile {
      SourceFile(path: "Sources/A/" + path, text: text)
    }
    let files = [
      file("One/X.swift", "public struct X { var y: Y }"), file("Two/Y.swift", "struct Y {}"),
      file("Two/Z.swift", "extension Z {\n  func f() {}\n}"),
      file("Three/Z.swift", "enum Z {\n  // Y\n  case x\n}"), file("Top.swift", "let x: X"),
      file("Three/W.swift", "private struct X {}\nlet word = \"X\""),
    ]
    #expect(FolderRules(files, of: "Sources/A").cycles == [])
    let more = files + [file("Three/V.swift", "@frozen public struct V {\n  let x: X\n}")]
    #expect(
      FolderRules(more, of: "Sources/A").cycles == [
        "One -> Two: Sources/A/One/X.swift uses Y", "Three -> One: Sources/A/Three/V.swift uses X",
        "Two -> Three: Sources/A/Two/Z.swift uses Z",
      ])
  }

  struct Case: CustomTestStringConvertible {
    let path: String
    let text: String
    let expected: [String]
    var testDescription: String { text }

    init(_ path: String, _ text: String, _ expected: String...) {
      self.path = path
      self.text = text
      self.expected = expected
    }
  }

  @Test(
    "What is not allowed is found",
    arguments: [
      Case("Sources/ICalSyntax/A.swift", "import CivilTime"),
      Case(
        "Sources/ICalSyntax/A.swift", "import CalendarModel",
        "Sources/ICalSyntax/A.swift:1: Sources/ICalSyntax may not import CalendarModel"),
      Case(
        "Sources/CalendarSync/A.swift", "\npublic import Foundation",
        "Sources/CalendarSync/A.swift:2: Sources/CalendarSync may not import Foundation"),
      Case(
        "Sources/Recurrence/A.swift", "import FoundationEssentials",
        "Sources/Recurrence/A.swift:1: Sources/Recurrence may not import FoundationEssentials"),
      Case(
        "Sources/CalendarModel/A.swift", "@preconcurrency internal import struct CICU.Thing",
        "Sources/CalendarModel/A.swift:1: Sources/CalendarModel may not import CICU"),
      Case(
        "Sources/CalendarStore/A.swift", "import CalendarRemotes",
        "Sources/CalendarStore/A.swift:1: Sources/CalendarStore may not import CalendarRemotes"),
      Case(
        "Tests/CivilTimeTests/A.swift", "import CivilTime; import ICalSyntax"
      ),
      Case(
        "Tests/CivilTimeTests/A.swift", "import ICalSyntax",
        "Tests/CivilTimeTests/A.swift:1: Tests/CivilTimeTests may not import ICalSyntax"),
      Case("Sources/Recurrence/A.swift", "// import Foundation\nlet s = \"import Foundation\""),
      Case(
        "Sources/Surprise/A.swift", "",
        "Sources/Surprise/A.swift: Sources/Surprise has no row in the table of layers"),
    ])
  func samples(_ sample: Case) {
    let file = SourceFile(path: sample.path, text: sample.text)
    #expect(LayerRules.violations(in: file).map(\.description) == sample.expected)
  }
}
