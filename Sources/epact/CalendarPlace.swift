// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Glibc

/// A local calendar that a command was told to use: a name of the configuration, or a path.
struct CalendarPlace: Sendable {
  /// How the person called it.
  let label: String
  /// Its absolute path.
  let path: String

  /// Finds the calendar that an argument means.
  ///
  /// A name of the configuration comes first. Whatever has a slash in it, ends in `.ics` or is a
  /// folder is a path; any other word is a name that the configuration lacks.
  ///
  /// - Throws: `Failure`, with the name that may have been meant.
  init(_ argument: String, configuration: Configuration, machine: Dependencies) throws(Failure) {
    label = argument
    if let calendar = configuration.calendars[argument] {
      path = calendar.path
      return
    }
    path = PathResolver(home: machine.homeFolder, base: machine.currentFolder).absolute(argument)
    let looksLikePath = argument.contains("/") || argument.lowercased().hasSuffix(".ics")
    guard looksLikePath || argument == "." || Self.isFolder(path) else {
      let near = Suggestion.nearest(to: argument, among: configuration.calendars.keys.sorted())
      throw Failure(
        .configuration,
        near.map {
          "there is no calendar \"\(argument)\" in the configuration; did you mean \"\($0)\"?"
        } ?? "there is no calendar \"\(argument)\" in the configuration",
        hint: "To use a folder, write ./\(argument).")
    }
  }

  /// Whether it is one file and not a folder.
  var isFile: Bool { path.lowercased().hasSuffix(".ics") }

  /// Whether there is something at its path.
  var exists: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0
  }

  /// Whether what is at its path can only be read.
  var isReadOnly: Bool { unsafe access(path, W_OK) != 0 }

  /// Opens the calendar.
  ///
  /// - Throws: `StoreError`.
  func open(for purpose: LocalCalendars.Purpose) throws(StoreError) -> any LocalCalendar {
    try LocalCalendars.open(path: path, for: purpose)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
