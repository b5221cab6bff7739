// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact history`: lists runs, and shows what one run did to items and properties.
struct HistoryCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show the changes of past runs.",
    discussion: """
      Without a subject, all stored runs are listed, the newest first; with the name of a sync, \
      only its runs; with "import" or "edit", those of imports or of edits. With the number of a \
      run, its changes of items and of the name, colour, description and order of the calendar are \
      shown. Runs with changes are stored for 30 days, or for the number of "history-days" in the \
      configuration; of other runs, only the last. `epact undo` undoes your last change, or a run.
      """)

  @Argument(
    help: ArgumentHelp(
      "Show the runs of this sync, or the run with this number.", valueName: "subject"),
    completion: .syncsAndRuns)
  var subject: String?

  @Flag(
    help: "Print one JSON object, with the contents before and after, instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  var isPaged: Bool { true }

  func run(in context: Context) async throws -> ExitStatus {
    let history = try History(machine: context.machine)
    if let number = subject.flatMap(Int64.init) {
      show(try await history.changes(ofRun: number), isBusy: history.isBusy, in: context)
    } else {
      let runs = try await history.runs(of: subject)
      if runs.isEmpty, let subject, !History.groups.contains(subject) {
        // The name of a sync that has not run yet, or an error.
        _ = try context.configuration().syncs(named: [subject])
      }
      let titles = json ? [:] : try await history.titles(of: runs)
      list(runs, titles, isBusy: history.isBusy, in: context)
    }
    return .done
  }

  private func list(
    _ runs: [PastRun], _ titles: [RunID: String], isBusy: Bool, in context: Context
  ) {
    guard !json else { return context.console.write(["runs": .array(runs.map(\.json))]) }
    context.console.show(RunText.lines(of: runs, titles, isBusy: isBusy))
    if let first = runs.first {
      context.console.note("To see one: \(SuggestedCommand.history(first.id))")
    } else {
      context.console.say("No runs are remembered.")
    }
  }

  private func show(_ changes: History.Changes, isBusy: Bool, in context: Context) {
    guard !json else { return context.console.write(changes.json) }
    context.console.show(RunText.lines(of: changes, isBusy: isBusy, context.normalForm))
  }
}
