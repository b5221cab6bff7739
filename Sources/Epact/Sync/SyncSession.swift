// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Logging

/// One run of a sync: checks the grant, sets up the engine, and records the outcome.
struct SyncSession: Sendable {
  let sync: SyncSettings
  let configuration: Configuration
  let ledger: any LedgerStore
  let options: SyncSet.Options
  let machine: Machine
  let log: Logger
  let report: @Sendable (SyncSetEvent) -> Void
  /// The run to undo; nil for a normal sync.
  var undoing: PastRun?
  /// The credentials of the accounts of the run.
  var credentials = SharedCredentials()
  /// The time limit of the run.
  var limit: TimeLimit?
  /// The calendars whose syncs a guard stopped in this run.
  var stopped = StoppedCalendars()

  /// Runs the sync; its error is in the result, and does not stop other syncs.
  ///
  /// - Parameter turn: The turn of the sync in a group; nil for a sync that runs alone.
  /// - Returns: The result, with the error of the sync, if any.
  /// - Throws: `CancellationError`.
  func run(_ turn: SyncTurn? = nil) async throws -> SyncResult {
    var access: AccessRecorder?
    let result: SyncResult
    do {
      result = try await run(turn, &access)
    } catch {
      try? await access?.flush()
      throw error
    }
    do {
      try await access?.flush()
    } catch {
      report(.requestLogIncomplete(sync: sync.name, EpactError(describing: error)))
    }
    return result
  }

  private func run(
    _ turn: SyncTurn?, _ access: inout AccessRecorder?
  ) async throws -> SyncResult {
    let begin = machine.stopwatch()
    var result = SyncResult(
      name: sync.name, startedAt: machine.now(), seconds: 0, isDryRun: options.isDryRun)
    result.isMirror = configuration.mirror(of: sync) != nil
    result.changesRemote =
      sync.direction != .pull && configuration.remotes[sync.remote]?.isReadOnly == false
    if let undoing { result.undo = UndoOutcome(of: undoing, isLocal: false, sync.direction) }
    let tally = SyncTally(result)
    do {
      let engine = try await engine(turn, tally, &access)
      let summary =
        if let undoing {
          try await engine.undo(undoing, ledger)
        } else {
          try await limit.run { try await engine.run() }
        }
      result = tally.result(summary)
      result.seconds = machine.stopwatch() - begin
      if result.objection != nil { stopped.insert(sync.calendar) }
      report(.ended(result))
      if let turn { result.departed.formUnion(try await turn.departed()) }
      return try await noted(result)
    } catch let error as CancellationError {
      await noteInterruption()
      throw error
    } catch {
      guard !Task.isCancelled else {
        await noteInterruption()
        throw CancellationError()
      }
      result.error = EpactError(describing: error, of: configuration.remotes[sync.remote])
      result.undo = nil
      result.seconds = machine.stopwatch() - begin
      report(.ended(result))
      return try await noted(result)
    }
  }

  /// Records the outcome of the sync in the ledger, for `epact status`.
  private func noted(_ result: SyncResult) async throws -> SyncResult {
    do {
      try await note(result.outcome, result.complaint, at: result.endedAt)
    } catch let error as CancellationError {
      throw error
    } catch {
      report(.outcomeNotStored(sync: sync.name, reason: "\(error)"))
    }
    return result
  }

  /// Records that the sync was interrupted.
  private func noteInterruption() async {
    // The current task is cancelled, and ledger access in it would fail.
    await Task { try? await note(.interrupted, nil, at: machine.now()) }.value
  }

  private func note(
    _ outcome: SyncOutcome, _ complaint: String?, at end: Instant
  ) async throws {
    guard !options.isDryRun, undoing == nil else { return }
    try await ledger.noteAttempt(of: sync.name, outcome, complaint, at: end)
  }

  private func engine(
    _ turn: SyncTurn?, _ tally: SyncTally, _ access: inout AccessRecorder?
  ) async throws -> SyncEngine {
    guard let remoteSettings = configuration.remotes[sync.remote] else {
      throw EpactError(.configuration, "there is no remote \"\(sync.remote)\"")
    }
    let place = try configuration.location(of: sync.calendar)
    var factory = Remotes(machine: machine, log: log)
    factory.shared = credentials
    factory.knownNames = knownNames
    if case .mirror(let mirror) = remoteSettings.kind {
      return try await mirrorEngine(of: mirror, place, turn, tally)
    }
    factory.isReading = sync.direction == .pull
    let permission = try await RemotePermission(
      for: remoteSettings, wanted: sync.access, ledger, factory, machine)
    let tier = permission.tier
    factory.tier = tier
    if sync.account != nil, tier < .full { throw AccountSync.needsFull(remoteSettings.grantName) }
    if tier < .full { tally.limit(isRequested: tier == sync.access) }
    if let requests = permission.recorder(ledger, machine, isDryRun: options.isDryRun) {
      factory.note = { try await requests.note($0) }
      access = requests
    }
    return try await engine(place, try factory.remote(remoteSettings), tier, turn, tally)
  }

  private func engine(
    _ place: CalendarLocation, _ remote: any Remote, _ tier: AccessTier, _ turn: SyncTurn?,
    _ tally: SyncTally
  ) async throws -> SyncEngine {
    SyncEngine(
      name: sync.name, local: try local(place), remote: remote,
      tier: tier, ledger: ledger, options: try await engineOptions(turn),
      merge: ThreeWayMerge(policies: sync.policies, normalForm: machine.normalForm),
      now: machine.now,
      report: { [report, name = sync.name] event in
        tally.record(event)
        report(.running(sync: name, event))
      })
  }

