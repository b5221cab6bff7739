// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Logging
import Synchronization

/// One run of a sync: checks the grant, sets up the engine, and shows the progress.
struct SyncSession: Sendable {
  let sync: SyncSettings
  let configuration: Configuration
  let ledger: any LedgerStore
  let allowDelete: Int?
  let isDryRun: Bool
  /// Whether full contents are compared instead of ETags.
  var isVerifying = false
  /// Whether text output is suppressed because JSON is printed at the end.
  let isSilent: Bool
  let context: Context
  /// The run to undo; nil for a normal sync.
  var undoing: PastRun?
  /// The items that were moved to the calendar of another sync.
  var moved: [UID: SyncBinding] = [:]
  /// The items that were moved from the calendars of other syncs.
  var sources: [MoveSource] = []
  /// The items that an interrupted run was about to add and that another calendar contained.
  var elsewhere: Set<UID> = []

  /// Runs the sync; errors are reported, and do not stop other syncs.
  ///
  /// - Throws: `CancellationError`.
  func run() async throws -> SyncReport {
    var access: AccessRecorder?
    let (start, begin) = (context.machine.now(), context.machine.stopwatch())
    var report: SyncReport
    do {
      report = try await run(&access)
    } catch {
      try? await access?.flush()
      throw error
    }
    do {
      try await access?.flush()
    } catch {
      let reason = Failure(describing: error).message
      context.console.warn("\(sync.name): the log of requests is not complete: \(reason)")
    }
    report.startedAt = start
    report.seconds = context.machine.stopwatch() - begin
    return report
  }

  private func run(_ access: inout AccessRecorder?) async throws -> SyncReport {
    let recorder = SyncRecorder(sync: sync.name, isDryRun: isDryRun, isSilent: isSilent, context)
    if undoing != nil { recorder.takesBack() }
    do {
      let runner = try await runner(recorder, &access)
      let summary =
        if let undoing { try await runner.undo(undoing, ledger) } else { try await runner.run() }
      var report = recorder.report(summary)
      report.departed.formUnion(try await departed())
      return try await noted(report)
    } catch let error as CancellationError {
      await noteInterruption()
      throw error
    } catch {
      guard !Task.isCancelled else {
        await noteInterruption()
        throw CancellationError()
      }
      let failure = Failure(describing: error)
      context.console.complain(
        Failure(failure.status, "\(sync.name): \(failure.message)", hint: failure.hint))
      return try await noted(recorder.report(failure))
    }
  }

  /// Records the outcome of the sync in the ledger, for `epact status`.
  private func noted(_ report: SyncReport) async throws -> SyncReport {
    do {
      try await note(report.status, report.complaint)
    } catch let error as CancellationError {
      throw error
    } catch {
      context.console.warn("\(sync.name): how it went is not remembered: \("\(error)")")
    }
    return report
  }

  /// Records that the sync was interrupted.
  private func noteInterruption() async {
    // The current task is cancelled, and ledger access in it would fail.
    await Task { try? await note(.interrupted, nil) }.value
  }

  private func note(_ status: ExitStatus, _ complaint: String?) async throws {
    guard !isDryRun, undoing == nil else { return }
    let earlier = try await ledger.attempts().first { $0.sync == sync.name }
    let now = context.machine.now()
    let isSuccess = [.done, .conflicts].contains(status)
    try await ledger.note(
      SyncAttempt(
        sync: sync.name, endedAt: now, status: Int(status.rawValue), message: complaint,
        lastSuccess: isSuccess ? now : earlier?.lastSuccess.map { min($0, now) }))
  }

