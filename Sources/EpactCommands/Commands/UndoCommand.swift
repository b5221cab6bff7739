// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

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
      restored likewise. Items that changed since are skipped and reported. An import and an edit \
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

  @Flag(help: "Print one JSON object instead of text.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in context: Context) async throws -> ExitStatus {
    var set = try SyncSet(try context.configuration(), machine: context.machine)
    set.options.isDryRun = isDryRun
    set.log = context.log
    let recorder = SyncRecorder(isDryRun: isDryRun, json ? .json : .text, context)
    let result = try await set.undo(number.map(RunID.init)) { recorder.record($0) }
    let report = recorder.report(result)
    if !json { result.undo?.show(on: context.console) }
    if json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array([report.json]),
        "exit": .integer(Int(report.status.rawValue)),
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
