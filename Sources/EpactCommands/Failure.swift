// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import Epact
package import EpactConsole

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

/// Conversion of errors of other layers: the message is theirs, the exit status is chosen here.
extension Failure {
  /// Creates a failure from any error.
  init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    default:
      let error = EpactError(describing: error)
      self.init(
        ExitStatus(SyncOutcome(error.code)), Self.message(of: error),
        hint: error.remedy.map(Self.hint))
    }
  }

  /// The message, with a line for each detail.
  static func message(of error: EpactError) -> ConsoleText {
    error.details.reduce("\(error.message)") { "\($0)\n       \($1)" }
  }

  /// The advice for a remedy: the only place that turns remedies into commands.
  static func hint(_ remedy: EpactError.Remedy) -> ConsoleText {
    switch remedy {
    case .makePrivate(let path): "Run: chmod 600 \(ShellWord(path))"
    case .withdrawAccess(let path): "Run: chmod go-rwx \(ShellWord(path))"
    case .withdrawWriting(let path): "Run: chmod go-w \(ShellWord(path))"
    case .takeOwnership: "Copy it to a file of your own, or have root make it yours with chown."
    case .makeFolder(let path): "If it is new, make its folder: mkdir -p \(ShellWord(path))"
    case .usePath(let name): "To use a folder, write ./\(name)."
    case .grant(let tier, let remote): "To grant it: \(SuggestedCommand.grant(tier, to: remote))"
    case .changeAnswer(let tier, let remote):
      "To change the answer: \(SuggestedCommand.grant(tier, to: remote))"
    case .confirmGrant(let tier, let remote, let why):
      "To raise it: \(SuggestedCommand.grant(tier, to: remote, purpose: why, isConfirmed: true))"
    case .confirmProgram(let tier, let entity, let program, let purpose):
      "To raise it: "
        + "\(SuggestedCommand.grant(tier, of: entity, toProgram: program, purpose: purpose))"
    case .lowerAccess(let tier): "Run it on a terminal, or with --access \(tier.rawValue)."
    case .usePasswordFile(let path): "To use what is in it: --password-file \(ShellWord(path))"
    case .keepPasswordInFile: "Another way: --keep-password file"
    case .statePurpose: "State with --purpose TEXT what the access is for, and why."
    case .check(let path): "To see where: \(SuggestedCommand.check(path))"
    case .scheduleWithCron:
      "Without systemd: \(SuggestedCommand.scheduleRemove); \(SuggestedCommand.scheduleInstallCron)"
    case .trustCertificate:
      "For certificates of your own: ca-file in the configuration, or "
        + "\(SuggestedCommand.initializeWithCertificates)"
    case .completeUID: "Write the whole UID, and --sync NAME if several syncs have it."
    case .listRuns: "To see those that are: \(SuggestedCommand.history)"
    case .chooseRun: "To see the runs: \(SuggestedCommand.history)"
    case .undoEarlier(let change, let isThere): earlierUndo(before: change, isThere)
    case .restoreInNewPlace(let sync):
      "If that is right, and no disk is missing: "
        + "\(SuggestedCommand.restore(sync, isInNewPlace: true))"
    case .configure: "To make one: \(SuggestedCommand.initialize)"
    case .convert(let path): "To convert it: \(SuggestedCommand.convert(path))"
    case .recreateCalendar(let name): recreation(of: name)
    case .listCalendars(let sync): "To see both sides: \(SuggestedCommand.discover(sync))"
    case .createCalendar(let name, let sync):
      "To create it: \(SuggestedCommand.createCalendar(name, in: sync))"
    case .chooseCalendar(let key):
      "Choose it with --in CALENDAR, or add \(key) = \"CALENDAR\" at the top of the configuration."
    case .applyMessage(let file): "To apply it: \(SuggestedCommand.applyInvitation(file))"
    case .identifyUser:
      "Choose the attendee with --as ADDRESS, or add addresses = [\"ADDRESS\"] to the configuration."
    case .confirmSender: "If you trust it nevertheless: --trust-sender"
    case .grantWithoutQuestion: "To grant it without a question: --yes"
    case .leaveAnswer: "Omit --send, or use --no-calendar to send the answer only."
    case .other(let text): "\(text)"
    }
  }

  private static func recreation(of calendar: String) -> ConsoleText {
    "To have it on both sides again: \(SuggestedCommand.recreateCalendar(calendar)); "
      + "to remove it from both: \(SuggestedCommand.removeCalendar(calendar))"
  }

  /// The advice for an undo that stops at a change of a calendar.
  private static func earlierUndo(
    before change: CalendarChange, _ isThere: Bool
  ) -> ConsoleText {
    let undo: ConsoleText = "undo the change before: \(SuggestedCommand.undo)"
    guard change.kind == .created, isThere else { return "To " + undo }
    return "To remove it: \(SuggestedCommand.removeCalendar(change.calendar)); to " + undo
  }
}

extension Console {
  /// Prints a failure and its hint.
  func complain(_ failure: Failure) {
    complain(failure.message, hint: failure.hint)
  }
}

/// The exit status of the program, for scripts and timers; the same for all commands.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Success.
  case done = 0
  /// Some items failed, the others succeeded.
  case someFailed = 1
  /// Nothing was done: not a calendar, the server is down, or the disk is full.
  case nothingDone = 2
  /// Conflicts are pending.
  case conflicts = 3
  /// A check or a comparison found problems or differences.
  case found = 4
  /// A safeguard stopped the run before any change.
  case stoppedByGuard = 5
  /// The command line is invalid (`EX_USAGE`).
  case usage = 64
  /// Something is locked, temporarily unreachable or changed concurrently (`EX_TEMPFAIL`).
  ///
  /// A later run may succeed.
  case unavailable = 75
  /// Access was not granted, or the server rejected the credentials (`EX_NOPERM`).
  case noAccess = 77
  /// The configuration is invalid (`EX_CONFIG`).
  case configuration = 78
  /// The run was interrupted (128 + SIGINT).
  case interrupted = 130

  /// The exit status for the outcome of a sync.
  package init(_ outcome: SyncOutcome) {
    self = ExitStatus(rawValue: Int32(outcome.rawValue)) ?? .nothingDone
  }

  /// The description in the help.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .someFailed: "some items failed"
    case .nothingDone: "the operation failed (not a calendar, server down, disk full)"
    case .conflicts: "conflicts are pending"
    case .found: "check or diff found problems or differences"
    case .stoppedByGuard: "a safeguard stopped the run"
    case .usage: "the command line is invalid"
    case .unavailable: "locked, temporarily unreachable, or changed concurrently"
    case .noAccess: "no access, or credentials rejected"
    case .configuration: "the configuration is invalid"
    case .interrupted: "interrupted"
    }
  }

  /// All statuses in descending order of severity.
  ///
  /// If syncs end with different statuses, the exit status of the program is the first of them in
  /// this list: permanent errors precede temporary ones, and both precede partial success.
  static let gravest: [ExitStatus] = [
    .interrupted, .usage, .configuration, .noAccess, .stoppedByGuard, .nothingDone, .unavailable,
    .someFailed, .conflicts, .found, .done,
  ]

  /// The most severe of some statuses, or `done` if there are none.
  package static func worst(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let present = Set(statuses)
    return gravest.first(where: present.contains) ?? .done
  }

  /// The table in the help.
  package static var table: String {
    allCases
      .map { status in
        let number = String(status.rawValue)
        return "  " + String(repeating: " ", count: 3 - number.count) + number + "  "
          + status.meaning
      }
      .joined(separator: "\n")
  }
}
