// SPDX-License-Identifier: Apache-2.0

import Epact

/// The error of a command: a message for the user, and the exit status.
package struct Failure: Error, Sendable, CustomStringConvertible {
  /// The exit status.
  package let status: ExitStatus
  /// The message in lower case, without a full stop.
  package let message: ConsoleText
  /// The remedy as a sentence or a command, printed on a line of its own.
  package let hint: ConsoleText?

  /// The message.
  package var description: String { message.plain }

  /// The failure of a run that a signal interrupted, derived from any error.
  static func interrupted(_ error: any Error) -> Failure {
    guard let failure = error as? Failure, failure.status == .interrupted else {
      return Failure(.interrupted, "interrupted")
    }
    return failure
  }

  /// The message and the hint on one line.
  var line: ConsoleText { hint.map { "\(message). \($0)" } ?? message }

  /// Creates a failure.
  package init(_ status: ExitStatus, _ message: ConsoleText, hint: ConsoleText? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }
}
