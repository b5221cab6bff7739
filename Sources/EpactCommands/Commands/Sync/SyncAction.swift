// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import EpactConsole
import Synchronization

/// One run of syncs with its output, its metrics and its hooks.
struct SyncAction {
  /// The names of the syncs to run; all if empty.
  let names: [String]
  let output: SyncRecorder.Output
  var options = SyncSet.Options()

  /// Creates a run of some syncs, or of all.
  init(names: [String], output: SyncRecorder.Output) {
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
    let reports: [SyncReport]
    let result: SyncSet.Result
    let recorder = SyncRecorder(isDryRun: isDryRun, output, context, joinsOutages: true)
    let changes = SyncChangeLog(isOn: configuration.onChange != nil && !isDryRun)
    do {
      (reports, result) = try await run(set, recorder, changes, context)
    } catch is CancellationError where !isDryRun {
      throw Failure(
        .interrupted, "interrupted: what was done until then stays, and the next sync goes on")
    } catch {
      runHook(for: error, configuration.onFailure, context)
      throw error
    }
    let status = ExitStatus.worst(of: reports.map(\.status))
    if output == .json {
      context.console.write([
        "dryRun": .bool(isDryRun), "syncs": .array(reports.map(\.json)),
        "calendars": recorder.calendars, "moves": .array(result.moves.map(\.json)),
        "exit": .integer(Int(status.rawValue)),
      ])
    }
    if !isDryRun {
      await writeMetrics(reports, of: set, result.configuration, context)
      publish(reports, changes, result.configuration, context)
    }
    if !isDryRun, output == .text, reports.contains(where: { $0.result.summary.conflicts > 0 }) {
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
      let remark = Self.remark(set.ledgerFolder.path)
      for index in reports.indices { reports[index].remark = remark }
      context.console.report(remark)
    }
    for duplicates in result.duplicates { warn(duplicates, context) }
    warn(result.returned, context)
    if output != .json { result.moves.forEach { show($0, context) } }
    return (reports, result)
  }

  /// The remark about a ledger without grants and runs.
  private static func remark(_ folder: String) -> ConsoleText {
    "The ledger in \(folder) is new, and grants are kept there alone. On a restored machine, bring "
      + "that folder back from a backup, or grant access once more; the next sync then pairs what "
      + "both sides hold by UID, and deletes nothing."
  }

  private func show(_ move: CalendarMove, _ context: Context) {
    let verb = isDryRun ? "would move" : "moved"
    let name: ConsoleText = "\"\(move.title)\" \("(\(move.uid))", .dim)"
    context.console.say("\(verb) \(name) from \(move.departure) to \(move.arrival).")
  }

  /// The maximum number of duplicates that are reported at once.
  private static let duplicateLimit = 10

  /// Warns about items that another machine moved after they were deleted here.
  private func warn(_ returned: [ReturnedItem], _ context: Context) {
    for item in returned.prefix(Self.duplicateLimit) {
      context.console.warn(
        "\"\(item.title)\" \("(\(item.uid))", .dim) was deleted here from the calendar of "
          + "\(item.origin), and moved elsewhere: it is now in that of \(item.sync)")
    }
    let rest = returned.count - Self.duplicateLimit
    if rest > 0 { context.console.warn("so are \(Count.grouped(rest)) more items") }
  }

  /// Warns about items in two calendars.
  private func warn(_ duplicates: [DuplicateItem], _ context: Context) {
    for item in duplicates.prefix(Self.duplicateLimit) {
      guard item.isOfOneAccount else {
        let syncs = item.locations.map(\.sync).joined(separator: " and ")
        context.console.warn(
          "\"\(item.title ?? item.uid.rawValue)\" \("(\(item.uid))", .dim) is now in the calendars of "
            + "\(syncs): to keep one, delete the other")
        continue
      }
      let places = item.locations.map { "\($0.href) (\($0.sync))" }.joined(separator: " and ")
      context.console.warn(
        "the UID \("\(item.uid)") is in two calendars of one account, \(places): some servers "
          + "refuse that"
      )
    }
    if duplicates.count > Self.duplicateLimit {
      context.console.warn(
        "so are \(Count.grouped(duplicates.count - Self.duplicateLimit)) more items")
    }
  }

