// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import Epact
import EpactConsole

/// `epact diff`: compares two calendars.
struct DiffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two calendars.",
    discussion: """
      Compares items by UID, and their occurrences and properties by meaning. Order, folding, \
      escaping, stamps and equivalent definitions of time zones are ignored. The properties of the \
      calendars are compared if each is one file. Exits with status 0 if the calendars are \
      equivalent, and with 4 otherwise; --quiet prints nothing.
      """)

  @Argument(
    help: ArgumentHelp(
      "A file, a folder, a name of the configuration, or - for standard input.",
      valueName: "a"), completion: .calendars)
  var first: String

  @Argument(
    help: ArgumentHelp("What to compare it with.", valueName: "b"), completion: .calendars)
  var second: String

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let options = ReadingOptions(charset: .utf8)
    let paths = context.paths([first, second])
    let (before, after) = try await ItemCollection.pair(paths[0], paths[1], options: options)
    for items in [before, after] { context.console.report(items) }
    let comparison = try CalendarComparison(
      from: before, to: after, normalForm: context.normalForm)
    let status: ExitStatus = comparison.isEmpty ? .done : .found
    if json {
      context.console.write([
        "calendar": .array(comparison.calendar.map(\.json)),
        "differences": .array(comparison.items.map(\.json)),
        "exit": status.json,
      ])
    } else {
      context.console.say(DifferencePage.lines(of: comparison))
    }
    return status
  }
}
