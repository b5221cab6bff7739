// SPDX-License-Identifier: Apache-2.0

package import Epact
import Glibc

/// Questions to the user at the terminal; they require `canAsk`.
extension Console {
  /// The maximum length of an answer, in bytes.
  private static let answerLimit = 64 * 1024

  /// Shows a question, and reads a line.
  ///
  /// - Returns: The answer with normalized white space, possibly empty; nil at the end of the
  ///   input.
  /// - Throws: `CancellationError` if the run was interrupted.
  package func answer(to question: ConsoleText) throws -> String? {
    ask("\(question) ")
    var input = InputStream(descriptor: STDIN_FILENO)
    // A terminal returns one line per read.
    let chunk: [UInt8]
    do {
      chunk = try input.nextChunk()
    } catch {
      // The following output, possibly of the shell, starts on a new line.
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

  /// Shows a question, and reads a line without echo.
  ///
  /// - Throws: `CancellationError` if the run was interrupted; the echo is restored.
  package func secret(for question: ConsoleText) throws -> Secret? {
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

  /// Reads the first line of standard input as a password.
  ///
  /// - Throws: `EpactError` if there is none; `CancellationError`.
  package static func secretFromInput() throws -> Secret {
    var input = InputStream(descriptor: STDIN_FILENO)
    guard let bytes = try input.readAll(limit: answerLimit) else {
      throw EpactError(.argument, "what was read is too large for a password")
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
      throw EpactError(.argument, "expected a password on standard input, found none")
    }
    return Secret(text)
  }
}
