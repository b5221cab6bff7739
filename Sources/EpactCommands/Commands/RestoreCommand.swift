// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarSync
import Epact
import EpactConsole

/// `epact restore`: restores missing items of a local calendar.
struct RestoreCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore items that are missing in a local calendar.",
    discussion: """
      Each item that the last run knew and that is missing here gets the version on which both \
      sides last agreed. No file is overwritten. Items whose deletion was synchronized already are \
      not restored, and neither are items that are in another calendar now. A version that is not \
      stored is fetched from the remote under full access; under write-only access nothing is \
      requested, and an item has to be named. A restoration is a run, and `epact undo` undoes it.
      """)

  @Argument(
    help: ArgumentHelp("Restore items of this sync.", valueName: "sync"), completion: .syncNames)
  var sync: String

  @Argument(
    help: ArgumentHelp(
      "Restore only items with this UID, or with this text in their title.", valueName: "item"))
  var items: [String] = []

  @Flag(
    name: .customLong("new-place"),
    help: """
      Restore even if the calendar is missing, or is on another file system than in the last run.
      """)
  var isInNewPlace = false

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
    let result = try await set.restore(sync, only: items, isNewPlaceAllowed: isInNewPlace)
    let status: ExitStatus = result.left.contains(where: \.isFailure) ? .someFailed : .done
    guard !json else {
      context.console.write(result.json(isDryRun: isDryRun, exit: status.rawValue))
      return status
    }
    show(result, on: context.console)
    return status
  }

  private func show(_ result: Restoration, on console: Console) {
    let name = SafeText.escaped(result.sync)
    let verb = isDryRun ? "would restore" : "restored"
    for item in result.items {
      console.say("\(name, .bold): \(verb) \"\(item.title)\" \("(\(item.uid))", .dim)")
    }
    for item in result.left {
      console.show(
        "\(name, .bold): left out \"\(item.title)\" \("(\(item.uid))", .dim): \(item.reason)")
    }
    guard !result.items.isEmpty else {
      return console.say("\(name, .bold): nothing was restored.")
    }
    let count = Count(result.items.count, "item")
    console.say(
      isDryRun
        ? "\(name, .bold): \(count) to restore (dry run, nothing was changed)."
        : "\(name, .bold): \(count) restored.")
  }
}
