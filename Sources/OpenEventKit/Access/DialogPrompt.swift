// SPDX-License-Identifier: Apache-2.0

package import Epact
import Glibc

/// Asks the user with a dialog of the desktop: `zenity` or `kdialog`.
///
/// The dialog is a list of answers, and the tool prints the chosen one. Its exit status decides
/// nothing, because a tool that cannot open the display ends with the status of a refusal.
package struct DialogPrompt: ProgramPrompt {
  private enum Tool: String {
    case zenity, kdialog
  }

  /// One line of the dialog.
  private struct Choice {
    /// The word that the tool prints.
    let word: String
    let text: String
    let answer: ProgramAnswer
  }

  private let machine: Machine

  /// Creates a prompt for the display of a machine's environment.
  package init(machine: Machine) {
    self.machine = machine
  }

  /// Whether there is a display and a tool.
  package var canAsk: Bool { hasDisplay && tool != nil }

  package func ask(_ question: ProgramQuestion) throws -> ProgramAnswer? {
    guard hasDisplay, let (tool, path) = tool else { return nil }
    let choices = Self.choices(for: question)
    let process = Subprocess(
      words: [path] + Self.arguments(of: tool, question, choices),
      environment: machine.environment, timeLimit: .infinity, outputLimit: 1 << 16,
      stopwatch: machine.stopwatch)
    let output: [UInt8]
    do {
      output = try process.output()
    } catch is Subprocess.Failure {
      return nil
    }
    // Older versions of zenity print a choice twice after a double click, as `yes|yes`.
    let word = output.prefix { $0 != 0x0A && $0 != UInt8(ascii: "|") }
    return choices.first { $0.word.utf8.elementsEqual(word) }?.answer
  }

  private var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { machine.environment[$0]?.isEmpty == false }
  }

  /// The tool of the desktop, and its path.
  private var tool: (Tool, path: String)? {
    let isKDE = machine.environment["XDG_CURRENT_DESKTOP"]?.contains("KDE") == true
    let order: [Tool] = isKDE ? [.kdialog, .zenity] : [.zenity, .kdialog]
    let folders = (machine.environment["PATH"] ?? "").split(separator: ":")
      .filter { $0.hasPrefix("/") }
    for tool in order {
      let paths = folders.map { "\($0)/\(tool.rawValue)" }
      if let path = paths.first(where: Self.isProgram) { return (tool, path) }
    }
    return nil
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return unsafe access(path, X_OK) == 0
  }

  private static func choices(for question: ProgramQuestion) -> [Choice] {
    let refusal = Choice(word: "no", text: "Do not allow", answer: .denied)
    guard !question.calendars.isEmpty else {
      return [refusal, Choice(word: "yes", text: "Allow", answer: .granted())]
    }
    return [refusal]
      + question.calendars.enumerated().map { index, name in
        Choice(
          word: String(index + 1), text: "Allow, and add to \(SafeText.escaped(name))",
          answer: .granted(calendar: name))
      }
  }

  private static func arguments(
    of tool: Tool, _ question: ProgramQuestion, _ choices: [Choice]
  ) -> [String] {
    let rows = choices.flatMap { [$0.word, $0.text] }
    let lines = question.lines.map(markup)
    return switch tool {
    case .zenity:
      [
        "--list", "--title=Access to calendars", "--text=\(lines.joined(separator: "\n"))",
        "--column=Word", "--column=Answer", "--hide-column=1", "--print-column=1", "--hide-header",
      ] + rows
    case .kdialog:
      // The tags make Qt read the text as markup, as which it is escaped.
      [
        "--title=Access to calendars", "--menu", "<qt>\(lines.joined(separator: "<br/>"))</qt>",
      ] + rows
    }
  }

  /// The text escaped for the markup of Pango and Qt; the tools would replace a backslash, too.
  private static func markup(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\\": result += "&#92;"
      default: result.append(character)
      }
    }
  }
}
