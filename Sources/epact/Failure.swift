// SPDX-License-Identifier: Apache-2.0

/// Why a command could not go on: what a person reads, and the status that a script sees.
package struct Failure: Error, Sendable {
  /// The exit status.
  package let status: ExitStatus
  /// What is wrong: lower case, without a full stop.
  package let message: ConsoleText
  /// What would help, as a sentence or a command; printed on a line of its own.
  package let hint: ConsoleText?

  /// Creates a failure.
  package init(_ status: ExitStatus, _ message: ConsoleText, hint: ConsoleText? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }
}
