// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync
import Logging

/// The part of a run that concerns an account as a whole: before its calendars are synced, those
/// that one side lacks are created.
struct AccountSync: Sendable {
  let sync: AccountSyncSettings
  let configuration: Configuration
  let ledger: any LedgerStore
  let isDryRun: Bool
  let machine: Machine
  let log: Logger
  let credentials: SharedCredentials
  let limit: TimeLimit?
  let report: @Sendable (SyncSetEvent) -> Void

  /// The calendars to sync, and the results of those that cannot be synced.
  struct Outcome: Sendable {
    var pairs: [KnownCollection] = []
    var results: [SyncResult] = []
  }

  /// Finds and creates calendars; an error is in a result, and stops no other sync.
  ///
  /// - Throws: `CancellationError`.
  func run() async throws -> Outcome {
    let begin = machine.stopwatch()
    var result = SyncResult(
      name: sync.name, startedAt: machine.now(), seconds: 0, isDryRun: isDryRun)
    var outcome = Outcome()
    do {
      let found = try await limit.run { try await runAccount() }
      outcome.pairs = found.pairs
      outcome.results = problems(of: found, at: machine.stopwatch() - begin)
    } catch let error as CancellationError {
      throw error
    } catch {
      if Task.isCancelled { throw CancellationError() }
      result.error = Self.describe(error, of: sync, at: configuration.accounts[sync.account])
    }
    result.seconds = machine.stopwatch() - begin
    await note(result)
    if result.error != nil || outcome.pairs.isEmpty && outcome.results.isEmpty {
      outcome.results.insert(result, at: 0)
    }
    for result in outcome.results {
      if result.name != sync.name { await note(result) }
      report(.ended(result))
    }
    return outcome
  }

  private func runAccount() async throws -> AccountOutcome {
    let account = try configuration.account(of: sync)
    var factory = Remotes(machine: machine, log: log)
    factory.shared = credentials
    factory.isReading = sync.settings.direction == .pull
    let permission = try await RemotePermission(
      for: account, wanted: .full, ledger, factory, machine)
    guard permission.tier == .full else { throw Self.needsFull(account.name) }
    let components = sync.settings.filter.kinds.map { Set($0.map(\.rawValue)) }
    return try await permission.recording(factory, ledger, isDryRun: isDryRun) { factory in
      let sides = (FolderAccount(path: sync.folder), try factory.account(account))
      var run = AccountRun(
        try configuration.binding(of: sync, machine), between: sides, over: ledger,
        selection: sync.selection, components: components, isDryRun: isDryRun,
        report: { event in report(Self.event(event, of: sync.name, isDryRun: isDryRun)) })
      run.direction = sync.settings.direction
      return try await run.run()
    }
  }

  private static func event(
    _ event: AccountRun.Event, of sync: String, isDryRun: Bool
  ) -> SyncSetEvent {
    switch event {
    case .created(let id, let title, let side):
      .calendarCreated(sync: "\(sync)/\(id.folder)", title: title, side, isPlanned: isDryRun)
    case .forgotten(let id): .calendarForgotten(sync: "\(sync)/\(id.folder)")
    }
  }

  // MARK: Problems

  /// The error of an account to which the access is too low.
  static func needsFull(_ account: String) -> EpactError {
    EpactError(
      .noAccess,
      "the calendars of the account \"\(account)\" cannot be listed with write-only access",
      subject: account, remedy: .grant(.full, remote: account))
  }

  /// The error of an account as a whole.
  static func describe(
    _ error: any Error, of sync: AccountSyncSettings, at account: RemoteSettings? = nil
  ) -> EpactError {
    switch error {
    case let error as AccountPlan.EmptySide:
      let calendars = error.known == 1 ? "its calendar" : "all its \(error.known) calendars"
      let place = error.side == .local ? "in \(sync.folder)" : "on the server"
      return EpactError(
        .failed, "there is no calendar \(place), where \(calendars) should be; nothing was changed",
        subject: sync.folder, remedy: .listCalendars(sync: sync.name))
    case let error as StoreError where error.code == .notFound && error.path == sync.folder:
      return EpactError(
        .failed, "the folder for the calendars is not at \(sync.folder)", subject: sync.folder,
        remedy: .makeFolder(path: sync.folder))
    default: return EpactError(describing: error, of: account)
    }
  }

  /// The results of the calendars that are not synced.
  private func problems(of outcome: AccountOutcome, at seconds: Double) -> [SyncResult] {
    outcome.plan.entries.compactMap { entry in
      if case .gone(_, let side) = entry.action {
        report(.calendarGone(sync: "\(sync.name)/\(entry.id.folder)", title: entry.title, side))
      }
      let error = outcome.failures[entry.id].map(EpactError.init(describing:)) ?? problem(of: entry)
      guard let error else { return nil }
      var result = SyncResult(
        name: "\(sync.name)/\(entry.id.folder)", startedAt: machine.now(), seconds: seconds,
        isDryRun: isDryRun)
      result.error = error
      return result
    }
  }

  private func problem(of entry: AccountPlan.Entry) -> EpactError? {
    switch entry.action {
    case .gone(let known, let side):
      let name = "\(sync.name)/\(known.folder)"
      let message =
        side == .local
        ? "its folder \(sync.folder)/\(known.folder) is gone; nothing is deleted on the server"
        : "it is gone from the server; nothing is deleted here"
      return EpactError(.failed, message, subject: name, remedy: .recreateCalendar(name))
    case .ambiguous(let places):
      return EpactError(
        .failed, "several calendars of one side have this name: \(places.joined(separator: ", "))",
        subject: entry.id.rawValue)
    case .missing:
      return EpactError(
        .configuration, "there is no calendar of this name on either side",
        subject: entry.id.rawValue, remedy: .createCalendar(entry.id.rawValue, sync: sync.name))
    case .unlisted(let reason):
      return EpactError(
        .failed, "the server does not list it: \(reason); it is not synced, and nothing is deleted",
        subject: entry.id.rawValue)
    case .pair, .createHere, .createThere, .forget, .leave: return nil
    }
  }

  private func note(_ result: SyncResult) async {
    guard !isDryRun else { return }
    do {
      try await ledger.noteAttempt(
        of: result.name, result.outcome, result.complaint, at: result.endedAt)
    } catch {
      report(.outcomeNotStored(sync: result.name, reason: "\(error)"))
    }
  }
}
