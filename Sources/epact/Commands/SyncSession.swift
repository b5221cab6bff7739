// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Logging
import Synchronization

/// One run of one sync: asks for the grant, wires the engine, and shows what happens.
struct SyncSession: Sendable {
  let sync: SyncSettings
  let configuration: Configuration
  let ledger: any LedgerStore
  let allowDelete: Int?
  let isDryRun: Bool
  /// Whether nothing is shown for people, because an object for programs comes at the end.
  let isSilent: Bool
  let context: Context

  /// Runs the sync; whatever goes wrong with it is told, and does not stop the others.
  ///
  /// - Throws: `CancellationError`.
  func run() async throws -> SyncReport {
    var access: AccessRecorder?
    let report: SyncReport
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
    return report
  }

  private func run(_ access: inout AccessRecorder?) async throws -> SyncReport {
    let recorder = SyncRecorder(sync: sync.name, isDryRun: isDryRun, isSilent: isSilent, context)
    do {
      let summary = try await runner(recorder, &access).run()
      return recorder.report(summary)
    } catch let error as CancellationError {
      throw error
    } catch {
      try Task.checkCancellation()
      let failure = Failure(describing: error)
      context.console.complain(
        Failure(failure.status, "\(sync.name): \(failure.message)", hint: failure.hint))
      return recorder.report(failure)
    }
  }

  private func runner(
    _ recorder: SyncRecorder, _ access: inout AccessRecorder?
  ) async throws -> SyncRunner {
    guard let remoteSettings = configuration.remotes[sync.remote] else {
      throw Failure(.configuration, "there is no remote \"\(sync.remote)\"")
    }
    let place = try CalendarPlace(
      sync.calendar, configuration: configuration, machine: context.machine)
    var factory = RemoteFactory(machine: context.machine, log: context.log)
    let identity = try factory.identity(of: remoteSettings)
    // Before anything else of the remote is touched: without a grant not even its password is.
    let grant = try await ledger.grant(for: identity)
    let tier = try AccessGate.tier(
      of: grant,
      under: try AccessPolicyFile(machine: context.machine).load().restriction(on: identity),
      wanted: sync.access, remote: sync.remote)
    // A dry run writes nothing, and so not what it requests.
    if let grant, !isDryRun {
      let requests = AccessRecorder(log: ledger, grant: grant, tier: tier, now: context.machine.now)
      factory.note = { try await requests.note($0) }
      access = requests
    }
    return SyncRunner(
      name: sync.name, local: try local(place),
      remote: try factory.remote(remoteSettings),
      tier: tier, ledger: ledger, options: options,
      merge: ThreeWayMerge(policies: sync.policies, normalForm: context.normalForm),
      now: context.machine.now,
      report: { recorder.record($0) })
  }

  private func local(_ place: CalendarPlace) throws -> any LocalCalendar {
    do {
      return try place.open(for: isDryRun ? .reading : .writing)
    } catch {
      guard error.code == .notFound else { throw error }
      // It is not made: that it is gone may mean a disk that is not there today.
      throw Failure(
        .nothingDone, "the calendar \"\(place.label)\" is not at \(place.path)",
        hint: "If it is new, make its folder: mkdir -p \(ShellWord(place.path))")
    }
  }

  private var options: SyncOptions {
    var options = SyncOptions()
    options.isDryRun = isDryRun
    if let maxDelete = sync.maxDelete { options.safeguards.deletions = maxDelete }
    options.safeguards.allowed = allowDelete ?? 0
    return options
  }
}
