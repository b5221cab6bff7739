// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import EpactConsole

/// `epact init --from-vdirsyncer`: takes over accounts, calendars and status.
extension InitCommand {
  /// Takes over the configuration of vdirsyncer, and performs a dry run of the new syncs.
  func takeOver(in context: Context) async throws -> ExitStatus {
    let console = context.console
    let path =
      address.map(context.paths.absolute) ?? VdirsyncerMigration.usualPath(on: context.machine)
    let migration = try VdirsyncerMigration(path: path, machine: context.machine)
    for left in migration.left {
      console.say("\(left.subject, .bold): \(left.reason)")
    }
    let prompt = InitPrompt(command: self, context: context)
    // vdirsyncer read and wrote everything until now.
    let tier = try access ?? (isAgreed ? .full : prompt.tier())
    let purpose = try prompt.purpose(of: tier)
    let writer = SetupWriter(
      context.configurationFile, machine: context.machine, prompt: ConsoleAccessPrompt(console)
    ) { Self.show($0, on: console) }
    let result = try await VdirsyncerTakeover(
      migration, addingTo: context.configurationFile, machine: context.machine
    ).carryOut(access: tier, purpose: purpose, by: writer)
    for seed in result.seeds {
      let counts = [
        (seed.unchanged, "unchanged here since vdirsyncer's last run"), (seed.edited, "edited"),
        (seed.deleted, "deleted"), (seed.unknown, "to be compared"),
      ]
      let words = counts.filter { $0.0 > 0 }.map { "\(Count.grouped($0.0)) \($0.1)" }
      guard !words.isEmpty else { continue }
      console.say("\(seed.sync, .bold): \(words.joined(separator: ", "))")
    }
    for seed in result.seeds where seed.renamed > 0 {
      console.note(
        "\(seed.sync): vdirsyncer replaced the UIDs of \(Count(seed.renamed, "item")); the first "
          + "sync deletes these copies here, and adds the items of the feed: "
          + "\(SuggestedCommand.sync(seed.sync, allowDelete: seed.renamed))")
    }
    guard !result.names.isEmpty else {
      console.say("There is nothing to add.")
      return .done
    }
    guard !isUnchecked else { return .done }
    return try await check(Set(result.names), in: context)
  }
}
