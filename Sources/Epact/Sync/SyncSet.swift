// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarStore
public import CalendarSync
public import Logging
import Synchronization

/// A sync between a local calendar and a remote.
///
/// It is what a `[[sync]]` of a configuration says together with its calendar and its remote.
public struct Sync: Sendable, Hashable {
  /// A local calendar.
  public enum Local: Sendable, Hashable {
    /// A folder with one item per file.
    case folder(String)
    /// A file with all items, whose name ends in `.ics`.
    case file(String)

    /// The path of the folder or the file.
    public var path: String {
      switch self {
      case .folder(let path), .file(let path): path
      }
    }
  }

  /// The local calendar.
  public let local: Local
  /// The remote.
  public let remote: RemoteSettings
  /// The name, the needed access, the direction, the filter and the policies.
  public var settings: SyncSettings

  /// Creates a sync.
  ///
  /// - Parameters:
  ///   - name: The name, also of the remote and the local calendar; unique in a set.
  ///   - local: The local calendar. A relative path starts in the machine's current folder.
  ///   - remote: The remote.
  ///   - access: The access that the sync needs, which is also the maximum that it uses.
  ///   - filter: The items to sync; all by default.
  public init(
    _ name: String, local: Local, remote: RemoteSettings.Kind, access: AccessTier = .full,
    filter: ItemFilter = ItemFilter()
  ) {
    self.local = local
    self.remote = RemoteSettings(name: name, kind: remote)
    settings = SyncSettings(
      name: name, calendar: name, remote: name, maxDelete: nil, filter: filter, access: access)
  }
}

/// Several syncs that share a ledger, and that move items between their calendars.
///
/// ```swift
/// let home = Sync(
///   "home", local: .folder("/home/ada/calendars/home"),
///   remote: .calDAV(try RemoteURL(parsing: "https://dav.example.org/"), user: "ada",
///     password: .command(["pass", "show", "dav/ada"])))
/// let set = SyncSet([home], ledger: "/home/ada/state", machine: .live())
/// try await set.grant(
///   .full, to: "home", purpose: "Keeps a copy of my appointments on this laptop.")
/// let result = try await set.run()
/// ```
///
/// Nothing is sent to a remote until access to it is granted; see ``RemoteAccess``. Syncs run
/// concurrently unless they share a side. An item that left one calendar and entered another is
/// added there before it is deleted here.
public struct SyncSet: Sendable {
  /// The options of a run.
  public struct Options: Sendable, Hashable {
    /// Whether the changes are only planned; only requests that read are sent.
    public var isDryRun = false
    /// Whether full contents are compared instead of ETags.
    public var isVerifying = false
    /// The number of deletions on a side that are allowed in addition to the safeguards.
    public var allowedDeletions = 0
    /// The handling of a remote that was restored from a backup; see ``SyncSet/push(_:report:)``.
    public var rollback = RollbackHandling.stop
    /// The maximum number of concurrent syncs, from 1.
    public var jobs = 4
    /// The time that the run may take; nil for that of the configuration.
    ///
    /// A sync that reaches it is cancelled, and fails with `unavailable`.
    public var timeLimit: Duration?

    /// Creates the default options.
    public init() {}
  }

  /// The results of all syncs.
  public struct Result: Sendable {
    /// The result of each sync, in their order.
    public internal(set) var syncs: [SyncResult] = []
    /// The items that moved from one calendar to another.
    public internal(set) var moves: [CalendarMove] = []
    /// The items that are in two calendars: those of one account, by account, and then those that
    /// the run added to a calendar beside one of another account.
    public internal(set) var duplicates: [[DuplicateItem]] = []
    /// The items that are in another calendar after they were deleted here.
    public internal(set) var returned: [ReturnedItem] = []
    /// Whether the ledger had neither grants nor runs before.
    public let isLedgerNew: Bool
    /// The configuration with the calendars of accounts that the run found.
    package let configuration: Configuration
  }

  /// The configuration that contains the syncs.
  public private(set) var configuration: Configuration
  /// The syncs to run, with those of the known calendars of accounts.
  public private(set) var syncs: [SyncSettings]
  /// The accounts whose calendars are listed by a run.
  package let accounts: [AccountSyncSettings]
  /// The options of a run.
  public var options = Options()
  /// The log of internal steps and of requests; silent by default.
  public var log = Logger.silent
  let machine: Machine

  /// Creates a set of syncs without a configuration file.
  ///
  /// - Parameters:
  ///   - syncs: The syncs; their names differ.
  ///   - ledger: The path of the folder for the ledger and its lock.
  ///   - machine: The machine.
  public init(_ syncs: [Sync], ledger: String, machine: Machine = .live()) {
    var configuration = Configuration()
    for sync in syncs {
      let name = sync.settings.name
      configuration.calendars[name] = CalendarSettings(
        name: name, path: machine.paths.absolute(sync.local.path))
      configuration.remotes[name] = sync.remote
      configuration.syncs.append(sync.settings)
    }
    self.configuration = configuration
    self.syncs = configuration.syncs
    accounts = []
    var machine = machine
    machine.ledger = .folder(machine.paths.absolute(ledger))
    self.machine = machine
  }

