// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
import Epact
package import EpactConsole

/// The calls of this program in messages.
///
/// All commands in messages are created here; a test passes each of them to the command line
/// parser.
extension SuggestedCommand {
  // MARK: Syncs

  /// Runs all syncs.
  package static var sync: SuggestedCommand { SuggestedCommand("epact", "sync") }

  /// Adds a feed to the configuration.
  package static func subscribe(_ feed: String) -> SuggestedCommand {
    SuggestedCommand("epact", "subscribe", operands: [feed])
  }

  /// Runs a sync that a safeguard stopped.
  package static func sync(_ name: String, allowDelete number: Int) -> SuggestedCommand {
    SuggestedCommand("epact", "sync", operands: [name], options: ["--allow-delete": String(number)])
  }

  /// Runs a sync, and takes the versions of a restored side.
  package static func syncAcceptingRestored(_ name: String) -> SuggestedCommand {
    SuggestedCommand("epact", "sync", operands: [name], options: ["--accept-restored": nil])
  }

  /// Gives a restored local calendar the agreed versions again.
  package static func restoreReplacing(_ name: String) -> SuggestedCommand {
    SuggestedCommand("epact", "restore", operands: [name], options: ["--replace": nil])
  }

  /// Sends the local versions to a restored remote.
  package static func restorePushing(
    _ name: String, allowDelete number: Int? = nil
  ) -> SuggestedCommand {
    guard let number else {
      return SuggestedCommand("epact", "restore", operands: [name], options: ["--push": nil])
    }
    return SuggestedCommand(
      "epact", "restore", operands: [name],
      options: ["--push": nil, "--allow-delete": String(number)])
  }

  /// Undoes a run that a safeguard stopped.
  package static func undo(_ run: RunID, allowDelete number: Int) -> SuggestedCommand {
    SuggestedCommand(
      "epact", "undo", operands: [String(run.rawValue)],
      options: ["--allow-delete": String(number)])
  }

  /// Undoes the last change.
  package static var undo: SuggestedCommand { SuggestedCommand("epact", "undo") }

  /// Makes the change again that the last undo took back.
  package static var redo: SuggestedCommand { SuggestedCommand("epact", "redo") }

  /// Restores the missing items of a sync.
  package static func restore(_ name: String, isInNewPlace: Bool = false) -> SuggestedCommand {
    isInNewPlace
      ? SuggestedCommand("epact", "restore", operands: [name], options: ["--new-place": nil])
      : SuggestedCommand("epact", "restore", operands: [name])
  }

  /// The takeover of vdirsyncer's configuration and status.
  package static var initFromVdirsyncer: SuggestedCommand {
    SuggestedCommand("epact", "init", options: ["--from-vdirsyncer": nil])
  }

  /// Installs the nightly schedule.
  package static var scheduleInstall: SuggestedCommand {
    SuggestedCommand("epact", "schedule", "install")
  }

  /// Installs the nightly schedule without systemd.
  package static var scheduleInstallCron: SuggestedCommand {
    SuggestedCommand("epact", "schedule", "install", options: ["--cron": nil])
  }

  /// Removes the nightly schedule.
  package static var scheduleRemove: SuggestedCommand {
    SuggestedCommand("epact", "schedule", "remove")
  }

  /// Lists the runs.
  package static var history: SuggestedCommand { SuggestedCommand("epact", "history") }

  /// Shows a run.
  package static func history(_ run: RunID) -> SuggestedCommand {
    SuggestedCommand("epact", "history", operands: [String(run.rawValue)])
  }
}

// MARK: Accounts

extension SuggestedCommand {
  /// Lists the calendars of an account's sync on both sides.
  package static func discover(_ sync: String) -> SuggestedCommand {
    SuggestedCommand("epact", "discover", operands: [sync])
  }

  /// Creates a calendar in the folder of an account's sync.
  package static func createCalendar(_ name: String, in sync: String) -> SuggestedCommand {
    SuggestedCommand("epact", "calendars", "create", operands: [name], options: ["--in": sync])
  }

