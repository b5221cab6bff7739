// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import Epact
import EpactConsole
import ArgumentParser
import CalendarStore
import Glibc

/// `epact tour`: demonstrates the main features in a temporary folder.
struct TourCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Demonstrate the program in a temporary folder.",
    discussion: """
      Runs the real commands on copies of example calendars: import, edits on both sides, syncs \
      with folders under each tier of access, a conflict, a guard, export. Prints each command \
      before it runs it, and stops if a command does not end as expected.
      """)

  @Option(
    help: ArgumentHelp(
      "Use the example calendars in the subfolder tour of this folder.",
      valueName: "folder"), completion: .directory)
  var fixtures: String?

  @Flag(help: "Keep the temporary folder.")
  var keep = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let own = try ownCalendars(context)
    let tour = try Tour(context.console, context.machine, context.process)
    defer { tour.end(keepsFolder: keep) }
    try AtomicFile.write(
      PackageResources.config_toml, to: tour.folder + "/config.toml", permissions: .secret)
    let calendars = own ?? tour.folder + "/examples"
    if own == nil { try TourCalendars.write(to: calendars) }
    try tour.run(String(decoding: PackageResources.script_txt, as: UTF8.self), on: calendars)
    return .done
  }

  /// The example calendars given by the user, or nil for the embedded ones.
  private func ownCalendars(_ context: Context) throws -> String? {
    guard let folder = fixtures.map({ context.paths.absolute($0) + "/tour" }) else { return nil }
    guard unsafe access(folder + "/work.ics", R_OK) == 0 else {
      throw Failure(
        .nothingDone, "there are no example calendars in \(folder)",
        hint: "Without --fixtures, the embedded example calendars are used.")
    }
    return folder
  }
}

/// The example calendars of the tour: the files of `Fixtures/tour`, embedded in the program.
package enum TourCalendars {
  /// The names and contents of the files.
  package static var files: [(name: String, bytes: [UInt8])] {
    [
      ("damaged.ics", PackageResources.damaged_ics), ("family.ics", PackageResources.family_ics),
      ("reminders.ics", PackageResources.reminders_ics), ("work.ics", PackageResources.work_ics),
    ]
  }

  /// Writes the files to a new folder.
  fileprivate static func write(to folder: String) throws {
    try PrivateFolder.make(folder)
    for file in files {
      try AtomicFile.write(file.bytes, to: "\(folder)/\(file.name)", permissions: .secret)
    }
  }
}