  /// Creates the set of all syncs of a configuration, or of those with some names.
  ///
  /// The ledger is the user's, in `$XDG_STATE_HOME/epact` or in the database of the configuration.
  ///
  /// - Throws: `EpactError` if a name is unknown.
  public init(
    _ configuration: Configuration, names: [String] = [], machine: Machine
  ) throws(EpactError) {
    self.configuration = configuration
    syncs = try configuration.syncs(named: names)
    accounts = configuration.accountSyncs(named: names)
    self.machine = machine.using(configuration)
  }

  /// The folder of the ledger; read-only for a dry run.
  package var ledgerFolder: LedgerFolder {
    LedgerFolder(machine: machine, isReadOnly: options.isDryRun)
  }

  /// The access to a remote of the set.
  ///
  /// - Throws: `EpactError` if no remote has the name; errors of the ledger and of the policies.
  public func access(to remote: String) async throws -> RemoteAccess {
    try await RemoteAccess(
      to: remote, in: configuration, ledgerFolder: ledgerFolder, machine: machine)
  }

  /// Stores the user's grant for a remote of the set.
  ///
  /// - Parameters:
  ///   - tier: The granted tier.
  ///   - remote: The name of the remote; that of a ``Sync`` is its own name.
  ///   - purpose: The purpose of the access, in a sentence.
  /// - Returns: A weakness of the purpose, which is accepted in any case.
  /// - Throws: `EpactError` if no remote has the name or an administrator's restriction forbids the
  ///   tier; `AccessError` if the purpose is invalid; errors of the ledger and of the policies.
  @discardableResult
  public func grant(
    _ tier: AccessTier, to remote: String, purpose: String
  ) async throws -> Purpose.Weakness? {
    var access = try await access(to: remote)
    return try await access.store(tier, purpose: purpose)
  }

  /// Asks for access to the remotes for which the user has not decided yet.
  ///
  /// The user is asked once for all remotes of an account. If the user gives no answer, the sync
  /// that needs the access reports it.
  ///
  /// - Throws: Errors of the configuration, of the policies and of the ledger.
  public func askForAccess(_ prompt: any AccessPrompt) async throws {
    let names = syncs.map { configuration.remotes[$0.remote]?.grantName ?? $0.remote }
    var asked: Set<String> = []
    var open: [(account: RemoteIdentity?, members: [RemoteAccess])] = []
    for name in names + accounts.map(\.account) where asked.insert(name).inserted {
      guard let access = try await Self.known({ try await self.access(to: name) }),
        access.status == .notDetermined
      else { continue }
      let account = configuration.grantee(name)?.userAccount
      if let account, let place = open.firstIndex(where: { $0.account == account }) {
        open[place].members.append(access)
      } else {
        open.append((account, [access]))
      }
    }
    for group in open {
      _ = try await Self.known {
        if let account = group.account, group.members.count > 1 {
          var access = AccountAccess(group.members, of: account)
          try await access.ask(prompt)
        } else if var access = group.members.first {
          try await access.ask(prompt)
        }
      }
    }
  }

  /// The result of a step; nil after an error that the sync itself reports.
  private static func known<Result>(
    _ step: () async throws -> Result
  ) async throws -> Result? {
    do {
      return try await step()
    } catch is EpactError {
      return nil
    } catch is StoreError {
      return nil
    }
  }

  /// Runs the syncs.
  ///
  /// - Parameter report: Called with every event; the events of one sync are in order.
  /// - Returns: The results; an error of one sync is in its result, and stops no other sync.
  /// - Throws: `CancellationError`, or an error of the ledger, such as `StoreError` with the code
  ///   `locked` if another run is in progress.
  public func run(
    report: @escaping @Sendable (SyncSetEvent) -> Void = { _ in }
  ) async throws -> Result {
    try await ledgerFolder.whileRunning("sync", keeping: configuration.historyDays) { ledger in
      // A survey must not find half of a batch.
      if !options.isDryRun { try FileBatch(of: machine).recover() }
      let isNew = try await ledgerFolder.isNew(ledger)
      let credentials = SharedCredentials()
      let limit = TimeLimit(options.timeLimit ?? configuration.timeLimit)
      let (set, unsynced) = try await findingCalendars(ledger, credentials, limit, report)
      var result = Result(isLedgerNew: isNew, configuration: set.configuration)
      try await set.runSyncs(into: &result, over: ledger, credentials, limit, report)
      result.syncs = unsynced + result.syncs
      return result
    }
  }

