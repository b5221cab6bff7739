// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// Runs several syncs over one ledger.
///
/// Syncs that share a side run one after the other, and the others run concurrently. An item that
/// was moved from the calendar of one sync to that of another is never lost:
///
/// - It is added to its new remote before it is deleted on the old one. If items were moved in a
///   circle, one sync of the circle runs twice.
/// - Until its new remote holds it, no sync deletes it.
/// - A server that allows each UID once per account is asked to move it.
///
/// ```swift
/// let results = try await SyncGroup.run([homeEngine, workEngine])
/// ```
public struct SyncGroup: Sendable {
  /// One sync of the group.
  public struct Member: Sendable {
    /// The binding of the sync; nil if a side is inaccessible, so that no item can be moved.
    public let binding: SyncBinding?
    /// The local calendar, for detecting moves; nil if it is inaccessible, or if the sync pulls.
    ///
    /// A file that enters a calendar that pulls arrives nowhere, and one that leaves it comes back.
    public let local: (any LocalCalendar)?
    /// The account of the remote, if the sync has full access to it.
    ///
    /// A server may move items between remotes of equal accounts.
    public let account: String?
    /// The direction of the sync.
    public let direction: SyncDirection
    /// The resources that no other sync may use at the same time.
    public let sides: Set<String>
    /// The indices of the syncs that make its local calendar, and so run before it.
    ///
    /// The order of moved items takes precedence.
    public var predecessors: Set<Int> = []

    /// Creates a member.
    public init(
      _ binding: SyncBinding?, local: (any LocalCalendar)?, account: String? = nil,
      direction: SyncDirection = .both, sides: Set<String>
    ) {
      self.binding = binding
      self.local = direction == .pull ? nil : local
      self.account = account
      self.direction = direction
      self.sides = sides
    }
  }

  private let members: [Member]
  private let others: [SyncBinding]
  private let ledger: any Ledger
  private let limit: Int
  private let isDryRun: Bool

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - members: The syncs.
  ///   - others: The syncs of the same ledger that do not run now.
  ///   - ledger: The ledger of all syncs.
  ///   - limit: The maximum number of concurrent syncs.
  ///   - isDryRun: Whether nothing is written. The ledger then lacks items that another sync of the
  ///     group would add first, so that no item is withheld.
  public init(
    _ members: [Member], beside others: [SyncBinding] = [], over ledger: any Ledger,
    limit: Int = 4, isDryRun: Bool = false
  ) {
    self.members = members
    self.others = others
    self.ledger = ledger
    self.limit = limit
    self.isDryRun = isDryRun
  }

  /// Runs all syncs.
  ///
  /// - Parameters:
  ///   - form: The normal form for comparing items.
  ///   - now: The current time.
  ///   - isComplete: Whether an outcome allows a second run of the same sync.
  ///   - body: Runs the sync whose turn it is.
  /// - Returns: The outcomes of each sync: one, or two if items were moved in a circle.
  /// - Throws: The first error of `body`, which cancels the other syncs, or an error of the ledger.
  public func run<Outcome: Sendable>(
    in form: NormalForm, at now: Instant, isComplete: @Sendable (Outcome) -> Bool,
    _ body: @escaping @Sendable (SyncTurn) async throws -> Outcome
  ) async throws -> [[Outcome]] {
    let turns = try await turns(in: form, at: now)
    let traffic = turns.map(\.traffic)
    let wished = members.enumerated().flatMap { later, member in
      member.predecessors.sorted().map { SyncSchedule.Precedence($0, before: later) }
    }
    let schedule = SyncSchedule(
      sides: members.map(\.sides), order: SyncSchedule.order(traffic, wished: wished), limit: limit)
    var outcomes = try await schedule.run { [try await body(turns[$0])] }
    // Items that moved in a circle are deleted from their old calendars after they were added to
    // the new ones.
    for index in SyncSchedule.circling(traffic) where !isDryRun {
      guard let first = outcomes[index].first, isComplete(first) else { continue }
      outcomes[index].append(try await body(turns[index]))
    }
    return outcomes
  }

