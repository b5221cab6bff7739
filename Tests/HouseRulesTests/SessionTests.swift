// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Sessions in documents")
struct SessionTests {
  @Test(
    "Every session is an excerpt of its transcript; EPACT_RECORD=1 updates it",
    arguments: SessionRules.transcripts.keys.sorted())
  func sessions(_ path: String) throws {
    let document = try #require(SourceTree.file(path))
    let names = try #require(SessionRules.transcripts[path])
    let transcripts = try names.map {
      try #require(SourceTree.file("Fixtures/cli/\($0).transcript"))
    }
    let rules = SessionRules(document, transcripts: transcripts)
    if ProcessInfo.processInfo.environment["EPACT_RECORD"] == "1", rules.updated != document.text {
      let url = SourceTree.root.appending(path: path)
      try Data(rules.updated.utf8).write(to: url)
      Issue.record("recorded \(path)")
      return
    }
    #expect(rules.violations == [])
  }

  @Test("Only the listed documents have sessions")
  func listed() {
    let documents = SourceTree.textFiles().filter {
      $0.path.hasSuffix(".md") && $0.lines.contains("```console")
    }
    #expect(Set(documents.map(\.path)) == Set(SessionRules.transcripts.keys))
  }

  private static let transcript = SourceFile(
    path: "t",
    text: """
      # Why.
      $ a
      one
      two
      three
      [stderr]
      error in $DIR
      [exit 1]
      $ b | head -1
      |
      four
      """)

  private static func rules(_ text: String) -> SessionRules {
    SessionRules(SourceFile(path: "d", text: text), transcripts: [transcript])
  }

  @Test(
    "An excerpt is accepted: streams in any order, omitted lines, streams, steps and filters",
    arguments: [
      "$ a\none\ntwo\nthree\nerror in /home/ada", "$ a\nerror in /home/ada\none\ntwo\nthree",
      "$ a\none\ntwo\nthree", "$ a\nerror in /home/ada", "$ a\n…", "$ a\none\n…\nthree",
      "$ a\n…\ntwo\n…", "$ b\n\nfour", "$ a\n…\n```\n\n```console\n$ b\n…\nfour",
    ])
  func accepted(_ session: String) {
    #expect(Self.rules("```console\n\(session)\n```\n").violations == [])
  }

  @Test(
    "Another output, order or command is reported",
    arguments: [
      "$ a\none", "$ a\none\n…\nfive", "$ a\none\n…\none\n…", "$ a\ntwo\n…", "$ c\none",
      "$ a\nOne\ntwo\nthree", "$ b\n…\n$ a\n…",
    ])
  func reported(_ session: String) {
    #expect(Self.rules("```console\n\(session)\n```\n").violations.count == 1)
  }

  @Test("Other blocks of code are not sessions")
  func otherBlocks() {
    #expect(Self.rules("```sh\n$ c\n```\n$ c\n").violations == [])
  }

  @Test("An update replaces the outputs that changed, and keeps the form of the others")
  func update() {
    let text = "```console\n$ a\none\n2\nthree\n$ b\nfour\n```\nText.\n"
    #expect(
      Self.rules(text).updated
        == "```console\n$ a\none\ntwo\nthree\n$ b\n\nfour\n```\nText.\n")
    let excerpt = "```console\n$ a\n…\n2\n…\n```\n"
    #expect(Self.rules(excerpt).updated == excerpt)
  }
}
