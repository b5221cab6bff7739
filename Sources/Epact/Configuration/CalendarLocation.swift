// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
package import CalendarSync
import Glibc

/// The location of a local calendar, with a name for people.
public struct CalendarLocation: Hashable, Sendable {
  /// The name for people.
  public let name: String
  /// The path of its file or folder, `-` for standard input, or `database:NAME` for one in the ledger.
  public let path: String

  /// Creates the location of a file or a folder; by default it is named by its path.
  public init(path: String, name: String? = nil) {
    self.name = name ?? path
    self.path = path
  }
}

extension Configuration {
  /// The location of a calendar that the configuration names, which is never a path.
  ///
  /// - Throws: `EpactError`; with the code `unavailable` for a calendar of an account that no run has
  ///   found yet.
  func location(of calendar: String) throws(EpactError) -> CalendarLocation {
    if let known = calendars[calendar] {
      return CalendarLocation(path: known.path, name: calendar)
    }
    guard let account = accountSyncs.first(where: { calendar.hasPrefix($0.name + "/") }) else {
      throw EpactError.unknown(calendar, what: "calendar", known: calendars.keys.sorted())
    }
    throw EpactError(
      .unavailable,
      "no run has found the calendar \"\(calendar)\" of the account \"\(account.account)\" yet",
      subject: calendar, remedy: .listCalendars(sync: account.name))
  }
}

extension CalendarLocation {
  /// Finds the calendar given by an argument.
  ///
  /// A configured name takes precedence, also that of an account's calendar without the account.
  /// Then a path that exists does, and then the title of a configured calendar. Any other argument
  /// is a path if it contains a slash or ends in `.ics`, and an unknown name if not.
  ///
  /// If there are configured calendars, items are not written to a folder by its name alone, because
  /// it may be any folder, such as `Documents`, and the name that of a calendar that is not there.
  ///
  /// - Parameters:
  ///   - argument: The argument.
  ///   - configuration: The configured calendars.
  ///   - machine: The current folder.
  ///   - isWritten: Whether items are written to it.
  /// - Throws: `EpactError` with a suggested name.
  package init(
    _ argument: String, configuration: Configuration, machine: Machine, isWritten: Bool = false
  ) throws(EpactError) {
    let (calendars, path) = (configuration.calendars, machine.paths.absolute(argument))
    if let name = try CalendarName.exact(argument, among: calendars.keys),
      let calendar = calendars[name]
    {
      self.init(path: calendar.path, name: name)
      return
    }
    let looksLikePath = argument.contains("/") || argument.lowercased().hasSuffix(".ics")
    let mode = FileMode(path)
    let isFolder = mode?.isFolder == true && (!isWritten || looksLikePath || calendars.isEmpty)
    if argument != ".", !isFolder, mode == nil || !looksLikePath {
      let titles = configuration.calendarTitles
      let name = try CalendarName.find(argument, among: calendars.keys) { titles }
      if let name, let calendar = calendars[name] {
        self.init(path: calendar.path, name: name)
        return
      }
      guard looksLikePath else {
        throw EpactError.unknown(
          argument, what: "calendar", known: calendars.keys.sorted() + titles.values.sorted(),
          remedy: .usePath(name: argument))
      }
    }
    self.init(path: path, name: argument)
  }

  /// Whether the calendar is a single file.
  package var isFile: Bool { path.lowercased().hasSuffix(".ics") }

  /// Whether the path exists.
  package var exists: Bool { isInDatabase || FileMode(path) != nil }

  /// Whether the items are rows of the ledger.
  var isInDatabase: Bool { LocalCalendars.databaseName(at: path) != nil }

  /// Whether the path is read-only.
  package var isReadOnly: Bool {
    guard !isInDatabase else { return false }
    return unsafe access(path, W_OK) != 0
  }

  /// Opens the calendar.
  ///
  /// - Parameters:
  ///   - purpose: The purpose for which it is opened.
  ///   - names: The names by which syncs know items, usually `Machine.knownNames`.
  /// - Returns: The calendar.
  /// - Throws: `StoreError`.
  package func open(
    for purpose: LocalCalendars.Purpose, knowing names: KnownNames
  ) throws(StoreError) -> any LocalCalendar {
    try LocalCalendars.open(path: path, for: purpose, knowing: names)
  }
}
