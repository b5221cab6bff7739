// SPDX-License-Identifier: Apache-2.0

import Epact

/// A calendar that a command only reads, from one or more files.
struct CalendarInput: Sendable {
  /// The display name.
  let name: String
  /// The path of its file or folder, or `-` for standard input.
  let path: String

  /// Creates the input for a file or a folder, which is named by its path.
  init(path: String) {
    name = path
    self.path = path
  }

  private init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// The calendars given by the arguments; all configured calendars if there are none.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  static func all(_ arguments: [String], in context: Context) throws -> [CalendarInput] {
    guard arguments.isEmpty else {
      return try arguments.map { argument in
        let isPath = argument == "-" || argument.contains("/") || argument.contains(".")
        if isPath { return CalendarInput(path: argument) }
        let place = try context.calendarPlace(argument)
        return CalendarInput(name: place.label, path: place.path)
      }
    }
    let calendars = try context.configuration().calendars.values
    guard !calendars.isEmpty else {
      throw Failure(
        .usage, "expected a calendar or a file, found none, and none in the configuration")
    }
    return calendars.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { CalendarInput(name: $0.name, path: $0.path) }
  }
}
