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
      configuration; of other runs, only the last. `epact undo` undoes a run.
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

  func run(in context: Context) async throws -> ExitStatus {
    let history = try History(machine: context.machine)
    if let number = subject.flatMap(Int64.init) {
      show(try await history.changes(ofRun: number), isBusy: history.isBusy, in: context)
    } else {
      let runs = try await history.runs(of: subject)
      let titles = json ? [:] : try await history.titles(of: runs)
      list(runs, titles, isBusy: history.isBusy, in: context)
    }
    return .done
  }

  private func list(
    _ runs: [PastRun], _ titles: [RunID: String], isBusy: Bool, in context: Context
  ) {
    if json {
      context.console.write(["runs": .array(runs.map(\.json))])
      return
    }
    let texts = runs.map { RunText($0, title: titles[$0.id], isBusy: isBusy) }
    let width = texts.map { DisplayWidth.of($0.sync) }.max() ?? 0
    for text in texts { context.console.show(text.line(syncWidth: width)) }
    if let first = runs.first {
      context.console.note("To see one: \(SuggestedCommand.history(first.id))")
    } else {
      context.console.say("No runs are remembered.")
    }
  }

  private func show(_ changes: History.Changes, isBusy: Bool, in context: Context) {
    guard !json else { return context.console.write(changes.json) }
    context.console.show(RunText(changes.run, isBusy: isBusy).line())
    for line in changes.items {
      context.console.show(RunText.line(line))
      for detail in RunText.details(of: line, context.normalForm) { context.console.show(detail) }
    }
    for line in changes.properties { context.console.show(RunText.line(line)) }
  }
}

/// `epact undo`: undoes a run.
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo a run.",
    discussion: """
      Each item that the run wrote gets its earlier version, on the side where it was written; the \
      edit that it transferred stays on the other side. The sides then differ, and `epact \
      conflicts` resolves the conflict. Deleted items are restored on both sides. Added items are \
      deleted where they were added; the other side keeps them, and the next sync adds them again \
      unless they are deleted there. The name, colour, description and order of the calendar are \
      restored likewise. Items that changed since are skipped and reported, and so is an item that \
      the other side does not hold any more, because it would be the last copy. The guard counts \
      deletions as in `epact sync`. An import and an edit \
      are undone in their calendars, byte for byte. An undo is a run itself, and can be undone. \
      Without a number, the last run with changes is undone.
      """)

  @Argument(
    help: ArgumentHelp(
      "Undo the run with this number, as shown by `epact history`.", valueName: "run"),
    completion: .runs)
  var number: Int64?

  @Flag(
    name: .customLong("dry-run"),
    help: "Print the planned changes; write nothing, and send only requests that read.")
  var isDryRun = false

  @Option(
    help: ArgumentHelp(
      "Allow up to this many deletions in this run.", valueName: "number"))
  var allowDelete: Int?

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    var set = try SyncSet(try context.configuration(), machine: context.machine)
    set.options.isDryRun = isDryRun
    set.options.allowedDeletions = allowDelete ?? 0
    set.log = context.log
    let recorder = SyncRecorder(isDryRun: isDryRun, json ? .json : .text, context)
    let result = try await set.undo(number.map(RunID.init)) { recorder.record($0) }
    let report = recorder.report(result)
    if !json { result.undo?.show(on: context.console) }
    if json {
      context.console.write([
        "dryRun": .bool(isDryRun), "run": result.undo?.run.json ?? .null,
        "syncs": .array([report.json]), "exit": .integer(Int(report.status.rawValue)),
      ])
    }
    return report.status
  }
}

extension UndoOutcome {
  /// The changes as phrases.
  func phrases(_ summary: RunSummary) -> [String] {
    isLocal ? summary.phrases(downloaded: "put back here") : summary.phrases
  }

  /// Prints the effect of the next sync.
  fileprivate func show(on console: Console) {
    console.note("undoes run \(run.id.rawValue) (\(RunText(run).sync))")
    guard !isLocal else { return }
    if apart > 0 {
      let items: ConsoleText =
        apart == 1
        ? "1 item now differs between the sides and waits for a choice"
        : "\(Count(apart, "item")) now differ between the sides and wait for a choice"
      console.note("\(items): \(SuggestedCommand.conflicts())")
    }
    for (side, place, other) in [
      (MergeSide.local, "here", "to the remote"), (.remote, "on the remote", "here"),
    ] {
      guard let count = alone[side] else { continue }
      let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
      console.note(
        "\(Count(count, "item")) \(verb) still \(place): the next sync adds \(them) \(other) "
          + "again, unless \(them == "it" ? "it is" : "they are") deleted \(place)"
      )
    }
  }
}
