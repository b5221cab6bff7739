// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
package import Logging

/// Syncs of hosted accounts, many at a time in one process.
///
/// An engine of the host, such as Spark, Slurm or `xargs`, gives it names, and repeats those that were
/// not answered. That is safe: a run that finds everything done changes nothing, and while a process
/// syncs an account, another one answers that it is in use.
package struct HostedSync: Sendable {
  /// The answer for a name.
  package struct Answer: Sendable {
    /// The name of the account.
    package let account: String
    /// The outcome of the account: the gravest of its syncs.
    package let outcome: SyncOutcome
    /// The duration in seconds.
    package let seconds: Double
    /// The error of the account, or of its first sync with one; nil if there is none.
    package let message: String?
    /// Whether the account is paused, so that nothing was done.
    package var isPaused = false
    /// The results of its syncs.
    package var syncs: [SyncResult] = []
  }

  /// The shortest and the longest time until a run is tried again that failed for a passing reason, in
  /// seconds.
  ///
  /// It doubles with each failure, and is never longer than the interval of the account.
  private static let retries = (shortest: 300, longest: 19_200)

  private let host: AccountHost
  private let jobs: Int
  private let options: SyncSet.Options
  private let log: Logger

  /// Creates syncs of the accounts of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - jobs: The maximum number of accounts at a time, from 1.
  ///   - options: The options of the syncs of each account.
  ///   - log: The log of internal steps.
  package init(of host: AccountHost, jobs: Int, _ options: SyncSet.Options, log: Logger) {
    (self.host, self.jobs) = (host, max(1, jobs))
    (self.options, self.log) = (options, log)
  }

  /// Syncs accounts as their names come in.
  ///
  /// - Parameters:
  ///   - next: Returns the next name; nil at the end.
  ///   - answer: Called with the answer for each name, in the order in which the syncs end; by several
  ///     tasks at a time.
  /// - Throws: `CancellationError`; `StoreError` if the ledger of the host cannot be used; an error of
  ///   `next`.
  package func run(
    _ next: @escaping @Sendable () async throws -> String?,
    _ answer: @escaping @Sendable (Answer) -> Void
  ) async throws {
    let ledger = try host.openLedger(readOnly: options.isDryRun)
    let shares = host.shares()
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      while let name = try await next() {
        if running == jobs {
          try await group.next()
          running -= 1
        }
        running += 1
        group.addTask {
          answer(try await sync(name, ledger, shares))
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: One account

  private func sync(
    _ name: String, _ ledger: LedgerDatabase, _ shares: ServerShares
  ) async throws -> Answer {
    let begin = host.machine.stopwatch()
    guard let account = try await ledger.read({ try $0.hostedAccount(named: name) }) else {
      let error = AccountHost.unknown(name)
      return Answer(account: name, outcome: .invalidArgument, seconds: 0, message: error.message)
    }
    guard !account.isPaused else {
      return Answer(account: name, outcome: .done, seconds: 0, message: nil, isPaused: true)
    }
    var (outcome, message, syncs): (SyncOutcome, String?, [SyncResult])
    var isTaken = false
    do {
      syncs = try await run(account, shares)
      outcome = SyncOutcome.gravest(of: syncs.map(\.outcome))
      message = syncs.first { $0.outcome == outcome }?.complaint
    } catch {
      if Task.isCancelled { throw CancellationError() }
      if let error = error as? StoreError { isTaken = [.locked, .leaseLost].contains(error.code) }
      let failure = EpactError(describing: error)
      (outcome, message, syncs) = (SyncOutcome(failure.code), failure.text, [])
    }
    // The process that has the account stores its outcome.
    if !options.isDryRun, !isTaken { try await note(outcome, message, of: account, in: ledger) }
    return Answer(
      account: name, outcome: outcome, seconds: host.machine.stopwatch() - begin, message: message,
      syncs: syncs)
  }

  private func run(_ account: HostedAccount, _ shares: ServerShares) async throws -> [SyncResult] {
    let machine = host.machine(for: account)
    let configuration = try ConfigurationFile(machine: machine).load()
    return try await shares.using(configuration.servers) {
      var set = try SyncSet(configuration, machine: machine)
      (set.options, set.log) = (options, log)
      return try await set.run().syncs
    }
  }

  private func note(
    _ outcome: SyncOutcome, _ message: String?, of account: HostedAccount,
    in ledger: LedgerDatabase
  ) async throws {
    let now = host.machine.now()
    let next = Self.dueTime(of: account, after: outcome, at: now)
    try await ledger.write { ledger in
      try ledger.note(
        HostedAccount.Outcome(endedAt: now, status: outcome.rawValue, message: message),
        ofHostedAccount: account.name, isSuccess: [.done, .conflicts].contains(outcome),
        nextAt: next)
    }
  }

  /// The time from which the next run is due.
  ///
  /// Runs keep their time of the day: the next one is a number of intervals after the last due time, or at
  /// that time if this run was early. What failed for a passing reason is tried again sooner.
  static func dueTime(
    of account: HostedAccount, after outcome: SyncOutcome, at now: Instant
  ) -> Instant {
    let interval = Int64(account.interval)
    let late = now.secondsSinceEpoch - account.dueAt.secondsSinceEpoch
    let intervals = late < 0 ? 0 : late / interval + 1
    let regular = account.dueAt.adding(seconds: intervals * interval) ?? now
    guard outcome == .unavailable else { return regular }
    let doublings = min(account.failures, 6)
    let pause = min(Self.retries.longest, Self.retries.shortest << doublings)
    return min(regular, now.adding(seconds: Int64(min(pause, account.interval))) ?? regular)
  }
}

extension SyncOutcome {
  /// All outcomes in descending order of severity: permanent errors precede temporary ones, and both
  /// precede partial success.
  package static let gravest: [SyncOutcome] = [
    .interrupted, .invalidArgument, .configuration, .noAccess, .stoppedByGuard, .failed,
    .unavailable, .someFailed, .conflicts, .done,
  ]

  /// The most severe of some outcomes, or `done` if there are none.
  static func gravest(of outcomes: [SyncOutcome]) -> SyncOutcome {
    gravest.first(where: outcomes.contains) ?? .done
  }
}

extension Configuration {
  /// The hosts of the servers that the syncs use.
  fileprivate var servers: Set<String> {
    let all = Array(remotes.values) + accounts.values
    return Set(
      all.compactMap { remote in
        switch remote.kind {
        case .calDAV(let dav): dav.address.host
        case .webcal(let feed): feed.address.host
        case .vendor(let vendor): vendor.vendor.rawValue
        case .folder, .file, .mirror, .birthdays: nil
        }
      })
  }
}
