// SPDX-License-Identifier: Apache-2.0

/// Why a command could not go on: what a person reads, and the status that a script sees.
package struct Failure: Error, Sendable, CustomStringConvertible {
  /// The exit status.
  package let status: ExitStatus
  /// What is wrong: lower case, without a full stop.
  package let message: ConsoleText
  /// What would help, as a sentence or a command; printed on a line of its own.
  package let hint: ConsoleText?

  /// What is wrong.
  package var description: String { message.plain }

  /// The failure of a run that a signal ended, however it met that.
  static func interrupted(_ error: any Error) -> Failure {
    guard let failure = error as? Failure, failure.status == .interrupted else {
      return Failure(.interrupted, "interrupted")
    }
    return failure
  }

  /// What is wrong and what would help, on one line.
  var line: ConsoleText { hint.map { "\(message). \($0)" } ?? message }

  /// Creates a failure.
  package init(_ status: ExitStatus, _ message: ConsoleText, hint: ConsoleText? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }
}
