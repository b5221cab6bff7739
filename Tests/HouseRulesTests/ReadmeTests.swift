// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Rules for the README")
struct ReadmeTests {
  @Test("The README has both commands, word for word")
  func promises() throws {
    let readme = try #require(SourceTree.file("README.md"))
    #expect(ReadmeRules.promiseViolations(in: readme) == [])
  }

  @Test("A README that lost a command is found")
  func badPromises() {
    let readme = SourceFile(path: "README.md", text: "```sh\n.ci/setup && swift test\n```\n")
    #expect(ReadmeRules.promiseViolations(in: readme).count == 1)
    let inline = SourceFile(path: "README.md", text: "Run `.ci/setup && swift test`.")
    #expect(ReadmeRules.promiseViolations(in: inline).count == 2)
  }

  @Test("The README's examples are what a transcript has, in its order")
  func examples() throws {
    let readme = try #require(SourceTree.file("README.md"))
    let transcript = try #require(SourceTree.file("Fixtures/cli/readme.transcript"))
    #expect(ReadmeRules.sessionViolations(in: readme, transcript: transcript) == [])
  }

  @Test("A line that the program does not print is found, and one in the wrong place")
  func badSessions() {
    let transcript = SourceFile(path: "t", text: "$ a\none\ntwo\n$ b\nthree\n")
    func lines(_ text: String) -> [Int?] {
      let readme = SourceFile(path: "README.md", text: text)
      return ReadmeRules.sessionViolations(in: readme, transcript: transcript).map(\.line)
    }
    #expect(lines("```console\n$ a\ntwo\n```\ntext\n```console\n$ b\n```\n") == [])
    #expect(lines("```console\n$ a\nfour\n```\n") == [3])
    #expect(lines("```console\n$ b\n$ a\n```\n") == [3])
    #expect(lines("```sh\nfour\n```\n") == [])
  }

  @Test("The table of exit statuses is that of the program's help")
  func statuses() throws {
    let readme = try #require(SourceTree.file("README.md"))
    let transcript = try #require(SourceTree.file("Fixtures/cli/readme.transcript"))
    let statuses = ReadmeRules.statuses(in: readme)
    #expect(statuses.count == 11)
    #expect(statuses == ReadmeRules.statuses(inHelp: transcript))
  }

  @Test("Rows of both tables are read alike")
  func rows() {
    let readme = SourceFile(path: "README.md", text: "| status | meaning |\n|---|---|\n| 4 | a b |")
    let help = SourceFile(path: "t", text: "$ epact --help\n    4  a b\n   64  c\n")
    #expect(ReadmeRules.statuses(in: readme) == ["4 a b"])
    #expect(ReadmeRules.statuses(inHelp: help) == ["4 a b", "64 c"])
  }
}
