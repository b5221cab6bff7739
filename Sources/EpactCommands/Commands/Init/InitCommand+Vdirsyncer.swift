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
    let prompt = questions(in: context)
    // vdirsyncer read and wrote everything until now.
    let tier = try access ?? (isAgreed ? .full : prompt.tier())
    let purpose = try prompt.purpose(of: tier)
    let result = try await VdirsyncerTakeover(
      migration, addingTo: context.configurationFile, machine: context.machine, access: tier,
      purpose: purpose
    ).carryOut(by: context.setupWriter)
    console.say(result.seedLines)
    for seed in result.seeds where seed.renamed > 0 {
      console.note(
        "\(seed.sync): vdirsyncer replaced the UIDs of \(Count(seed.renamed, "item")); the first "
          + "sync deletes these copies here, and adds the items of the feed: "
          + "\(SuggestedCommand.sync(seed.sync, allowDelete: seed.renamed))")
    }
    let failure = report(result, on: console)
    guard !result.names.isEmpty else {
      if failure == nil { console.say("There is nothing to add.") }
      return failure ?? .done
    }
    // A dry run of a sync without its status would show what must not be done.
    let names = Set(result.names).subtracting(result.leftSyncs.map(\.name))
    guard !isUnchecked, !names.isEmpty else { return failure ?? .done }
    let status = try await check(names, in: context)
    return ExitStatus.worst(of: [status, failure ?? .done])
  }

  /// Reports what could not be taken over.
  ///
  /// - Returns: The exit status of the most severe error; nil for none.
  private func report(_ result: VdirsyncerTakeover.Result, on console: Console) -> ExitStatus? {
    for left in result.leftPairs {
      console.complain("pair \(left.name): \(left.error.message); nothing of it is taken over")
    }
    for left in result.leftSyncs {
      console.complain(
        "\(left.name): \(left.error.message); do not sync it before the status of vdirsyncer is "
          + "taken over")
    }
    let errors = (result.leftPairs + result.leftSyncs).map(\.error)
    guard !errors.isEmpty else { return nil }
    console.note("To take over the rest afterwards: \(SuggestedCommand.initFromVdirsyncer)")
    return ExitStatus.worst(of: errors.map { Failure(describing: $0).status })
  }
}