  /// The set with the calendars of its accounts, and the results of those that cannot be synced.
  private func findingCalendars(
    _ ledger: any LedgerStore, _ credentials: SharedCredentials, _ limit: TimeLimit?,
    _ report: @escaping @Sendable (SyncSetEvent) -> Void
  ) async throws -> (SyncSet, [SyncResult]) {
    var (set, results): (SyncSet, [SyncResult]) = (self, [])
    let listings = try await listings(ledger, credentials, limit)
    for (account, listing) in zip(accounts, listings) {
      listing.events.forEach(report)
      results += listing.outcome.results
      set.configuration.expand(account, to: listing.outcome.pairs)
      set.configuration.addCalendars(of: account, knownTo: configuration)
      set.syncs.removeAll { $0.account == account.name }
      set.syncs += set.configuration.syncs.filter { $0.account == account.name }
    }
    return (set, results)
  }

  /// The calendars of an account, and the events to report.
  private typealias Listing = (outcome: AccountSync.Outcome, events: [SyncSetEvent])

  /// Lists the accounts concurrently.
  ///
  /// Those that share the folder or the server are listed one after another, because each may
  /// create a calendar that the next one finds.
  private func listings(
    _ ledger: any LedgerStore, _ credentials: SharedCredentials, _ limit: TimeLimit?
  ) async throws -> [Listing] {
    let remotes = Remotes(machine: machine)
    let sides = accounts.map { account -> Set<String> in
      let settings = configuration.accounts[account.account]
      let identity = settings.flatMap { try? remotes.identity(of: $0) }
      return [account.folder, identity.map { "\($0)" } ?? "account \(account.account)"]
    }
    return try await SyncSchedule(sides: sides, limit: options.jobs).run { index in
      let events = Mutex<[SyncSetEvent]>([])
      let outcome = try await AccountSync(
        sync: accounts[index], configuration: configuration, ledger: ledger,
        isDryRun: options.isDryRun, machine: machine, log: log, credentials: credentials,
        limit: limit, report: { event in events.withLock { $0.append(event) } }
      ).run()
      return (outcome, events.withLock { $0 })
    }
  }

  private func runSyncs(
    into result: inout Result, over ledger: any LedgerStore, _ credentials: SharedCredentials,
    _ limit: TimeLimit?, _ report: @escaping @Sendable (SyncSetEvent) -> Void
  ) async throws {
    let stopped = StoppedCalendars()
    let sessions = configuration.withMirrors(syncs).map { sync in
      // What the user allows is for the syncs that they named.
      var options = options
      if !syncs.contains(sync) { options.allowedDeletions = 0 }
      return SyncSession(
        sync: sync, configuration: configuration, ledger: ledger, options: options,
        machine: machine, log: log, report: report, credentials: credentials, limit: limit,
        stopped: stopped)
    }
    let group = try await group(of: sessions, over: ledger)
    let runs = try await group.run(
      in: machine.normalForm, at: machine.now(), isComplete: { $0.isComplete },
      { turn in try await sessions[turn.index].run(turn) })
    result.syncs = runs.compactMap { runs in
      runs.dropFirst().reduce(runs.first) { $0?.followed(by: $1) }
    }
    result.moves = CalendarMove.find(in: result.syncs)
    guard !options.isDryRun else { return }
    result.duplicates = try await DuplicateItem.find(
      in: sessions, changedBy: result.syncs, ledger)
    for move in result.moves {
      try await ledger.note(move.uid, movedFrom: move.departure, to: move.arrival)
    }
    let bindings = configuration.syncs.compactMap {
      try? SyncBinding(of: $0, in: configuration, machine)
    }
    result.returned = try await ReturnedItem.find(
      in: result.syncs, besides: result.moves, bindings, ledger)
  }

  /// The syncs as a group that detects moves, also to calendars of syncs that do not run.
  private func group(
    of sessions: [SyncSession], over ledger: any LedgerStore
  ) async throws -> SyncGroup {
    var members: [SyncGroup.Member] = []
    for session in sessions {
      try Task.checkCancellation()
      var member = await session.member(isAlone: sessions.count == 1)
      member.predecessors = Set(
        sessions.indices.filter { configuration.precedes(sessions[$0].sync, session.sync) })
      members.append(member)
    }
    let running = Set(sessions.map(\.sync.name))
    let others = configuration.syncs.filter { !running.contains($0.name) }
      .compactMap { try? SyncBinding(of: $0, in: configuration, machine) }
    return SyncGroup(
      members, beside: others, over: ledger, limit: options.jobs, isDryRun: options.isDryRun)
  }
}

extension Logger {
  /// A logger that discards everything.
  package static var silent: Logger { Logger(label: "epact") { _ in SwiftLogNoOpLogHandler() } }
}
