// SPDX-License-Identifier: Apache-2.0

import Epact

/// The result of one check of `epact doctor`.
struct Finding: Sendable {
  /// The severity of a finding.
  enum Level: String, Sendable, CaseIterable {
    /// The check succeeded.
    case ok
    /// Additional information.
    case note
    /// A possible problem.
    case warning
    /// An error that prevents something from working.
    case error
  }

  /// The severity.
  let level: Level
  /// The kind of check, stable for programs: `ledger`, `clock`, `remote`.
  let check: String
  /// The name of the calendar, remote or file, or nil.
  let subject: String?
  /// The finding in lower case, without a full stop.
  let message: ConsoleText
  /// The recommended action, or nil.
  let advice: ConsoleText?
  /// The exit status for an error.
  let status: ExitStatus

  /// Creates a finding.
  init(
    _ level: Level, _ check: String, of subject: String? = nil, _ message: ConsoleText,
    advice: ConsoleText? = nil, status: ExitStatus = .found
  ) {
    self.level = level
    self.check = check
    self.subject = subject
    self.message = message
    self.advice = advice
    self.status = status
  }

  /// Creates a finding from an error.
  init(_ check: String, of subject: String? = nil, _ error: any Error) {
    let failure = Failure(describing: error)
    self.init(
      .error, check, of: subject, failure.message, advice: failure.hint, status: failure.status)
  }

  /// The text output.
  var lines: [ConsoleText] {
    let style: ConsoleText.Style? =
      switch level {
      case .ok: .green
      case .note: nil
      case .warning: .yellow
      case .error: .red
      }
    let mark = DisplayWidth.padded(level.rawValue, to: 7)
    let place: ConsoleText = subject.map { "\(check) \($0, .bold)" } ?? "\(check, .bold)"
    let line: ConsoleText = "\(mark, style)  \(place): \(message)"
    return [line] + (advice.map { ["         \($0)"] } ?? [])
  }

  /// The JSON representation.
  func json(on console: Console) -> JSONValue {
    [
      "level": .string(level.rawValue), "check": .string(check), "subject": JSONValue(subject),
      "message": .string(message.plain), "advice": JSONValue(advice.map(console.plain)),
    ]
  }
}
