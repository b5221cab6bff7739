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
  var files: [String] = []

  @OptionGroup var list: FileListOption

  func validate() throws {
    try list.validate(without: files)
    guard list.isUsed || !files.isEmpty else {
      throw ValidationError("expected a file or --files-from, found neither")
    }
  }
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
  /// The meaning of the words of the command line.
  var arguments: ArgumentReading { ArgumentReading(configurationFile, machine: machine) }

  /// The paths given by arguments: paths, or names of the configuration.
  ///
  /// The name of a calendar takes precedence over a file of that name, as for the views.
  func paths(_ words: [String]) -> [String] {
    arguments.paths(words) {
      console.note("\($0, .bold) is the calendar; for the file write ./\($0)")
    }
  }
}