  /// The engine of a mirror, which needs no access: nothing but local calendars is read.
  private func mirrorEngine(
    of mirror: MirrorSettings, _ place: CalendarLocation, _ turn: SyncTurn?, _ tally: SyncTally
  ) async throws -> SyncEngine {
    if let source = mirror.sources.first(where: stopped.contains) {
      throw EpactError(
        .unavailable, "a guard stopped the sync of \(source), so that nothing was changed",
        subject: source)
    }
    let key = try await ProjectionKey(in: ledger, machine, isStored: !options.isDryRun)
    let projector = try ItemProjector(
      mirror.projection, name: sync.name, key: key, user: configuration.knownAddresses,
      machine: machine)
    let remote = MirrorRemote(name: sync.name, now: machine.now) {
      (try sources(of: mirror), projector)
    }
    try await expectNoStrays(in: place, of: mirror, projector)
    return try await engine(place, remote, .full, turn, tally)
  }

  /// Rejects a calendar with copies that this mirror made, of which the ledger knows nothing.
  ///
  /// After a loss of the ledger, they would be there twice. With the key of this ledger, such as after a change of
  /// the window, they get the same UIDs again, and the run takes them over.
  private func expectNoStrays(
    in place: CalendarLocation, of mirror: MirrorSettings, _ projector: ItemProjector
  ) async throws {
    let binding = try SyncBinding(of: sync, in: configuration, machine)
    guard try await ledger.places(of: binding).isEmpty else { return }
    let listing = try await local(place).survey(
      since: nil, in: machine.normalForm, at: machine.now())
    let strays = listing.records().filter { projector.isOwn($0.uid) }
    guard let first = strays.first else { return }
    if mirror.onEdit == .restore {
      let uids = Set(strays.map(\.uid.rawValue))
      for source in try sources(of: mirror) {
        let survey = try await source.items.survey(
          since: nil, in: machine.normalForm, at: machine.now())
        if survey.records().contains(where: { uids.contains(projector.href(of: $0.uid).rawValue) })
        {
          return
        }
      }
    }
    throw EpactError(
      .failed,
      "\(Count(strays.count, "item")) of \(place.name) \(strays.count == 1 ? "is a copy" : "are copies") "
        + "that a mirror \"\(sync.name)\" of an earlier ledger, or of another machine, made",
      details: ["one of them is \(first.name)"], subject: sync.name,
      remedy: .other("Remove the copies, or give the mirror another name."))
  }

  private func sources(of mirror: MirrorSettings) throws -> [MirrorSource] {
    try mirror.sources.map { name in
      let place = try configuration.location(of: name)
      return MirrorSource(
        calendar: ProjectedCalendar(name: name, title: place.properties[.name] ?? name),
        items: try place.open(for: .reading, knowing: knownNames))
    }
  }

  /// The resources that the sync uses; syncs that share one must not run concurrently.
  var sides: Set<String> {
    let place = try? configuration.location(of: sync.calendar)
    let calendar = try? place?.open(for: .reading, knowing: knownNames)
    var sides: Set<String> = [calendar?.location ?? place?.path ?? sync.calendar]
    guard let remote = configuration.remotes[sync.remote] else { return sides }
    if case .mirror(let mirror) = remote.kind {
      return sides.union(
        mirror.sources.map { name in
          let source = try? configuration.location(of: name)
          return (try? source?.open(for: .reading, knowing: knownNames))?.location ?? name
        })
    }
    let identity = try? Remotes(machine: machine, log: log).identity(of: remote)
    // A folder is the same resource on either side of a sync.
    sides.insert(identity.map { $0.kind == "folder" ? $0.location : "\($0)" } ?? sync.remote)
    return sides
  }

  /// The names in the ledger of the session, which need not be the user's.
  var knownNames: KnownNames { machine.knownNames(in: ledger) }

  private func local(_ place: CalendarLocation) throws -> any LocalCalendar {
    do {
      let isRead = options.isDryRun || sync.direction == .push
      return try place.open(for: isRead ? .reading : .writing, knowing: knownNames)
    } catch {
      guard error.code == .notFound else { throw error }
      // An empty folder in its place would look like one whose items were deleted.
      if sync.account != nil {
        throw EpactError(
          .failed, "its folder \(place.path) is gone; nothing is deleted on the server",
          subject: sync.name, remedy: .recreateCalendar(sync.name))
      }
      // A missing folder is not created, because its file system may be unmounted.
      throw EpactError(calendar: place.name, notAt: place.path)
    }
  }

  private func engineOptions(_ turn: SyncTurn?) async throws -> SyncOptions {
    var engineOptions = SyncOptions()
    engineOptions.isDryRun = options.isDryRun
    engineOptions.filter = sync.filter
    engineOptions.direction = sync.direction
    if let mirror = configuration.mirror(of: sync) {
      engineOptions.edits = mirror.onEdit.edits
      engineOptions.ownSuffix = ProjectionKey.suffix(of: sync.name)
    }
    engineOptions.safeguards = sync.safeguards
    engineOptions.isVerifying = options.isVerifying
    if let days = sync.verifyDays {
      engineOptions.verificationInterval = days == 0 ? nil : days
    }
    engineOptions.safeguards.allowed = options.allowedDeletions
    engineOptions.rollback = options.rollback
    if let turn { engineOptions.moves = try await turn.moves() }
    return engineOptions
  }
}
