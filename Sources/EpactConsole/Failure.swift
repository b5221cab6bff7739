// SPDX-License-Identifier: Apache-2.0

package import Epact

/// The error of a command: a message for the user, and the exit status.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit status.
  package let status: ExitStatus
  /// The message in lower case, without a full stop.
  package let message: ConsoleText
  /// The remedy as a sentence or a command, printed on a line of its own.
  package let hint: ConsoleText?

  /// The message.
  package var description: String { message.plain }

  /// The failure of a run that a signal interrupted, derived from any error.
  package static func interrupted(_ error: any Error) -> Failure {
    guard let failure = error as? Failure, failure.status == .interrupted else {
      return Failure(.interrupted, "interrupted")
    }
    return failure
  }

  /// The message and the hint on one line.
  package var line: ConsoleText { hint.map { "\(message). \($0)" } ?? message }

  /// The failure with its subject before the message.
  package func prefixed(_ subject: String) -> Failure {
    Failure(status, "\(subject): \(message)", hint: hint)
  }

  /// The message of an error, with a line for each detail.
  package static func message(of error: EpactError) -> ConsoleText {
    error.details.reduce("\(error.message)") { "\($0)\n       \($1)" }
  }

  /// Creates a failure.
  package init(_ status: ExitStatus, _ message: ConsoleText, hint: ConsoleText? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }
}

extension Console {
  /// Prints a failure and its hint.
  package func complain(_ failure: Failure) {
    complain(failure.message, hint: failure.hint)
  }
}