  /// The turns of all syncs, from the state of the calendars and the ledger before any of them
  /// runs.
  private func turns(in form: NormalForm, at now: Instant) async throws -> [SyncTurn] {
    let traffic = try await traffic(in: form, at: now)
    var turns: [SyncTurn] = []
    for (index, member) in members.enumerated() {
      let otherCalendars = (members.compactMap(\.binding) + others)
        .filter { $0.local != member.binding?.local }
      var turn = SyncTurn(
        index: index, binding: member.binding, traffic: traffic[index],
        otherCalendars: otherCalendars,
        ledger: ledger, isDryRun: isDryRun)
      for (place, other) in members.enumerated() where place != index {
        guard let binding = other.binding else { continue }
        let left = traffic[index].departed.intersection(traffic[place].arrived)
        for uid in left { turn.destinations[uid] = binding }
        let came = traffic[place].departed.intersection(traffic[index].arrived)
        guard !came.isEmpty, let account = member.account, account == other.account else {
          continue
        }
        turn.sources.append((binding, came, ownOnly: other.direction == .push))
      }
      if let binding = member.binding {
        turn.elsewhere = try await ledger.elsewhere(than: binding, in: otherCalendars)
      }
      turns.append(turn)
    }
    return turns
  }

  /// The items that left or entered each calendar; none if all syncs use the same calendar.
  private func traffic(in form: NormalForm, at now: Instant) async throws -> [CalendarTraffic] {
    let hasSeveral = Set(members.map(\.binding?.local)).count > 1
    var traffic: [CalendarTraffic] = []
    for member in members {
      try Task.checkCancellation()
      guard hasSeveral, let binding = member.binding, let local = member.local else {
        traffic.append(CalendarTraffic())
        continue
      }
      // A calendar that cannot be read is reported by its own run.
      let found = try? await CalendarTraffic(of: local, ledger, binding, in: form, at: now)
      traffic.append(found ?? CalendarTraffic())
    }
    return traffic
  }
}

extension SyncGroup {
  /// Runs engines as a group; an error of one sync does not stop the others.
  ///
  /// - Parameters:
  ///   - engines: The syncs, all with the same ledger.
  ///   - others: The syncs of the same ledger that do not run now.
  ///   - limit: The maximum number of concurrent syncs.
  /// - Returns: The result of each sync.
  /// - Throws: `CancellationError`, or an error of the ledger before any sync has run.
  public static func run(
    _ engines: [SyncEngine], beside others: [SyncBinding] = [], limit: Int = 4
  ) async throws -> [Result<RunSummary, any Error>] {
    guard let first = engines.first else { return [] }
    let group = SyncGroup(
      engines.map { Member($0) }, beside: others, over: first.ledger, limit: limit,
      isDryRun: engines.contains(where: \.options.isDryRun))
    let outcomes = try await group.run(
      in: first.merge.normalForm, at: first.now(),
      isComplete: { if case .success(let summary) = $0 { !summary.stoppedByGuard } else { false } },
      { turn in try await Self.run(engines[turn.index], turn) })
    return outcomes.map { $0.dropFirst().reduce($0[0]) { $0.followed(by: $1) } }
  }

  private static func run(
    _ engine: SyncEngine, _ turn: SyncTurn
  ) async throws -> Result<RunSummary, any Error> {
    do {
      return .success(try await engine.moving(turn.moves()).run())
    } catch let error as CancellationError {
      throw error
    } catch {
      return .failure(error)
    }
  }
}

extension SyncGroup.Member {
  /// Creates the member of an engine.
  fileprivate init(_ engine: SyncEngine) {
    let hasFullAccess = engine.tier == .full
    self.init(
      engine.binding, local: engine.tier == .none ? nil : engine.local,
      account: hasFullAccess ? engine.remote.account : nil, direction: engine.options.direction,
      sides: [engine.local.location, "\(engine.remote.identity)"])
  }
}

extension Result<RunSummary, any Error> {
  /// The result of two runs of one sync.
  fileprivate func followed(by next: Self) -> Self {
    guard case .success(let first) = self, case .success(let second) = next else { return next }
    return .success(first.followed(by: second))
  }
}
