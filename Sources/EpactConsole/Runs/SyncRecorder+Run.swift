// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
package import Epact

// One run of syncs with its output, its metrics and its hooks.

extension SyncRecorder {
  /// Runs the syncs, and then the hooks.
  package func run(_ set: SyncSet) async throws -> ExitStatus {
    let changes = SyncChangeLog(isOn: set.configuration.onChange != nil && !page.isDryRun)
    let reports: [SyncReport]
    let result: SyncSet.Result
    do {
      (reports, result) = try await run(set, changes)
    } catch is CancellationError where !page.isDryRun {
      throw Failure(
        .interrupted, "interrupted: what was done until then stays, and the next sync goes on")
    } catch {
      let failure = page.failure(error)
      if !page.isDryRun, failure.status != .interrupted, !Task.isCancelled {
        runHook(of: set.configuration, "", failure.status, failure.line)
      }
      throw error
    }
    let status = ExitStatus.worst(of: reports.map(\.status))
    if page.output == .json {
      console.write([
        "dryRun": .bool(page.isDryRun), "syncs": .array(reports.map(\.json)),
        "calendars": calendars, "moves": .array(result.moves.map(\.json)),
        "exit": status.json,
      ])
    }
    guard !page.isDryRun else { return status }
    await publish(reports, changes, result, of: set)
    if page.output == .text, reports.contains(where: { $0.result.summary.conflicts > 0 }) {
      console.note("To settle what is in conflict: \(page.conflicts)")
    }
    return status
  }

  private func run(
    _ set: SyncSet, _ changes: SyncChangeLog
  ) async throws -> ([SyncReport], SyncSet.Result) {
    defer { showOutages() }
    let result = try await set.run { [self] event in
      record(event)
      changes.record(event)
    }
    showOutages(result.syncs.map(\.name))
    var reports = result.syncs.map(report)
    if result.isLedgerNew, reports.contains(where: { $0.status == .noAccess }) {
      let remark = SyncReport.remark(onNewLedger: set.ledgerFolder.path)
      for index in reports.indices { reports[index].remark = remark }
      console.report(remark)
    }
    console.write(page.shown(result.messages(isDryRun: page.isDryRun)))
    return (reports, result)
  }

  /// Writes the metrics, and runs the hooks for changes and for failed syncs.
  private func publish(
    _ reports: [SyncReport], _ changes: SyncChangeLog, _ result: SyncSet.Result,
    of set: SyncSet
  ) async {
    do throws(StoreError) {
      try await set.writeMetrics(of: result)
    } catch {
      console.warn("the metrics are not written: \(error)")
    }
    for error in set.runHooks(for: changes, of: result) {
      console.warn(page.failure(error).line)
    }
    for failure in ServerOutage.failures(in: result.syncs) {
      guard let report = reports.first(where: { $0.result.name == failure.result.name }) else {
        continue
      }
      let names = failure.syncs.joined(separator: ", ")
      runHook(of: result.configuration, names, report.status, report.message)
    }
  }

  private func runHook(
    of configuration: Configuration, _ syncs: String, _ status: ExitStatus,
    _ message: ConsoleText
  ) {
    do throws(EpactError) {
      try configuration.runFailureHook(
        for: syncs, status: Int(status.rawValue), message: console.plain(message),
        on: machine)
    } catch {
      console.warn(page.failure(error).line)
    }
  }
}
