// SPDX-License-Identifier: Apache-2.0

/// How a run of the program ended, for scripts and timers; the same table for every command.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Everything was done.
  case done = 0
  /// Some items failed; the others were dealt with.
  case someFailed = 1
  /// Nothing could be done: not a calendar, the server is down, the disk is full.
  case nothingDone = 2
  /// Conflicts wait for a person.
  case conflicts = 3
  /// A check or a comparison found something.
  case found = 4
  /// A guard stopped the run before it changed anything.
  case stoppedByGuard = 5
  /// The command line is wrong (`EX_USAGE`).
  case usage = 64
  /// Something is locked, out of reach for now, or changed while it was looked at (`EX_TEMPFAIL`):
  /// worth another try later.
  case unavailable = 75
  /// No access was granted, or the credentials were refused (`EX_NOPERM`).
  case noAccess = 77
  /// The configuration is wrong (`EX_CONFIG`).
  case configuration = 78
  /// The run was interrupted (128 + SIGINT).
  case interrupted = 130

  /// What the status says, for the table in the help.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .someFailed: "some items failed"
    case .nothingDone: "nothing could be done (not a calendar, server down, disk)"
    case .conflicts: "conflicts wait"
    case .found: "check or diff found something"
    case .stoppedByGuard: "stopped by a guard"
    case .usage: "usage"
    case .unavailable: "locked, temporarily unreachable, or changed meanwhile"
    case .noAccess: "no access, or credentials refused"
    case .configuration: "configuration"
    case .interrupted: "interrupted"
    }
  }

  /// All statuses, the one that most needs a person first.
  ///
  /// When several syncs end in different ways, the program ends with the one that stands first here:
  /// what stops a sync for good before what another try may heal, and both before what was done in part.
  static let gravest: [ExitStatus] = [
    .interrupted, .usage, .configuration, .noAccess, .stoppedByGuard, .nothingDone, .unavailable,
    .someFailed, .conflicts, .found, .done,
  ]

  /// The gravest of some statuses, or `done` if there are none.
  package static func worst(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let present = Set(statuses)
    return gravest.first(where: present.contains) ?? .done
  }

  /// The table as it stands in the help.
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
