// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import CalendarSync
import Epact
import ICalSyntax

/// `epact diff`: compares two calendars.
struct DiffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell what two calendars say differently.",
    discussion: """
      Compares by meaning: item by item by UID, occurrence by occurrence, property by property. \
      Order, folds, escapes, stamps of the writing and definitions of time zones that say the same do \
      not count. Where each is one file, what it says of its calendar counts too. The exit status is 0 \
      if the meaning is the same, and 4 if it is not; with --quiet it is all that says so.
      """)

  @Argument(
    help: ArgumentHelp("A file, a folder, or - for standard input.", valueName: "a"),
    completion: .file())
  var first: String

  @Argument(help: ArgumentHelp("The one to compare it with.", valueName: "b"), completion: .file())
  var second: String

  @Flag(help: "Print one JSON object instead of lines for people.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    let (before, after) = (try ItemReading(first), try ItemReading(second))
    for reading in [before, after] { reading.report(to: context.console) }
    let form = context.normalForm
    var differences: [ItemDifference] = []
    for uid in Set(before.items.keys).union(after.items.keys).sorted() {
      try Task.checkCancellation()
      let difference = ItemDifference(
        before: before.items[uid], after: after.items[uid], normalForm: form)
      if let difference { differences.append(difference) }
    }
    // Calendar properties are compared only for single calendars: a folder has one per file.
    var calendars: [ItemComparison.Row] = []
    if let first = before.calendar, let second = after.calendar {
      calendars = ItemComparison(calendars: [first, second], normalForm: form).rows
    }
    let status: ExitStatus = differences.isEmpty && calendars.isEmpty ? .done : .found
    if json {
      context.console.write([
        "calendar": RowReport(rows: calendars).json,
        "differences": .array(differences.map(\.json)), "exit": .integer(Int(status.rawValue)),
      ])
    } else {
      let heading: [ConsoleText] = calendars.isEmpty ? [] : ["\("~", .yellow) the calendar"]
      for line in heading + RowReport(rows: calendars).lines + differences.flatMap(\.lines) {
        context.console.say(line)
      }
    }
    return status
  }
}
