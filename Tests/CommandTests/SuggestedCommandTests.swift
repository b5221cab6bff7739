// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Foundation
import Epact
import TestSupport
import Testing
import EpactCommands
import EpactConsole

/// The commands in messages are to be copied: the program has to take each of them.
struct SuggestedCommandTests {
  /// Names as a configuration, a file or a server may have them.
  private static let names = [
    "office", "my club", "it's", "-x", "--all", "--", "$HOME `id` \"q\"", "a\\b", "café 🗓",
    "a;b&c|d",
    "*", "~", "\u{202E}evil", "tab\tand\nline", "12", "#", "x=y", "!",
  ]

  private static func commands(naming name: String) -> [SuggestedCommand] {
    [
      .sync(name, allowDelete: 3), .conflicts(of: name), .conflict(UID(name)), .settle(UID(name)),
      .grant(.full, to: name), .grant(.none, to: name),
      .grant(.writeOnly, to: name, purpose: name, isConfirmed: true),
      .grant(.full, of: .reminders, toProgram: name, purpose: name), .check(name), .convert(name),
      .addTodo(name), .copy(UID(name)), .deleteSeries(UID(name)),
    ]
  }

  private static let plain: [SuggestedCommand] = [
    .sync, .setPagePassword, .scheduleInstall, .scheduleInstallCron, .scheduleRemove, .history,
    .history(RunID(7)),
    .conflicts(), .initialize, .initializeWithCertificates, .doctor,
  ]

  /// What a shell makes of command lines.
  private func words(of lines: [String]) throws -> [[String]] {
    let script = lines.map { "printf '%s\\0' \($0); printf '\\0'\n" }.joined()
    let words = try TestProgram(["/bin/bash", "-c", script]).outputBytes()
      .split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return words.split(separator: "").map(Array.init)
  }

  @Test func everyCommandIsTakenWhateverItNames() throws {
    for configuration in [nil, "/home/ada/my files/config.toml", "-c.toml"] {
      let named = Self.names.flatMap { name in Self.commands(naming: name).map { (name, $0) } }
      let all = named + Self.plain.map { ("", $0) }
      let repeated = configuration.map { [SuggestedCommand.Option("--config", $0)] } ?? []
      let lines = all.map { $0.1.line(repeating: repeated) }
      let words = try words(of: lines)
      try #require(words.count == lines.count)
      for ((name, line), words) in zip(zip(all.map(\.0), lines), words) {
        #expect(words.first == "epact")
        #expect(throws: Never.self, "\(line)") { try Usage.parse(Array(words.dropFirst())) }
        let isNamed = words.contains { $0 == name || $0.hasSuffix("=\(name)") }
        #expect(name.isEmpty || isNamed, "\(line)")
        #expect(
          configuration == nil
            || words.contains { $0 == configuration || $0 == "--config=\(configuration ?? "")" })
        #expect(!line.unicodeScalars.contains(where: SafeText.isUnsafe))
      }
    }
  }

  @Test func theOutputOfTheProgramSuggestsOnlyWhatItTakes() throws {
    let folder = Sandbox.fixtures.appending(path: "cli")
    var lines: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for step in Transcript(parsing: text).steps {
        for line in (step.output + step.errors).split(separator: "\n")
        where !line.lowercased().contains("usage: ") {
          for match in line.matches(of: /(?:: |; |or )(epact [a-z]+(?: (?!\()[^;(]*)?)/) {
            lines.insert(String(match.output.1).trimmingCharacters(in: .whitespaces))
          }
        }
      }
    }
    #expect(lines.count > 5)
    let known = Set(["import", "export", "EPACT_"])
    let all = lines.sorted().filter { line in !known.contains { line.hasPrefix("epact \($0)") } }
    let words = try words(of: all)
    try #require(words.count == all.count)
    for (line, words) in zip(all, words) {
      #expect(throws: Never.self, "\(line)") { try Usage.parse(Array(words.dropFirst())) }
    }
  }

  @Test func noMessageSpellsACommandItself() throws {
    let sources = Sandbox.fixtures.deletingLastPathComponent().appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    for path in try #require(paths) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n")
      where line.contains("epact ") && !line.contains(/^ *\/\//) {
        #expect(!line.contains(/".*(: |; |or |run |with )epact [a-z]/), "\(path): \(line)")
        // The libraries do not know the program's commands.
        let isProgram = path.hasPrefix("EpactCommands/")
        #expect(isProgram || !line.contains(/".*`epact [a-z]/), "\(path): \(line)")
      }
    }
  }

  @Test(
    "Words of other programs lead to commands that exist", arguments: Usage.usualWords.keys.sorted()
  )
  func usualWords(_ word: String) throws {
    let command = try #require(Usage.usualWords[word])
    let failure = try #require(throws: Failure.self) { try Usage.parse([word]) }
    #expect("\(failure)".contains("\"\(word)\"; did you mean \"\(command)\"?"))
    #expect(throws: Never.self) {
      try Usage.parse(command.split(separator: " ").map(String.init) + ["--help"])
    }
  }
}
