// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact
import Glibc

/// A local calendar given by an argument: a configured name, or a path.
struct CalendarPlace: Sendable {
  /// The argument as given.
  let label: String
  /// The absolute path.
  let path: String

  /// Finds the calendar given by an argument.
  ///
  /// A configured name takes precedence. An argument is a path if it contains a slash, ends in
  /// `.ics` or names a folder. Any other argument is an unknown name.
  ///
  /// - Throws: `Failure` with a suggested name.
  init(_ argument: String, configuration: Configuration, machine: Machine) throws(Failure) {
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

  /// Whether the calendar is a single file.
  var isFile: Bool { path.lowercased().hasSuffix(".ics") }

  /// Whether the path exists.
  var exists: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0
  }

  /// Whether the path is read-only.
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
