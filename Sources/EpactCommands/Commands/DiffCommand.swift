// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarFiles
import CalendarModel
import CalendarSync
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
        "exit": .integer(Int(status.rawValue)),
      ])
    } else {
      let heading: [ConsoleText] =
        comparison.calendar.isEmpty ? [] : ["\("~", .yellow) the calendar"]
      let lines =
        heading + RowReport(rows: comparison.calendar).lines + comparison.items.flatMap(\.lines)
      for line in lines { context.console.say(line) }
    }
    return status
  }
}

extension ItemDifference {
  /// The item and its differences: `-` marks the first version, `+` the second.
  fileprivate var lines: [ConsoleText] {
    let name: ConsoleText = "\(item.title) \("(\(item.uid))", .dim)"
    return switch change {
    case .added: ["\("+", .green) \(name)"]
    case .removed: ["\("-", .red) \(name)"]
    case .changed: ["\("~", .yellow) \(name)"] + RowReport(rows: rows).lines
    }
  }
}

/// The differences between two versions by property, as text.
struct RowReport {
  let rows: [ItemComparison.Row]

  /// The differences, grouped by component: `-` marks the first version, `+` the second.
  var lines: [ConsoleText] {
    var lines: [ConsoleText] = []
    var component = ""
    for row in rows {
      if row.component != component { lines.append("    \(row.component, .bold)") }
      component = row.component
      lines += row.versions[0].map { "      \("- \($0)", .red)" }
      lines += row.versions[1].map { "      \("+ \($0)", .green)" }
    }
    return lines
  }
}
