// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import CalendarFiles
import CalendarModel
public import Epact
import EpactConsole

/// The files of commands that read files.
struct InputFiles: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files, folders, ZIP archives, names of the configuration, or - for standard input.",
      valueName: "file"),
    completion: .calendars)
  var files: [String]
}

/// The option `--charset`.
struct CharsetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Decode files from this charset, or detect it with auto. By default files are UTF-8.",
      valueName: "name"))
  var charset: CharsetChoice?

  /// The charset; UTF-8 if the option is not given.
  var choice: CharsetChoice { charset ?? .utf8 }
}

extension CharsetChoice: ExpressibleByArgument {
  /// Parses the argument: `auto`, or the name of a charset.
  public init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument.lowercased() == "auto" ? .auto : .named(argument)
  }
}

/// The option `--calendar-zone`, which applies the declared zone of a file to floating times.
struct CalendarZoneOption: ParsableArguments {
  @Flag(
    name: .customLong("calendar-zone"),
    help: "Read floating times in the zone that their file declares (X-WR-TIMEZONE).")
  var isUsed = false

  /// The choices for reading files.
  func options(_ charset: CharsetChoice = .utf8, in context: Context) -> ReadingOptions {
    ReadingOptions(charset: charset, declaredZones: isUsed ? context.zoneResolver : nil)
  }
}

/// The option `--safe-csv`, which is the default.
struct SafeCSVOption: ParsableArguments {
  @Flag(
    name: .customLong("safe-csv"), inversion: .prefixedNo,
    help: "Put an apostrophe before text that a spreadsheet would take for a formula.")
  var safeCSV: Bool?

  /// Whether text that a spreadsheet would take for a formula has an apostrophe.
  var isSafe: Bool { safeCSV ?? true }
}

/// The option `--output`.
struct OutputOption: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The path of the file; nil for standard output.
  var path: String? { output == "-" ? nil : output }
}

extension Context {
  /// The calendars given by the arguments; all configured calendars if there are none.
  ///
  /// - Throws: `Failure` or `ConfigurationError`.
  func inputs(_ arguments: [String]) throws -> [CalendarLocation] {
    guard arguments.isEmpty else {
      return try arguments.map { argument in
        let isPath = argument == "-" || argument.contains("/") || argument.contains(".")
        // A file can be read without a valid configuration.
        let isName =
          !isPath || (try? configuration().calendars[argument]) != nil
          || FileMode(paths.absolute(argument)) == nil && configuredCalendar(argument) != nil
        return isName ? try input(argument) : CalendarLocation(path: argument)
      }
    }
    let calendars = try configuration().calendars.values
    guard !calendars.isEmpty else {
      throw Failure(
        .usage, "expected a calendar or a file, found none, and none in the configuration",
        hint: Failure.hint(.configure))
    }
    return calendars.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { CalendarLocation(path: $0.path, name: $0.name) }
  }

  /// The paths given by arguments: paths, or names of the configuration.
  ///
  /// The name of a calendar takes precedence over a file of that name, as for the views.
  func paths(_ arguments: [String]) -> [String] {
    func isPath(_ argument: String) -> Bool { argument == "-" || argument.contains("/") }
    guard !arguments.allSatisfy(isPath), let configuration = try? configuration() else {
      return arguments
    }
    return arguments.map { argument in
      guard !isPath(argument) else { return argument }
      let isThere = FileMode(paths.absolute(argument)) != nil
      guard let calendar = Self.calendar(argument, in: configuration, isExact: isThere) else {
        return argument
      }
      if isThere, paths.absolute(argument) != paths.absolute(calendar.path) {
        console.note("\(argument, .bold) is the calendar; for the file write ./\(argument)")
      }
      return calendar.path
    }
  }

  /// The configured calendar with a name or a title; nil also without a valid configuration, which
  /// files do not need.
  func configuredCalendar(_ text: String) -> CalendarSettings? {
    (try? configuration()).flatMap { Self.calendar(text, in: $0, isExact: false) }
  }

  /// The calendar of a configuration with a name, or with a title unless `isExact`.
  private static func calendar(
    _ text: String, in configuration: Configuration, isExact: Bool
  ) -> CalendarSettings? {
    let names = configuration.calendars.keys
    let name =
      isExact
      ? try? CalendarName.exact(text, among: names)
      : try? CalendarName.find(text, among: names) { configuration.calendarTitles }
    return name.flatMap { configuration.calendars[$0] }
  }

  /// The local calendar given by an argument: a configured name, a folder or a file.
  ///
  /// - Parameters:
  ///   - argument: The argument.
  ///   - isWritten: Whether items are written to it.
  /// - Returns: The location.
  /// - Throws: `Failure` or `ConfigurationError`.
  func input(_ argument: String, isWritten: Bool = false) throws -> CalendarLocation {
    try CalendarLocation(
      argument, configuration: try configuration(), machine: machine, isWritten: isWritten)
  }
}
