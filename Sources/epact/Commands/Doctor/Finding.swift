// SPDX-License-Identifier: Apache-2.0

/// One thing that `epact doctor` looked at.
struct Finding: Sendable {
  /// How bad it is.
  enum Level: String, Sendable, CaseIterable {
    /// It is as it should be.
    case ok
    /// It is worth knowing.
    case note
    /// It may go wrong.
    case warning
    /// It keeps something from working.
    case error
  }

  /// How bad it is.
  let level: Level
  /// What was looked at, stable for programs: `ledger`, `clock`, `remote`.
  let check: String
  /// The name of the calendar, remote or file, or nil.
  let subject: String?
  /// What was found: lower case, without a full stop.
  let message: ConsoleText
  /// What to do about it.
  let advice: ConsoleText?
  /// The exit status that it stands for, if it is an error.
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

  /// Creates a finding from what went wrong.
  init(_ check: String, of subject: String? = nil, _ error: any Error) {
    let failure = Failure(describing: error)
    self.init(
      .error, check, of: subject, failure.message, advice: failure.hint, status: failure.status)
  }

  /// The lines for people.
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

  /// The object for programs.
  func json(on console: Console) -> JSONValue {
    [
      "level": .string(level.rawValue), "check": .string(check), "subject": JSONValue(subject),
      "message": .string(message.plain), "advice": JSONValue(advice.map(console.plain)),
    ]
  }
}