  /// Lets the next sync create a calendar on the side that lacks it.
  package static func recreateCalendar(_ name: String) -> SuggestedCommand {
    SuggestedCommand("epact", "calendars", "recreate", operands: [name])
  }

  /// Removes a calendar of an account from both sides.
  package static func removeCalendar(_ name: String) -> SuggestedCommand {
    SuggestedCommand("epact", "calendars", "remove", operands: [name])
  }
}

// MARK: Items

extension SuggestedCommand {
  /// Deletes all of an item.
  package static func deleteSeries(_ uid: UID) -> SuggestedCommand {
    SuggestedCommand("epact", "delete", operands: [uid.rawValue], options: ["--all": nil])
  }

  /// Adds a reminder.
  package static func addTodo(_ title: String) -> SuggestedCommand {
    SuggestedCommand("epact", "todo", "add", operands: [title])
  }
}

// MARK: Conflicts

extension SuggestedCommand {
  /// Lists the conflicts of all syncs, or of one.
  package static func conflicts(of sync: String? = nil) -> SuggestedCommand {
    sync.map { SuggestedCommand("epact", "conflicts", options: ["--sync": $0]) }
      ?? SuggestedCommand("epact", "conflicts")
  }

  /// Shows a conflict.
  package static func conflict(_ uid: UID) -> SuggestedCommand {
    SuggestedCommand("epact", "conflicts", operands: [uid.rawValue])
  }

  /// Resolves a conflict with the local version.
  package static func settle(_ uid: UID) -> SuggestedCommand {
    SuggestedCommand("epact", "conflicts", operands: [uid.rawValue], options: ["--take": "local"])
  }
}

// MARK: Items

extension SuggestedCommand {
  /// Copies an item to a calendar, with a new UID; the default calendar is a placeholder.
  package static func copy(_ uid: UID, to calendar: String = "CALENDAR") -> SuggestedCommand {
    SuggestedCommand("epact", "copy", operands: [uid.rawValue, calendar])
  }
}

// MARK: Access and configuration

extension SuggestedCommand {
  /// Grants access to a remote; the default purpose is a placeholder.
  package static func grant(
    _ tier: AccessTier, to remote: String, purpose: String = Purpose.placeholder,
    isConfirmed: Bool = false
  ) -> SuggestedCommand {
    isConfirmed
      ? SuggestedCommand(
        "epact", "access", operands: [remote],
        options: ["--grant": tier.rawValue, "--purpose": purpose, "--yes": nil])
      : SuggestedCommand(
        "epact", "access", operands: [remote],
        options: ["--grant": tier.rawValue, "--purpose": purpose])
  }

  /// Raises the access of a program.
  package static func grant(
    _ tier: AccessTier, of entity: ProgramEntity, toProgram program: String, purpose: String
  ) -> SuggestedCommand {
    SuggestedCommand(
      "epact", "access", operands: [program],
      options: [
        "--for": entity.rawValue, "--grant": tier.rawValue, "--purpose": purpose, "--yes": nil,
      ])
  }

  /// Creates a configuration.
  package static var initialize: SuggestedCommand { SuggestedCommand("epact", "init") }

  /// Creates a configuration for a server with a custom certificate.
  package static var initializeWithCertificates: SuggestedCommand {
    SuggestedCommand("epact", "init", options: ["--ca-file": "FILE"])
  }

  /// Finds problems that prevent syncs.
  package static var doctor: SuggestedCommand { SuggestedCommand("epact", "doctor") }

  /// Checks a file or a folder.
  package static func check(_ path: String) -> SuggestedCommand {
    SuggestedCommand("epact", "check", operands: [path])
  }

  /// Applies the messages of a mail to the calendar.
  package static func applyInvitation(_ path: String) -> SuggestedCommand {
    SuggestedCommand("epact", "invitation", "apply", operands: [path])
  }

  /// Converts a file to iCalendar.
  package static func convert(_ path: String) -> SuggestedCommand {
    SuggestedCommand("epact", "convert", operands: [path], options: ["--to": "ics"])
  }
}
