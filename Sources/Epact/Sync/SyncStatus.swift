// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
package import CivilTime

/// The state of a sync according to the ledger; no server is contacted.
public struct SyncStatus: Sendable {
  /// The name of the sync.
  public let sync: String
  /// The name of the remote.
  public let remote: String
  /// The outcome of the last attempt; nil if there was none.
  public let attempt: SyncAttempt?
  /// The last run if it has no end: it was interrupted or is in progress.
  public private(set) var openRun: PastRun?
  /// Whether a run may be in progress.
  public let isBusy: Bool
  /// The granted access; nil if the user has not been asked.
  public private(set) var grant: AccessGrant?
  /// The administrator's restriction, or nil.
  public private(set) var restriction: AccessRestriction?
  /// The tier that the sync needs, limited by the administrator's restriction.
  public var wanted: AccessTier { min(needed, restriction?.tier ?? .full) }
  /// The number of items that both sides hold.
  public private(set) var items = 0
  /// The number of pending conflicts.
  public private(set) var conflicts = 0
  /// The number of items that the filter, or a sync that pushes, keeps on one side.
  public private(set) var outside = 0
  /// The properties of the calendar that differ on the two sides, except those of a feed or of another
  /// one-way sync, which may be named as its reader likes.
  public private(set) var properties: [DifferentProperty] = []
  /// The items that failed, with the time of the next attempt.
  public private(set) var quarantine: [QuarantinedItem] = []
  /// The number of deletions that the next run allows on each side.
  public private(set) var deletions = 0
  /// The number of synced calendars of a whole account; zero for the sync of one calendar.
  public private(set) var calendars = 0
  /// The number of those that are not in order, such as calendars that are gone on one side.
  public private(set) var troubledCalendars = 0
  /// The error if a side does not exist; the numbers are then zero.
  public private(set) var problem: EpactError?
  /// The state of the sign-in of the remote; nil if it has other credentials.
  package private(set) var signIn: SignInState?
  /// The direction of the sync.
  public let direction: SyncDirection
  /// The calendars that a mirror shows; empty for other syncs.
  ///
  /// A mirror needs no access.
  public private(set) var mirrored: [String] = []
  private let needed: AccessTier

  /// Looks up a sync in the ledger.
  fileprivate init(
    of sync: SyncSettings, in set: SyncSet, ledger: any LedgerStore
  ) async throws {
    let machine = set.machine
    self.sync = sync.name
    remote = set.configuration.remotes[sync.remote]?.grantName ?? sync.remote
    (needed, direction) = (sync.access, sync.direction)
    mirrored = set.configuration.mirror(of: sync)?.sources ?? []
    signIn = set.configuration.remotes[sync.remote]?.signIn(on: machine)
      .map { SignInState(of: $0, at: machine.now()) }
    let attempt = try await ledger.attempts().first { $0.sync == sync.name }
    self.attempt = attempt
    isBusy = set.ledgerFolder.isBusy
    openRun = try await ledger.runs(of: sync.name).first.flatMap { run in
      run.endedAt == nil && run.startedAt >= attempt?.endedAt ?? run.startedAt ? run : nil
    }
    do {
      let binding = try SyncBinding(of: sync, in: set.configuration, machine)
      let granted = try set.configuration.grantIdentity(of: sync, machine)
      restriction = try AccessPolicyFile(machine: machine).load().restriction(on: granted)
      grant = try await ledger.grant(for: granted)
      items = try await ledger.places(of: binding).count
      conflicts = try await ledger.conflicts(of: binding).count
      // A sync that pushed earlier leaves records that have no meaning any more.
      if sync.filter.isActive || sync.direction == .push {
        outside = try await ledger.outside(of: binding).count
      }
      quarantine = try await ledger.quarantine(of: binding)
      if binding.remote.kind != "webcal", sync.direction == .both,
        let agreement = try await ledger.agreement(of: binding)
      {
        properties = agreement.differences.map { DifferentProperty($0, in: agreement) }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      problem = EpactError(describing: error)
    }
    deletions = sync.safeguards.limit(of: items)
  }

  /// Looks up the sync of a whole account, whose calendars have a status of their own.
  fileprivate init(
    of account: AccountSyncSettings, in set: SyncSet, ledger: any LedgerStore
  ) async throws {
    let machine = set.machine
    sync = account.name
    remote = account.account
    (needed, direction) = (.full, account.settings.direction)
    signIn = set.configuration.accounts[account.account]?.signIn(on: machine)
      .map { SignInState(of: $0, at: machine.now()) }
    attempt = try await ledger.attempts().first { $0.sync == account.name }
    isBusy = set.ledgerFolder.isBusy
    do {
      let identity = try set.configuration.binding(of: account, machine).remote
      restriction = try AccessPolicyFile(machine: machine).load().restriction(on: identity)
      grant = try await ledger.grant(for: identity)
    } catch let error as CancellationError {
      throw error
    } catch {
      problem = EpactError(describing: error)
    }
  }

  /// The same status with the numbers of its calendars in a list of all statuses.
  fileprivate func counting(_ all: [SyncStatus]) -> SyncStatus {
    let parts = all.filter { $0.sync.hasPrefix(sync + "/") }
    var status = self
    status.calendars = parts.count
    status.troubledCalendars = parts.count { $0.outcome != .done }
    return status
  }

  /// The current access status.
  public var access: AccessStatus { AccessStatus(grant, under: restriction) }

  /// The outcome of a run if nothing changed in the meantime.
  public var outcome: SyncOutcome {
    if let problem { return SyncOutcome(problem.code) }
    if openRun != nil, !isBusy { return .interrupted }
    if let attempt, let outcome = SyncOutcome(rawValue: attempt.status),
      ![.done, .someFailed, .conflicts].contains(outcome)
    {
      return outcome
    }
    guard !mirrored.isEmpty || [.writeOnly, .full].contains(access), signIn?.needsSignIn != true
    else { return .noAccess }
    if !quarantine.allSatisfy(\.isLeft) || attempt?.status == SyncOutcome.someFailed.rawValue {
      return .someFailed
    }
    return conflicts > 0 ? .conflicts : .done
  }
}

/// A property of a calendar with different values on the two sides.
public struct DifferentProperty: Hashable, Sendable {
  /// The property.
  public let property: CollectionProperty
  /// The value of the local calendar; nil if it has none.
  public let local: String?
  /// The value of the remote; nil if it has none.
  public let remote: String?

  fileprivate init(_ property: CollectionProperty, in agreement: CollectionAgreement) {
    self.property = property
    local = agreement.local[property]
    remote = agreement.remote[property]
  }
}

extension SyncSet {
  /// The time of the last success of each sync, according to the ledger; none if it cannot be read.
  package func lastSuccesses() async -> [String: Instant] {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    let attempts = (try? await folder.openLedger().attempts()) ?? []
    return Dictionary(attempts.map { ($0.sync, $0) }) { first, _ in first }
      .compactMapValues(\.lastSuccess)
  }

  /// The status of each sync of the set.
  ///
  /// - Throws: Errors of the ledger.
  public func status() async throws -> [SyncStatus] {
    let ledger = try LedgerFolder(machine: machine, isReadOnly: true)
      .openForViewing()
    var calendars: [SyncStatus] = []
    for sync in syncs {
      calendars.append(try await SyncStatus(of: sync, in: self, ledger: ledger))
    }
    var found: [SyncStatus] = []
    for account in accounts {
      found.append(
        try await SyncStatus(of: account, in: self, ledger: ledger).counting(calendars))
    }
    return found + calendars
  }
}
