// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import Synchronization
import TestSupport
import Testing

/// The questions of programs, in a dialog and on a terminal.
@Suite(.timeLimit(.minutes(60))) struct PromptTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func question(
    _ tier: AccessTier = .full, _ entity: ProgramEntity = .events, calendars: [String] = [],
    status: ProgramStatus = .notDetermined
  ) -> ProgramQuestion {
    ProgramQuestion(
      about: Program(identifier: "org.example.booker", name: "Boo<b>ker", purposes: [:]),
      tier: tier, entity: entity, purpose: "Adds\u{1B}[31m \\n $(id) & \"classes\"\n",
      calendars: calendars, status: status)
  }

  // MARK: Dialog

  /// A machine whose display has a tool that writes its arguments, one a line, and an answer.
  private func machine(_ tool: String?, printing answer: String = "", status: Int = 0) throws
    -> Machine
  {
    var machine = Machine.live()
    machine.environment = ["PATH": "relative:\(folder.path):/usr/bin:/bin", "DISPLAY": ":7"]
    machine.environment["DIR"] = folder.path
    if let tool {
      let lines = [
        "#!/bin/sh", "for word in \"$@\"; do printf '%s\\0' \"$word\" >> \"$DIR/arguments\"; done",
        "printf '\(answer)'", "exit \(status)",
      ]
      // Another process writes the tool: a file that a fork of this one has open cannot be run.
      let script = "printf '%s\\n' \"$@\" > \"$0\"; chmod 700 \"$0\""
      let writer = TestProgram(["/bin/sh", "-c", script, folder.path(of: tool)] + lines)
      #expect(try writer.run() == 0)
    }
    return machine
  }

  private func arguments() throws -> [String] {
    try folder.bytes(of: "arguments").split(separator: 0, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "The printed word is the answer, and an exit status is none",
    arguments: [
      ("yes\\n", 0, .granted()), ("yes|yes\\n", 0, .granted()), ("no\\n", 0, .denied),
      ("", 1, nil), ("", 0, nil), ("yes\\n", 1, nil), ("maybe\\n", 0, nil), ("", 255, nil),
    ] as [(String, Int, ProgramAnswer?)], ["zenity", "kdialog"])
  func dialog(answer: (String, Int, ProgramAnswer?), tool: String) throws {
    let prompt = SystemPrompt(
      machine: try machine(tool, printing: answer.0, status: answer.1), terminal: "/dev/null")
    #expect(prompt.canAsk)
    #expect(try prompt.ask(Self.question()) == answer.2)
  }

  @Test func zenityShowsAllAnswersWithEscapedTexts() throws {
    let prompt = DialogPrompt(machine: try machine("zenity", printing: "2\\n"))
    let question = Self.question(.writeOnly, calendars: ["home", "--help"])
    #expect(try prompt.ask(question) == .granted(calendar: "--help"))
    let purpose = "Adds&#92;u{1B}[31m &#92;n $(id) &amp; &quot;classes&quot;&#92;n"
    #expect(
      try arguments() == [
        "--list", "--title=Access to calendars",
        "--text=Boo&lt;b&gt;ker (org.example.booker) asks for access to your calendars.\n"
          + "It wants to add events, and read nothing.\nPurpose: \(purpose)",
        "--column=Word", "--column=Answer", "--hide-column=1", "--print-column=1", "--hide-header",
        "no", "Do not allow", "1", "Allow, and add to home", "2", "Allow, and add to --help",
      ])
  }

  @Test func kdialogShowsAllAnswersWithEscapedTexts() throws {
    let prompt = DialogPrompt(machine: try machine("kdialog", printing: "yes\\n"))
    #expect(try prompt.ask(Self.question(.full, .reminders, status: .writeOnly)) == .granted())
    let words = try arguments()
    #expect(words.first == "--title=Access to calendars" && words.dropFirst(1).first == "--menu")
    #expect(
      words[2].hasPrefix(
        "<qt>Boo&lt;b&gt;ker (org.example.booker) asks for access to your calendars.<br/>"
          + "It wants to read, change and delete all reminders in all calendars.<br/>"))
    #expect(Array(words[3...]) == ["no", "Do not allow", "yes", "Allow"])
  }

  @Test("Without a display or a tool, there is no dialog")
  func noDialog() throws {
    #expect(!DialogPrompt(machine: try machine(nil)).canAsk || hasRealTool)
    var headless = try machine("zenity", printing: "yes\\n")
    headless.environment["DISPLAY"] = ""
    #expect(!SystemPrompt(machine: headless, terminal: "/dev/null").canAsk)
    #expect(try SystemPrompt(machine: headless, terminal: "/dev/null").ask(Self.question()) == nil)
    headless.environment["WAYLAND_DISPLAY"] = "wayland-0"
    #expect(SystemPrompt(machine: headless, terminal: "/dev/null").canAsk)
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "arguments")))
  }

  private var hasRealTool: Bool {
    ["/usr/bin/zenity", "/bin/zenity", "/usr/bin/kdialog", "/bin/kdialog"]
      .contains { FileManager.default.fileExists(atPath: $0) }
  }

  @Test func theDesktopChoosesTheTool() throws {
    _ = try machine("zenity", printing: "no\\n")
    var machine = try machine("kdialog", printing: "yes\\n")
    #expect(try DialogPrompt(machine: machine).ask(Self.question()) == .denied)
    machine.environment["XDG_CURRENT_DESKTOP"] = "KDE"
    #expect(try DialogPrompt(machine: machine).ask(Self.question()) == .granted())
  }

  // MARK: Terminal

  @Test(
    "The terminal asks for y or n, and no is the default",
    arguments: [
      (["y"], .granted()), (["YES"], .granted()), ([""], .denied), (["n"], .denied),
      (["what", "y"], .granted()), (["a", "b", "c"], nil), (["\u{4}"], nil),
    ] as [([String], ProgramAnswer?)])
  func terminal(keys: [String], expected: ProgramAnswer?) throws {
    let terminal = try PseudoTerminal()
    #expect(TerminalPrompt(path: terminal.path).canAsk)
    let (answer, text) = try terminal.ask(
      Self.question(), answers: keys.map { ("[y/N] ", $0) })
    #expect(answer == expected)
    #expect(text.contains("Boo<b>ker (org.example.booker) asks for access to your calendars.\r\n"))
    #expect(text.contains("It wants to read, change and delete all events in all calendars.\r\n"))
    #expect(text.contains("Purpose: Adds\\u{1B}[31m \\n $(id) & \"classes\"\\n\r\n"))
    #expect(!text.contains("So far"))
  }

  @Test(
    "For write-only access, the user chooses a calendar",
    arguments: [
      ("2", "wo\u{1B}rk"), ("", "home"), ("1", "home"), ("3", nil), ("0", nil), ("work", nil),
    ] as [(String, String?)])
  func calendar(key: String, expected: String?) throws {
    let terminal = try PseudoTerminal()
    let keys = [("[y/N] ", "y")] + Array(repeating: ("[1] ", key), count: expected == nil ? 3 : 1)
    let (answer, text) = try terminal.ask(
      Self.question(.writeOnly, calendars: ["home", "wo\u{1B}rk"]), answers: keys)
    #expect(answer == expected.map { .granted(calendar: $0) })
    #expect(text.contains("It wants to add events, and read nothing.\r\n"))
    #expect(text.contains("  2  wo\\u{1B}rk\r\n"))
  }

  @Test func aRaiseNamesTheAccessSoFar() throws {
    let terminal = try PseudoTerminal()
    let (_, text) = try terminal.ask(
      Self.question(status: .writeOnly), answers: [("[y/N] ", "n")])
    #expect(text.contains("So far it can add events, and read nothing.\r\n"))
  }

  @Test("Keys that were pressed before the question answer nothing")
  func typeahead() throws {
    let terminal = try PseudoTerminal()
    terminal.typeAhead("y")
    let (answer, _) = try terminal.ask(Self.question(), answers: [("[y/N] ", "n")])
    #expect(answer == .denied)
  }

  @Test("A terminal of a full-screen program gets its settings back")
  func settings() throws {
    let terminal = try PseudoTerminal()
    terminal.makeRaw()
    let (answer, _) = try terminal.ask(Self.question(), answers: [("[y/N] ", "y")])
    #expect(answer == .granted())
    #expect(terminal.isRaw)
  }

  @Test func withoutATerminalNothingIsAsked() throws {
    for path in ["/dev/null", folder.path(of: "none")] {
      #expect(!TerminalPrompt(path: path).canAsk)
      #expect(try TerminalPrompt(path: path).ask(Self.question()) == nil)
    }
  }
}
