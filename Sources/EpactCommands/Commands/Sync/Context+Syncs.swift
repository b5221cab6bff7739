// SPDX-License-Identifier: Apache-2.0

import Epact
import EpactConsole

extension Context {
  /// The syncs of the configuration with some names; all if there are none.
  ///
  /// - Throws: `Failure` if the configuration has no sync; `EpactError` if a name is unknown.
  func syncs(_ names: [String], _ options: SyncSet.Options = SyncSet.Options()) throws -> SyncSet {
    let configuration = try configuration()
    guard configuration.hasSyncs else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration",
        hint:
          "The configuration is \(configurationFile.path). To make one, or to add to it: "
          + "\(SuggestedCommand.initialize)"
      )
    }
    var set = try SyncSet(configuration, names: names, machine: machine)
    (set.options, set.log) = (options, log)
    return set
  }

  /// The mirrors of the configuration with some names; all if there are none.
  ///
  /// - Throws: `Failure` if the configuration has no mirror; `EpactError` if a name is unknown.
  func mirrors(_ names: [String], _ options: SyncSet.Options) throws -> SyncSet {
    let known = try configuration().mirrors.map(\.name)
    guard !known.isEmpty else {
      throw Failure(
        .configuration, "there is no [[mirror]] in the configuration",
        hint: "The configuration is \(configurationFile.path).")
    }
    if let name = names.first(where: { !known.contains($0) }) {
      throw EpactError.unknown(name, what: "mirror", known: known)
    }
    return try syncs(names.isEmpty ? known : names, options)
  }

  /// Runs syncs, and then the hooks.
  func run(_ set: SyncSet, _ output: SyncPage.Output) async throws -> ExitStatus {
    try await recorder(output, isDryRun: set.options.isDryRun, joinsOutages: true).run(set)
  }

  /// A recorder that shows the events of syncs.
  func recorder(
    _ output: SyncPage.Output, isDryRun: Bool, planLimit: Int? = nil, joinsOutages: Bool = false
  ) -> SyncRecorder {
    var page = SyncPage(
      output, isDryRun: isDryRun, isQuiet: console.isQuiet, ProgramRemedies())
    page.planLimit = planLimit
    // An unreadable configuration is the error of the command itself.
    page.mirrors = Set((try? configuration().mirrors.map(\.name)) ?? [])
    return SyncRecorder(page, console, log, machine, joinsOutages: joinsOutages)
  }
}
