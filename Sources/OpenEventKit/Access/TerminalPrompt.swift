// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import Epact
import Glibc

/// Asks the user on the terminal of the process, whatever its standard streams are.
package struct TerminalPrompt: ProgramPrompt {
  /// The maximum number of times that an unrecognized answer is asked for again.
  private static let attempts = 3

  private let path: String

  /// Creates a prompt on a terminal.
  package init(path: String) {
    self.path = path
  }

  /// Whether the terminal can be opened, and is not in use by another job.
  package var canAsk: Bool { QuestionTerminal(path) != nil }

  package func ask(_ question: ProgramQuestion) throws -> ProgramAnswer? {
    guard var terminal = QuestionTerminal(path) else { return nil }
    terminal.write("\n" + question.lines.map { $0 + "\n" }.joined())
    for _ in 0..<Self.attempts {
      guard let answer = try terminal.answer(to: "Allow? [y/N] ") else { return nil }
      switch answer.lowercased() {
      case "", "n", "no": return .denied
      case "y", "yes":
        guard !question.calendars.isEmpty else { return .granted() }
        return try Self.choose(among: question.calendars, on: &terminal)
          .map { .granted(calendar: $0) }
      default: terminal.write("Please answer with y or n.\n")
      }
    }
    return nil
  }

  /// Asks for the calendar of the program's events; nil if there is no valid answer.
  private static func choose(
    among calendars: [String], on terminal: inout QuestionTerminal
  ) throws -> String? {
    guard calendars.count > 1 else { return calendars.first }
    let rows = calendars.enumerated().map { "  \($0 + 1)  \(SafeText.escaped($1))\n" }
    terminal.write("Its events can be added to:\n" + rows.joined())
    for _ in 0..<attempts {
      guard let answer = try terminal.answer(to: "To which calendar? [1] ") else { return nil }
      if answer.isEmpty { return calendars.first }
      if let number = Int(answer), calendars.indices.contains(number - 1) {
        return calendars[number - 1]
      }
      terminal.write("Please answer with one of the numbers.\n")
    }
    return nil
  }
}

/// A terminal for the time of a question.
///
/// It cannot be copied, because the first copy to be released would restore the settings for all.
private struct QuestionTerminal: ~Copyable {
  private let descriptor: Int32
  /// The settings before the question, such as those of a program that takes the whole screen.
  private let settings: termios

  /// Opens a terminal; nil if that is not possible or this process is in the background.
  init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var settings = termios()
    let foreground = tcgetpgrp(descriptor)
    guard unsafe tcgetattr(descriptor, &settings) == 0, foreground <= 0 || foreground == getpgrp()
    else {
      _ = close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.settings = settings
  }

  deinit { _ = close(descriptor) }

  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Shows a question and reads a line; keys that were pressed before the question are ignored.
  ///
  /// - Returns: The line without surrounding white space; nil at the end of the input.
  /// - Throws: `CancellationError` if the task was cancelled; an error of reading.
  mutating func answer(to question: String) throws -> String? {
    var usual = settings
    usual.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ISIG)
    usual.c_iflag |= tcflag_t(ICRNL)
    usual.c_oflag |= tcflag_t(OPOST | ONLCR)
    unsafe tcsetattr(descriptor, TCSAFLUSH, &usual)
    defer {
      var earlier = settings
      unsafe tcsetattr(descriptor, TCSADRAIN, &earlier)
    }
    write(question)
    var input = Epact.InputStream(descriptor: descriptor)
    // A terminal returns one line per read.
    let line = try input.nextChunk()
    guard !line.isEmpty else {
      write("\n")
      return nil
    }
    return String(decoding: line, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
