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
  private static func epact(
    _ words: String, _ operands: String..., options: KeyValuePairs<String, String?> = [:]
  ) -> Self {
    Self("epact " + words, operands: operands, options: options)
  }

  // MARK: Syncs

  package static var sync: Self { epact("sync") }

  package static var copyLedger: Self { epact("ledger", "copy") }

  /// Runs one sync.
  package static func sync(of name: String) -> Self { epact("sync", name) }

  /// Runs a sync that a safeguard stopped.
  package static func sync(_ name: String, allowDelete number: Int) -> Self {
    epact("sync", name, options: ["--allow-delete": String(number)])
  }

  /// Runs a mirror that a safeguard stopped.
  package static func mirror(_ name: String, allowDelete number: Int) -> Self {
    epact("mirror", name, options: ["--allow-delete": String(number)])
  }

  /// Runs a sync, and takes the versions of a restored side.
  package static func syncAcceptingRestored(_ name: String) -> Self {
    epact("sync", name, options: ["--accept-restored": nil])
  }

  package static func restore(_ name: String, isInNewPlace: Bool = false) -> Self {
    isInNewPlace ? epact("restore", name, options: ["--new-place": nil]) : epact("restore", name)
  }

  /// Gives a restored local calendar the agreed versions again.
  package static func restoreReplacing(_ name: String) -> Self {
    epact("restore", name, options: ["--replace": nil])
  }

  /// Sends the local versions to a restored remote.
  package static func restorePushing(_ name: String, allowDelete number: Int? = nil) -> Self {
    guard let number else { return epact("restore", name, options: ["--push": nil]) }
    return epact("restore", name, options: ["--push": nil, "--allow-delete": String(number)])
  }

  package static var undo: Self { epact("undo") }

  /// Undoes a run that a safeguard stopped.
  package static func undo(_ run: RunID, allowDelete number: Int) -> Self {
    epact("undo", String(run.rawValue), options: ["--allow-delete": String(number)])
  }

  package static var redo: Self { epact("redo") }

  package static var scheduleInstall: Self { epact("schedule install") }

  /// Sets the password of the page.
  package static var setPagePassword: Self { epact("serve", options: ["--set-password": nil]) }

  package static var scheduleInstallCron: Self {
    epact("schedule install", options: ["--cron": nil])
  }

  package static var scheduleRemove: Self { epact("schedule remove") }

  package static var history: Self { epact("history") }

  package static func history(_ run: RunID) -> Self { epact("history", String(run.rawValue)) }

  // MARK: Conflicts

  /// Lists the conflicts of all syncs, or of one.
  package static func conflicts(of sync: String? = nil) -> Self {
    sync.map { epact("conflicts", options: ["--sync": $0]) } ?? epact("conflicts")
  }

  package static func conflict(_ uid: UID) -> Self { epact("conflicts", uid.rawValue) }

  /// Resolves a conflict with the local version.
  package static func settle(_ uid: UID) -> Self {
    epact("conflicts", uid.rawValue, options: ["--take": "local"])
  }

  // MARK: Items and files

  package static func addTodo(_ title: String) -> Self { epact("todo add", title) }

  /// Copies an item to a calendar, with a new UID; the default calendar is a placeholder.
  package static func copy(_ uid: UID, to calendar: String = "CALENDAR") -> Self {
    epact("copy", uid.rawValue, calendar)
  }

  package static func deleteSeries(_ uid: UID) -> Self {
    epact("delete", uid.rawValue, options: ["--all": nil])
  }

  package static func check(_ path: String) -> Self { epact("check", path) }

  package static func convert(_ path: String) -> Self {
    epact("convert", path, options: ["--to": "ics"])
  }

  /// Imports a file that another service exported.
  package static var importFile: Self { epact("import", "FILE", options: ["--into": "CALENDAR"]) }

  /// Writes events for another service.
  package static var handoff: Self { epact("handoff", "FILE") }

  package static func applyInvitation(_ path: String) -> Self { epact("invitation apply", path) }

  // MARK: Configuration and access

  package static var initialize: Self { epact("init") }

  /// Creates a configuration for a server with a custom certificate.
  package static var initializeWithCertificates: Self {
    epact("init", options: ["--ca-file": "FILE"])
  }

  package static var initFromVdirsyncer: Self { epact("init", options: ["--from-vdirsyncer": nil]) }

  package static func subscribe(_ feed: String) -> Self { epact("subscribe", feed) }

  package static var doctor: Self { epact("doctor") }

  /// Signs in to a remote.
  package static func login(_ remote: String) -> Self { epact("login", remote) }

  package static func discover(_ sync: String) -> Self { epact("discover", sync) }

  package static func createCalendar(_ name: String, in sync: String) -> Self {
    epact("calendars create", name, options: ["--in": sync])
  }

  /// Lets the next sync create a calendar on the side that lacks it.
  package static func recreateCalendar(_ name: String) -> Self {
    epact("calendars recreate", name)
  }

  package static func removeCalendar(_ name: String) -> Self { epact("calendars remove", name) }

  /// Grants access to a remote; the default purpose is a placeholder.
  package static func grant(
    _ tier: AccessTier, to remote: String, purpose: String = Purpose.placeholder,
    isConfirmed: Bool = false
  ) -> Self {
    isConfirmed
      ? epact(
        "access", remote,
        options: ["--grant": tier.rawValue, "--purpose": purpose, "--yes": nil])
      : epact("access", remote, options: ["--grant": tier.rawValue, "--purpose": purpose])
  }

  /// Raises the access of a program.
  package static func grant(
    _ tier: AccessTier, of entity: ProgramEntity, toProgram program: String, purpose: String
  ) -> Self {
    epact(
      "access", program,
      options: [
        "--for": entity.rawValue, "--grant": tier.rawValue, "--purpose": purpose, "--yes": nil,
      ])
  }
}
