// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import EpactConsole

/// `epact restore`: restores missing items of a local calendar.
struct RestoreCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore items that a local calendar or a remote lost.",
    discussion: """
      Each item that the last run knew and that is missing here gets the version on which both \
      sides last agreed. No file is overwritten. Items whose deletion was synchronized already are \
      not restored, and neither are items that are in another calendar now. A version that is not \
      stored is fetched from the remote under full access; under write-only access nothing is \
      requested, and an item has to be named. A restoration is a run, and `epact undo` undoes it.

      With --replace, earlier versions are replaced by the agreed ones, too, and deleted items that \
      are back are deleted again, if the calendar as a whole was restored from a backup. Items that \
      were edited since are left.

      With --push, the other direction is restored: if the remote was restored from a backup, the \
      versions that both sides had agreed on are sent to it again. Missing items are added, also those \
      that were deleted there by mistake, \
      earlier versions replaced, and deleted items that are back are deleted, as far as the guard \
      allows. All other items are synchronized as usual. If the remote lost nothing, nothing is \
      done.
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
    name: .customLong("replace"),
    help: "Also replace earlier versions in a calendar that was restored from a backup.")
  var isReplacing = false

  @Flag(
    name: .customLong("push"),
    help: "Send the agreed versions to a remote that was restored from a backup.")
  var isPushing = false

  @Option(
    help: ArgumentHelp(
      "With --push, allow up to this many deletions.", valueName: "number"))
  var allowDelete: Int?

  @OptionGroup var output: UndoOptions

  private var isDryRun: Bool { output.isDryRun }
  private var json: Bool { output.json }

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard allowDelete ?? 0 >= 0 else {
      throw ValidationError("--allow-delete is a number from 0")
    }
    guard isPushing || allowDelete == nil else {
      throw ValidationError("--allow-delete needs --push")
    }
    guard !isPushing || items.isEmpty && !isInNewPlace && !isReplacing else {
      throw ValidationError("--push sends all agreed versions, and takes no items")
    }
    guard !isReplacing || items.isEmpty else {
      throw ValidationError("--replace restores all agreed versions, and takes no items")
    }
  }

  func run(in context: Context) async throws -> ExitStatus {
    var set = try SyncSet(try context.configuration(), machine: context.machine)
    set.options.isDryRun = isDryRun
    set.log = context.log
    guard !isPushing else { return try await push(set, in: context) }
    let result = try await set.restore(
      sync, only: items, isNewPlaceAllowed: isInNewPlace, isReplacing: isReplacing)
    let status = context.console.write(
      RestorationReport(result, isDryRun: isDryRun), asJSON: json)
    if !json, items.isEmpty, result.items.isEmpty, result.properties.isEmpty {
      context.console.note(
        "If the remote lost items, to send them again: \(SuggestedCommand.restorePushing(sync))")
    }
    return status
  }

  private func push(_ set: SyncSet, in context: Context) async throws -> ExitStatus {
    var set = set
    set.options.allowedDeletions = allowDelete ?? 0
    let recorder = context.recorder(json ? .json : .text, isDryRun: isDryRun)
    let report = recorder.report(try await set.push(sync) { recorder.record($0) })
    if json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array([report.json]),
        "exit": report.status.json,
      ])
    }
    return report.status
  }
}
