// SPDX-License-Identifier: Apache-2.0

package import Epact

/// The exit status of the program, for scripts and timers; the same for all commands.
///
/// The numbers from 64 on are those of `sysexits.h`, and 130 is 128 + SIGINT. See ``meaning``.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case someFailed = 1
  case nothingDone = 2
  case conflicts = 3
  case found = 4
  case stoppedByGuard = 5
  case usage = 64
  case unavailable = 75
  case noAccess = 77
  case configuration = 78
  case interrupted = 130

  /// The exit status for the outcome of a sync.
  package init(_ outcome: SyncOutcome) {
    self = ExitStatus(rawValue: Int32(outcome.rawValue)) ?? .nothingDone
  }

  /// The exit status as JSON.
  package var json: JSONValue { .integer(Int(rawValue)) }

  /// The meaning, as in the help.
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
  package static let gravest =
    SyncOutcome.gravest.filter { $0 != .done }.map(ExitStatus.init) + [.found, .done]

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
