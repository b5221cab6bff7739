// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import EpactCommands
import EpactConsole
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// A home folder with a calendar of events and one of reminders, on Thursday 2026-11-26 14:00 in Berlin.
///
/// Commands run in the process of the test, because the program has no option for the clock.
struct CommandScene {
  private static let now = Instant(secondsSinceEpoch: 1_795_698_000)
  private static let configuration = """
    [calendar.home]
    path = "~/home"
    components = ["VEVENT"]

    [calendar.tasks]
    path = "~/tasks"
    components = ["VTODO"]

    """

  let folder: TemporaryFolder
  private let machine: Machine

  /// Makes the scene for a locale such as `de_DE.UTF-8`.
  init(locale: String) throws {
    folder = try TemporaryFolder()
    for name in ["home", "tasks", ".config/epact"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: name), withIntermediateDirectories: true)
    }
    try folder.write(Array(Self.configuration.utf8), to: ".config/epact/config.toml")
    var machine = Machine.live()
    machine.environment = [
      "PATH": machine.environment["PATH"] ?? "", "LC_ALL": locale, "NO_COLOR": "1",
    ]
    (machine.homeFolder, machine.currentFolder) = (folder.path, folder.path)
    machine.localZone = "Europe/Berlin"
    machine.now = { Self.now }
    self.machine = machine
  }

  /// Runs a command line without the name of the program.
  ///
  /// - Throws: The reason why the command does nothing.
  func run(_ line: String) async throws {
    for command in line.components(separatedBy: " && ") {
      let words = Self.words(of: command).filter { $0 != "epact" }
      let parsed = try Usage.parse(words + ["--quiet"])
      let command = try #require(parsed as? any Command)
      let process = LiveDependencies.process()
      let context = Context(options: command.global, machine: machine, process: process)
      var running = command
      let status = try await running.run(in: context)
      running = command
      guard status == .done else { throw Refusal(status: status) }
    }
  }

  /// The exit status of a command that did nothing.
  struct Refusal: Error {
    let status: EpactConsole.ExitStatus
  }

  /// All items, by start.
  func items() throws -> [CalendarItem] {
    try ["home", "tasks"].flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: folder.path(of: name))
        .filter { $0.hasSuffix(".ics") }.sorted()
        .map { try CalendarItem(parsing: try folder.bytes(of: "\(name)/\($0)")) }
    }
    .sorted { ($0.main?[.dtStart]?.rawValue ?? "") < ($1.main?[.dtStart]?.rawValue ?? "") }
  }

  /// The words of a shell line with quotes.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var (word, isWord, quote) = ("", false, Character?.none)
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        (quote, isWord) = (character, true)
      } else if character == " " {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      } else {
        (word, isWord) = (word + String(character), true)
      }
    }
    return isWord ? words + [word] : words
  }
}