  private func runner(
    _ recorder: SyncRecorder, _ access: inout AccessRecorder?
  ) async throws -> SyncEngine {
    guard let remoteSettings = configuration.remotes[sync.remote] else {
      throw Failure(.configuration, "there is no remote \"\(sync.remote)\"")
    }
    let place = try CalendarLocation(
      sync.calendar, configuration: configuration, machine: context.machine)
    var factory = Remotes(machine: context.machine, log: context.log)
    let policies = try AccessPolicyFile(machine: context.machine).load()
    // If access is denied, not even the symbolic links of a folder are resolved.
    let written = try factory.writtenIdentity(of: remoteSettings)
    if let earlier = try await ledger.grant(for: written), earlier.tier == .none {
      _ = try AccessGate.tier(of: earlier, wanted: sync.access, remote: sync.remote)
    }
    if let restriction = policies.restriction(on: written), restriction.tier == .none {
      _ = try AccessGate.tier(of: nil, under: restriction, remote: sync.remote)
    }
    let identity = try factory.identity(of: remoteSettings)
    // The grant is checked before anything of the remote is accessed, including its password.
    let grant = try await ledger.grant(for: identity)
    let tier = try AccessGate.tier(
      of: grant,
      under: policies.restriction(on: identity),
      wanted: sync.access, remote: sync.remote)
    if tier < sync.access { recorder.limit() }
    // A dry run writes nothing, including the request log.
    if let grant, !isDryRun {
      let requests = AccessRecorder(log: ledger, grant: grant, tier: tier, now: context.machine.now)
      factory.note = { try await requests.note($0) }
      access = requests
    }
    return SyncEngine(
      name: sync.name, local: try local(place),
      remote: try factory.remote(remoteSettings),
      tier: tier, ledger: ledger, options: try await options,
      merge: ThreeWayMerge(policies: sync.policies, normalForm: context.normalForm),
      now: context.machine.now,
      report: { recorder.record($0) })
  }

  /// The session with the items that were moved to and from other calendars.
  func knowing(
    _ traffic: [CalendarTraffic], _ others: [SyncSession], at index: Int
  ) async throws -> SyncSession {
    var session = self
    for (place, other) in others.enumerated() where place != index {
      let moved = traffic[index].departed.intersection(traffic[place].arrived)
      guard !moved.isEmpty else { continue }
      let binding = try SyncBinding(of: other.sync, in: configuration, context)
      for uid in moved { session.moved[uid] = binding }
    }
    for (place, other) in others.enumerated() where place != index {
      let came = traffic[place].departed.intersection(traffic[index].arrived)
      if !came.isEmpty { session.sources.append(MoveSource(sync: other.sync, uids: came)) }
    }
    session.elsewhere = try await knownElsewhere()
    return session
  }

  /// The resources that the sync uses; syncs that share one must not run concurrently.
  var sides: Set<String> {
    let machine = context.machine
    let place = try? CalendarLocation(sync.calendar, configuration: configuration, machine: machine)
    let calendar = try? place?.open(for: .reading)
    var sides: Set<String> = [calendar?.location ?? place?.path ?? sync.calendar]
    guard let remote = configuration.remotes[sync.remote] else { return sides }
    let identity = try? Remotes(machine: machine, log: context.log).identity(of: remote)
    // A folder is the same resource on either side of a sync.
    sides.insert(identity.map { $0.kind == "folder" ? $0.location : "\($0)" } ?? sync.remote)
    return sides
  }

  private func local(_ place: CalendarLocation) throws -> any LocalCalendar {
    do {
      return try place.open(for: isDryRun ? .reading : .writing)
    } catch {
      guard error.code == .notFound else { throw error }
      // A missing folder is not created, because its file system may be unmounted.
      throw Failure(
        .nothingDone, "the calendar \"\(place.label)\" is not at \(place.path)",
        hint: "If it is new, make its folder: mkdir -p \(ShellWord(place.path))")
    }
  }

  private var options: SyncOptions {
    get async throws {
      var options = plainOptions
      options.awaited = try await ledger.awaited(by: bindingsOfOtherCalendars)
      // In a dry run, items that another sync would add first are missing from the ledger.
      guard !isDryRun else { return options }
      for (binding, uids) in Dictionary(grouping: moved.keys, by: { moved[$0] }) {
        guard let binding else { continue }
        let there = Set(try await ledger.places(of: binding).map(\.uid))
        options.withheld.formUnion(Set(uids).subtracting(there))
      }
      for source in sources {
        options.origins.merge(try await origins(of: source)) { $1 }
      }
      return options
    }
  }

  private var plainOptions: SyncOptions {
    var options = SyncOptions()
    options.isDryRun = isDryRun
    options.filter = sync.filter
    options.safeguards = sync.safeguards
    options.isVerifying = isVerifying
    if let days = sync.verifyDays { options.verificationInterval = days == 0 ? nil : days }
    options.safeguards.allowed = allowDelete ?? 0
    options.elsewhere = elsewhere
    return options
  }
}
