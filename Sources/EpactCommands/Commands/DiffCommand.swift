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

      With --files-from, the calendars are two folders, and the list has paths of files below both of \
      them: of each file, the version in one folder is compared with that in the other one. --json then \
      prints an object a line for each file that differs. A file that cannot be read in both folders \
      does not end the run.

      Examples:

        epact diff monday.ics tuesday.ics
        (cd monday && find . -name '*.ics') | epact diff monday tuesday --files-from -
      """)

  @Argument(
    help: ArgumentHelp(
      "A file, a folder, a name of the configuration, or - for standard input.",
      valueName: "a"), completion: .calendars)
  var first: String

  @Argument(
    help: ArgumentHelp("What to compare it with.", valueName: "b"), completion: .calendars)
  var second: String

  @OptionGroup var list: FileListOption

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var errors: ErrorsOption

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func validate() throws {
    if list.isUsed, [first, second].contains("-") {
      throw ValidationError("--files-from compares two folders, and not standard input")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    errors.apply(to: context.console)
    let paths = context.paths([first, second])
    guard list.isUsed else {
      let comparison = try await compare(paths, in: context)
      let status: ExitStatus = comparison.isEmpty ? .done : .found
      if json {
        context.console.write(.object(members(of: comparison) + [.init("exit", status.json)]))
      } else {
        context.console.say(DifferencePage.lines(of: comparison))
      }
      return status
    }
    var names = try list.open()
    var result = ListStatus()
    while let name = try names.next({
      context.console.report($0)
      result.add(.nothingDone)
    }) {
      do {
        result.add(try await compare(name, in: paths, context))
      } catch let error as FileError {
        context.console.report(.unreadable(path: error.path, reason: error.reason))
        result.add(.nothingDone)
      }
    }
    return result.status
  }

  /// Compares the versions of a file in two folders.
  private func compare(
    _ name: String, in folders: [String], _ context: Context
  ) async throws -> ExitStatus {
    let paths = folders.map { "\($0)/\(name)" }
    let comparison = try await compare(paths, in: context)
    guard !comparison.isEmpty else { return .done }
    if json {
      let file = JSONValue.Member("file", .string(name))
      context.console.write((JSONValue.object([file] + members(of: comparison)).line + "\n").utf8)
    } else {
      context.console.say(["\("--- \(paths[0])", .bold)", "\("+++ \(paths[1])", .bold)"])
      context.console.say(DifferencePage.lines(of: comparison))
    }
    return .found
  }

  private func members(of comparison: CalendarComparison) -> [JSONValue.Member] {
    [
      .init("calendar", .array(comparison.calendar.map(\.json))),
      .init("differences", .array(comparison.items.map(\.json))),
    ]
  }

  private func compare(_ paths: [String], in context: Context) async throws -> CalendarComparison {
    let options = ReadingOptions(charset: .utf8)
    let (before, after) = try await ItemCollection.pair(paths[0], paths[1], options: options)
    for items in [before, after] { context.console.report(items) }
    return try CalendarComparison(from: before, to: after, normalForm: context.normalForm)
  }
}