  /// Writes the metrics of the syncs.
  ///
  /// The calendars of an account that was not listed are no syncs of the run, but still exist.
  private func writeMetrics(
    _ reports: [SyncReport], of set: SyncSet, _ configuration: Configuration, _ context: Context
  ) async {
    guard let path = configuration.metrics else { return }
    var names = configuration.syncNames
    let known = Set(names)
    let failed = Set(reports.filter { $0.result.error != nil }.map(\.result.name))
    names += set.configuration.syncs
      .filter { !known.contains($0.name) && failed.contains($0.account ?? "") }.map(\.name)
    let successes = await set.lastSuccesses()
    do throws(StoreError) {
      try MetricsFile(path: path).write(
        reports.map(\.result), syncs: names, knowing: successes)
    } catch {
      context.console.warn("the metrics are not written: \(error)")
    }
  }

  /// Runs the hooks for changes and for failed syncs.
  private func publish(
    _ reports: [SyncReport], _ changes: SyncChangeLog, _ configuration: Configuration,
    _ context: Context
  ) {
    if let words = configuration.onChange {
      for sync in configuration.syncs {
        guard let made = changes[sync.name], made.isLocal else { continue }
        let path = configuration.calendars[sync.calendar]?.path
        runHook(
          Hook("on-change", words: words, machine: context.machine),
          ["EPACT_SYNC": sync.name], input: made.json(of: sync, path: path).serialized() + "\n",
          context)
      }
    }
    // A server that is down is one failure.
    let outages = ServerOutage.find(in: reports.map(\.result))
    for report in reports where report.status != .done {
      let name = report.result.name
      guard let outage = outages.first(where: { $0.syncs.contains(name) }) else {
        runHook(configuration.onFailure, name, report.status, report.message, context)
        continue
      }
      guard outage.syncs.first == name else { continue }
      let names = outage.syncs.joined(separator: ", ")
      runHook(configuration.onFailure, names, report.status, report.message, context)
    }
  }

  /// Runs the failure hook for an error that prevented all syncs from running.
  private func runHook(for error: any Error, _ words: [String]?, _ context: Context) {
    let failure = Failure(describing: error)
    guard !isDryRun, failure.status != .interrupted, !Task.isCancelled else { return }
    runHook(words, "", failure.status, failure.line, context)
  }

  private func runHook(
    _ words: [String]?, _ sync: String, _ status: ExitStatus, _ message: ConsoleText,
    _ context: Context
  ) {
    guard let words else { return }
    runHook(
      Hook("on-failure", words: words, machine: context.machine),
      [
        "EPACT_SYNC": sync, "EPACT_STATUS": String(status.rawValue),
        "EPACT_MESSAGE": context.console.plain(message),
      ], context)
  }

  private func runHook(
    _ hook: Hook, _ variables: KeyValuePairs<String, String>, input: String = "",
    _ context: Context
  ) {
    do throws(EpactError) {
      try hook.run(variables, input: input)
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

/// The changes of running syncs, for the `on-change` hook.
///
/// It is a class because the engine reports events while the command waits for it.
private final class SyncChangeLog: Sendable {
  private let isOn: Bool
  private let changes = Mutex<[String: SyncChanges]>([:])

  init(isOn: Bool) {
    self.isOn = isOn
  }

  func record(_ event: SyncSetEvent) {
    guard isOn, case .running(let sync, let event) = event else { return }
    changes.withLock { $0[sync, default: SyncChanges()].record(event) }
  }

  subscript(sync: String) -> SyncChanges? { changes.withLock { $0[sync] } }
}
