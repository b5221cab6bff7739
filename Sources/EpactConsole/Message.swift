// SPDX-License-Identifier: Apache-2.0

package import Epact

/// A line for the user with the way in which the console prints it.
///
/// A page returns messages if its lines belong to different streams.
package enum Message: Hashable, Sendable {
  /// A result: standard output, except in quiet mode.
  case say(ConsoleText)
  /// Requested information: standard output, even in quiet mode.
  case show(ConsoleText)
  /// Additional information: standard error, except in quiet mode.
  case note(ConsoleText)
  /// A line on standard error, even in quiet mode.
  case report(ConsoleText)
  case warn(ConsoleText)
  case complain(Failure)
}

extension Console {
  /// Prints messages in their order.
  package func write(_ messages: [Message]) {
    for message in messages {
      switch message {
      case .say(let line): say(line)
      case .show(let line): show(line)
      case .note(let line): note(line)
      case .report(let line): report(line)
      case .warn(let line): warn(line)
      case .complain(let failure): complain(failure)
      }
    }
  }

  /// Prints the lines of a page on standard output, even in quiet mode.
  package func show(_ lines: [ConsoleText]) {
    for line in lines { show(line) }
  }

  /// Prints lines on standard error, except in quiet mode.
  package func note(_ lines: [ConsoleText]) {
    for line in lines { note(line) }
  }

  /// Prints the lines of a page on standard output, except in quiet mode.
  package func say(_ lines: [ConsoleText]) {
    for line in lines { say(line) }
  }
}

/// The result of a command as text and as JSON, with the exit status.
package protocol Report {
  /// The text output.
  var messages: [Message] { get }
  /// The JSON output.
  var json: JSONValue { get }
  /// The exit status of the command.
  var status: ExitStatus { get }
}

extension Console {
  /// Prints a report as text or as JSON, and returns its exit status.
  package func write(_ report: some Report, asJSON: Bool) -> ExitStatus {
    if asJSON { write(report.json) } else { write(report.messages) }
    return report.status
  }
}
