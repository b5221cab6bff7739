// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The article "Commands", generated from the help of the built program.
struct CommandReference {
  /// The article, relative to the root of the package.
  static let path = "Sources/Epact/Epact.docc/CommandReference.md"

  /// The help of a command.
  private struct Help {
    /// The words after `epact`; empty for the program itself.
    let command: String
    private let sections: [(title: String, lines: [Substring])]

    /// Runs `epact help`.
    init(_ command: String, in sandbox: Sandbox) throws {
      self.command = command
      let text = try sandbox.run("epact help \(command)").output
      var sections: [(title: String, lines: [Substring])] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let title = line.prefixMatch(of: /([A-Z]{5,}):/)?.1 {
          let rest = line.dropFirst(title.count + 1).drop { $0 == " " }
          sections.append((String(title), rest.isEmpty ? [] : [rest]))
        } else if !sections.isEmpty {
          sections[sections.count - 1].lines.append(line)
        }
      }
      self.sections = sections
    }

    /// The lines of a section without blank lines at its ends.
    func section(_ title: String) -> [Substring] {
      let lines = sections.first { $0.title == title }?.lines ?? []
      let end = lines.lastIndex { !$0.isEmpty && !$0.contains("for detailed help.") }
      return Array(lines[..<(end.map { $0 + 1 } ?? 0)].drop { $0.isEmpty })
    }

    /// The summary of the command.
    var summary: String { section("OVERVIEW").prefix { !$0.isEmpty }.joined(separator: " ") }
    /// The description after the summary.
    var details: [Substring] {
      Array(section("OVERVIEW").drop { !$0.isEmpty }.drop { $0.isEmpty })
    }
    /// The entries of a section, each with its continuation lines.
    func entries(_ title: String) -> [[Substring]] {
      section(title).reduce(into: []) { entries, line in
        let isStart = line.hasPrefix("  ") && !line.hasPrefix("   ")
        if isStart || entries.isEmpty { entries.append([]) }
        entries[entries.count - 1].append(line)
      }
    }
    /// The long names of the options.
    var options: [String] {
      entries("OPTIONS").compactMap { $0[0].firstMatch(of: /--([a-z-]+)/)?.1 }.map(String.init)
        .filter { $0 != "help" }
    }
    /// The names of the subcommands.
    var subcommands: [String] {
      entries("SUBCOMMANDS").compactMap { $0[0].split(separator: " ").first.map(String.init) }
    }
  }

  /// The commands, with the long names of their options.
  private(set) var commands: [(name: String, options: [String])] = []
  /// The names of commands with JSON output.
  private(set) var jsonCommands: [String] = []
  /// The text of the article.
  private(set) var text: String

  /// Generates the article.
  init(_ sandbox: Sandbox) throws {
    let program = try Help("", in: sandbox)
    var helps = try program.subcommands.sorted().map { try Help($0, in: sandbox) }
    for help in helps {
      helps += try help.subcommands.map { try Help("\(help.command) \($0)", in: sandbox) }
    }
    helps.sort { $0.command < $1.command }
    // The options of all commands, such as `--quiet`, are listed once.
    let options = helps.filter(\.subcommands.isEmpty).map { $0.entries("OPTIONS") }
    let common = (options.first ?? []).filter { entry in options.allSatisfy { $0.contains(entry) } }
    commands = helps.map { ($0.command, $0.options) }
    jsonCommands = helps.filter { help in
      help.entries("OPTIONS").contains { $0[0].hasPrefix("  --json") }
    }.map(\.command)
    text = """
      # Commands

      All commands of `epact` with their arguments and options. A test generates this article from `epact help`.

      ## Exit statuses

      | status | meaning |
      |---|---|
      \(Self.statuses(program).joined(separator: "\n"))

      If several syncs end differently, the status is the first of these that occurs: 130, 64, 78, 77, 5, 2, 75, 1, 3, 4, 0.

      ## Options of every command

      \(Self.block(common.joined()))


      """
    for help in helps {
      let own = help.entries("OPTIONS").filter { !common.contains($0) }
      text += "## \(help.command)\n\n\(help.summary)\n\n"
      var lines = Self.usage(help.section("USAGE"), without: common)
      if !help.details.isEmpty { lines += [""] + help.details }
      for (title, entries) in [
        ("ARGUMENTS", help.entries("ARGUMENTS")), ("OPTIONS", own),
        ("SUBCOMMANDS", help.entries("SUBCOMMANDS")),
      ] where !entries.isEmpty {
        lines += ["", "\(title):"] + entries.joined()
      }
      text += Self.block(lines) + "\n\n"
    }
    text.removeLast()
  }

  /// The rows of the table of exit statuses.
  private static func statuses(_ program: Help) -> [String] {
    program.details.compactMap { line in
      line.wholeMatch(of: /\s+(\d+)  (\S.*)/).map { "| \($0.1) | \($0.2) |" }
    }
  }

  /// The usage without the options of every command.
  private static func usage(_ lines: [Substring], without common: [[Substring]]) -> [Substring] {
    var text = lines.joined(separator: " ")
    for entry in common {
      guard let name = entry[0].firstMatch(of: /--[a-z-]+/)?.0,
        let start = text.firstRange(of: " [\(name)"),
        let end = text[start.upperBound...].firstIndex(of: "]")
      else { continue }
      text.removeSubrange(start.lowerBound...end)
    }
    return [Substring(text)]
  }

  private static func block(_ lines: some Sequence<Substring>) -> String {
    (["```text"] + lines.map(String.init) + ["```"]).joined(separator: "\n")
  }
}
