// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Articles about the commands")
struct CommandReferenceTests {
  private static let root = Sandbox.fixtures.deletingLastPathComponent()

  private static func article(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("The reference is the help of the program; EPACT_RECORD=1 writes it")
  func reference() throws {
    let url = Self.root.appending(path: CommandReference.path)
    let reference = try CommandReference(try Sandbox())
    let recorded = try? String(contentsOf: url, encoding: .utf8)
    if ProcessInfo.processInfo.environment["EPACT_RECORD"] == "1", reference.text != recorded {
      try reference.text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("recorded \(CommandReference.path)")
      return
    }
    #expect(reference.text == recorded, "\(CommandReference.path); EPACT_RECORD=1 writes it")
  }

  /// The sections of an article, by heading.
  private static func sections(of article: String) -> [String: String] {
    var sections: [String: String] = [:]
    for section in article.split(separator: "\n## ").dropFirst() {
      let heading = section.prefix { $0 != "\n" }
      sections[String(heading)] = String(section)
    }
    return sections
  }

  @Test("Every command with --json has a section about its output")
  func commands() throws {
    let sections = Self.sections(of: try Self.article("Sources/Epact/Epact.docc/JSONOutput.md"))
    let commands = try CommandReference(try Sandbox()).jsonCommands
    #expect(commands.count > 10)
    #expect(Set(commands).subtracting(sections.keys) == [])
  }

  @Test("Every member in an example of the JSON output is explained")
  func members() throws {
    let article = try Self.article("Sources/Epact/Epact.docc/JSONOutput.md")
    let sections = Self.sections(of: article)
    // Sections that refer to the members of another one.
    let references = [
      "agenda": ["occurrences"], "alarms list": ["occurrences"], "import": ["check"],
      "undo": ["sync", "history"], "access": ["Overview"], "search": ["agenda", "occurrences"],
    ]
    for (heading, section) in sections {
      let others = (references[heading] ?? []).compactMap { sections[$0] }
      let explained = ([section] + others).joined()
      for line in section.split(separator: "\n") where line.contains("\":") {
        // The contents of strings may look like members.
        for member in line.matches(of: /(?:[{,] *|^ *)"([A-Za-z]+)":/) {
          #expect(explained.contains("`\(member.1)`"), "\(heading): \(member.1)")
        }
      }
    }
  }
}
