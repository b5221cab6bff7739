// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What was recorded of the program: commands, and what each of them printed.
///
/// ```
/// # A line of explanation.
/// $ epact check meeting.ics
/// meeting.ics:4:1: error: …
/// [stderr]
/// 1 error
/// [exit 4]
/// ```
///
/// A command is run by `sh`; lines that begin with `> ` continue it. `[stderr]` is left out when
/// nothing was printed there, and `[exit 0]` always.
struct Transcript {
  /// One command and what it printed.
  struct Step: Equatable {
    /// The explanations and blank lines before the command.
    var lead: [String]
    var command: [String]
    var output: String
    var errors = ""
    var status: Int32 = 0
  }

  var steps: [Step]
  /// The explanations and blank lines after the last command.
  var tail: [String]

  init(steps: [Step], tail: [String]) {
    self.steps = steps
    self.tail = tail
  }

  /// Reads a transcript.
  init(parsing text: String) {
    var steps: [Step] = []
    var lead: [String] = []
    var isInErrors = false
    for line in Self.lines(of: text) {
      if line.hasPrefix("$ ") {
        steps.append(Step(lead: lead, command: [String(line.dropFirst(2))], output: ""))
        lead = []
        isInErrors = false
      } else if line.hasPrefix("> "), let last = steps.indices.last, steps[last].output.isEmpty {
        steps[last].command.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("#") || line.isEmpty {
        lead.append(line)
      } else if line == "[stderr]" {
        isInErrors = true
      } else if line.hasPrefix("[exit "), let last = steps.indices.last {
        steps[last].status = Int32(line.dropFirst(6).dropLast()) ?? -1
      } else if let last = steps.indices.last {
        if isInErrors {
          steps[last].errors += line + "\n"
        } else {
          steps[last].output += line + "\n"
        }
      }
    }
    self.init(steps: steps, tail: lead)
  }

  /// The transcript as it stands in its file.
  var text: String {
    var lines: [String] = []
    for step in steps {
      lines += step.lead
      for (index, line) in step.command.enumerated() {
        lines.append((index == 0 ? "$ " : "> ") + line)
      }
      lines += Self.lines(of: step.output)
      if !step.errors.isEmpty { lines += ["[stderr]"] + Self.lines(of: step.errors) }
      if step.status != 0 { lines.append("[exit \(step.status)]") }
    }
    return (lines + tail).joined(separator: "\n") + "\n"
  }

  /// What the parts of a transcript begin with.
  private static let marks = ["#", "$ ", "> ", "|", "[exit ", "[stderr]"]

  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The lines of some output; blank ones and such as look like a part of the transcript are marked.
  private static func printed(_ output: String) -> [String] {
    lines(of: output).map { line in
      let isSpecial =
        line.isEmpty
        || ["#", "$ ", "> ", "|", "[exit ", "[stderr]"].contains(where: line.hasPrefix)
      return isSpecial ? "|" + line : line
    }
  }

  /// What the output would be after it went through a file.
  static func normalized(_ output: String) -> String {
    printed(output).map { $0 + "\n" }.joined()
  }
}
