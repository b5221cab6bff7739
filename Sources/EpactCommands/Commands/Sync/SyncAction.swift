// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact
import EpactConsole

/// One run of syncs with its output, its metrics and its hooks.
struct SyncAction {
  /// The names of the syncs to run; all if empty.
  let names: [String]
  let output: SyncPage.Output
  var options = SyncSet.Options()

  /// Creates a run of some syncs, or of all.
  init(names: [String], output: SyncPage.Output) {
    self.names = names
    self.output = output
  }

  private var isDryRun: Bool { options.isDryRun }

  /// The syncs of the configuration.
  ///
  /// - Throws: `Failure` if the configuration has no sync; `EpactError` if a name is unknown.
  func set(in context: Context) throws -> SyncSet {
    let configuration = try context.configuration()
    try expectSyncs(in: configuration, context)
    var set = try SyncSet(configuration, names: names, machine: context.machine)
    set.options = options
    set.log = context.log
    return set
  }

  /// Runs the syncs, and then the hooks.
  func run(_ set: SyncSet, in context: Context) async throws -> ExitStatus {
    let configuration = set.configuration
    let recorder = context.recorder(output, isDryRun: isDryRun, joinsOutages: true)
    let changes = SyncChangeLog(isOn: configuration.onChange != nil && !isDryRun)
    let reports: [SyncReport]
    let result: SyncSet.Result
    do {
      (reports, result) = try await run(set, recorder, changes, context)
    } catch is CancellationError where !isDryRun {
      throw Failure(
        .interrupted, "interrupted: what was done until then stays, and the next sync goes on")
    } catch {
      let failure = Failure(describing: error)
      if !isDryRun, failure.status != .interrupted, !Task.isCancelled {
        runHook(of: configuration, "", failure.status, failure.line, context)
      }
      throw error
    }
    let status = ExitStatus.worst(of: reports.map(\.status))
    if output == .json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array(reports.map(\.json)),
        "calendars": recorder.calendars, "moves": .array(result.moves.map(\.json)),
        "exit": status.json,
      ])
    }
    guard !isDryRun else { return status }
    await publish(reports, changes, result, of: set, context)
    if output == .text, reports.contains(where: { $0.result.summary.conflicts > 0 }) {
      context.console.note("To settle what is in conflict: \(SuggestedCommand.conflicts())")
    }
    return status
  }

  private func run(
    _ set: SyncSet, _ recorder: SyncRecorder, _ changes: SyncChangeLog, _ context: Context
  ) async throws -> ([SyncReport], SyncSet.Result) {
    defer { recorder.showOutages() }
    let result = try await set.run { event in
      recorder.record(event)
      changes.record(event)
    }
    recorder.showOutages(result.syncs.map(\.name))
    var reports = result.syncs.map(recorder.report)
    if result.isLedgerNew, reports.contains(where: { $0.status == .noAccess }) {
      let remark = SyncReport.remark(onNewLedger: set.ledgerFolder.path)
      for index in reports.indices { reports[index].remark = remark }
      context.console.report(remark)
    }
    context.console.write(recorder.page.shown(result.messages(isDryRun: isDryRun)))
    return (reports, result)
  }

  /// Writes the metrics, and runs the hooks for changes and for failed syncs.
  private func publish(
    _ reports: [SyncReport], _ changes: SyncChangeLog, _ result: SyncSet.Result, of set: SyncSet,
    _ context: Context
  ) async {
    do throws(StoreError) {
      try await set.writeMetrics(of: result)
    } catch {
      context.console.warn("the metrics are not written: \(error)")
    }
    for error in set.runHooks(for: changes, of: result) {
      context.console.warn(Failure(describing: error).line)
    }
    for failure in ServerOutage.failures(in: result.syncs) {
      guard let report = reports.first(where: { $0.result.name == failure.result.name }) else {
        continue
      }
      let names = failure.syncs.joined(separator: ", ")
      runHook(of: result.configuration, names, report.status, report.message, context)
    }
  }

  private func runHook(
    of configuration: Configuration, _ syncs: String, _ status: ExitStatus,
    _ message: ConsoleText, _ context: Context
  ) {
    do throws(EpactError) {
      try configuration.runFailureHook(
        for: syncs, status: Int(status.rawValue), message: context.console.plain(message),
        on: context.machine)
    } catch {
      context.console.warn(Failure(describing: error).line)
    }
  }

  /// Checks that there is a sync to run.
  private func expectSyncs(in configuration: Configuration, _ context: Context) throws(Failure) {
    guard configuration.hasSyncs else {
      throw Failure(
        .configuration, "there is no [[sync]] in the configuration",
        hint:
          "The configuration is \(context.configurationPath). To make one, or to add to it: "
          + "\(SuggestedCommand.initialize)"
      )
    }
  }
}

extension Context {
  /// A recorder that shows the events of syncs.
  func recorder(
    _ output: SyncPage.Output, isDryRun: Bool, planLimit: Int? = nil, joinsOutages: Bool = false
  ) -> SyncRecorder {
    var page = SyncPage(
      output, isDryRun: isDryRun, isQuiet: console.isQuiet, ProgramRemedies())
    page.planLimit = planLimit
    return SyncRecorder(page, console, log, machine, joinsOutages: joinsOutages)
  }
}
