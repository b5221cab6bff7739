// SPDX-License-Identifier: Apache-2.0

package import Epact

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
