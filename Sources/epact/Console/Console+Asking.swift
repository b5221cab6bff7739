// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Questions to whoever sits in front of the terminal; only where `canAsk` says that somebody does.
extension Console {
  /// The longest answer, in bytes.
  private static let answerLimit = 64 * 1024

  /// Shows a question and waits for a line.
  ///
  /// - Returns: The answer without blanks around it, which may be empty, or nil at the end of the input.
  /// - Throws: `CancellationError` when the run was interrupted.
  func answer(to question: ConsoleText) throws -> String? {
    ask("\(question) ")
    var input = InputStream(descriptor: STDIN_FILENO)
    // A terminal gives a line at a time.
    let chunk: [UInt8]
    do {
      chunk = try input.nextChunk()
    } catch {
      // What is told next, be it by the shell, begins on a line of its own.
      ask("\n")
      throw error
    }
    guard !chunk.isEmpty else {
      ask("\n")
      return nil
    }
    let line = String(decoding: chunk.prefix(Self.answerLimit), as: UTF8.self)
    return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Shows a question and waits for a line that is not shown while it is typed.
  ///
  /// - Throws: `CancellationError` when the run was interrupted; the terminal shows what is typed again.
  func secret(for question: ConsoleText) throws -> Secret? {
    var usual = termios()
    let isTerminal = unsafe tcgetattr(STDIN_FILENO, &usual) == 0
    if isTerminal {
      var silent = usual
      silent.c_lflag &= ~tcflag_t(ECHO)
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
    }
    defer {
      if isTerminal {
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &usual)
        ask("\n")
      }
    }
    ask("\(question) ")
    var input = InputStream(descriptor: STDIN_FILENO)
    let line = try input.nextChunk().prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else { return nil }
    return Secret(text)
  }
}
