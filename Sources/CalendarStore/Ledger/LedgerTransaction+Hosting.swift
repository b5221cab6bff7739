// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An account of another person, for which a host runs syncs.
public struct HostedAccount: Hashable, Sendable {
  /// The end of the last run.
  public struct Outcome: Hashable, Sendable {
    /// The time of the end.
    public let endedAt: Instant
    /// The exit status that the run would have as a process of its own.
    public let status: Int
    /// The error of the run; nil if there is none.
    public let message: String?

    /// Creates an outcome.
    public init(endedAt: Instant, status: Int, message: String?) {
      self.endedAt = endedAt
      self.status = status
      self.message = message
    }
  }

  /// The unique name.
  public let name: String
  /// The configuration of the syncs, a TOML document.
  public var configuration: String
  /// The time between two runs in seconds, 1 or more.
  public var interval: Int
  /// Whether no runs are due.
  public var isPaused = false
  /// The time from which the next run is due.
  public var dueAt: Instant
  /// The end of the last run; nil if there was none.
  public var outcome: Outcome?
  /// The end of the last run in which all was in order; nil if there was none.
  public var lastSuccess: Instant?
  /// The number of runs since then that failed.
  public var failures = 0

  /// Creates an account that was never synced.
  ///
  /// - Parameters:
  ///   - name: The unique name.
  ///   - configuration: The configuration of the syncs.
  ///   - interval: The time between two runs in seconds, 1 or more.
  ///   - dueAt: The time from which the first run is due.
  public init(name: String, configuration: String, interval: Int, dueAt: Instant) {
    self.name = name
    self.configuration = configuration
    self.interval = max(1, interval)
    self.dueAt = dueAt
  }
}

/// A choice among the accounts of a host.
public enum HostedAccountChoice: Hashable, Sendable {
  /// All accounts.
  case all
  /// The accounts with some names.
  case named(Set<String>)
  /// The accounts whose runs are due at a time, the longest due first.
  case due(Instant)
  /// The accounts whose last run failed.
  case failing
  /// The paused accounts.
  case paused
}

/// The numbers of a host's accounts.
public struct HostedAccountCounts: Hashable, Sendable {
  /// All accounts.
  public var accounts = 0
  /// The paused accounts.
  public var paused = 0
  /// The accounts whose runs are due.
  public var due = 0
  /// The accounts that never ran.
  public var never = 0
  /// The accounts by the exit status of their last run.
  public var byStatus: [Int: Int] = [:]
  /// The earliest due time of an account that is not paused; nil if there is none.
  public var earliestDue: Instant?
  /// The earliest last success of an account that is not paused; nil if there is none.
  public var earliestSuccess: Instant?

  /// Creates the numbers of a host without accounts.
  public init() {}
}

/// The accounts of a host.
extension LedgerTransaction {
  private static let hosting = "hostedAccount"

  /// Calls a closure with each chosen account, in order of name, or of due time for the due ones.
  ///
  /// - Parameters:
  ///   - choice: The accounts.
  ///   - limit: The maximum number of accounts; nil for all.
  ///   - body: The closure.
  /// - Throws: An error of the database, or of the closure.
  public func eachHostedAccount(
    _ choice: HostedAccountChoice, limit: Int? = nil, _ body: (HostedAccount) throws -> Void
  ) throws {
    guard try db.hasTable(Self.hosting) else { return }
    if case .named(let names) = choice {
      for name in names.sorted() { try hostedAccount(named: name).map(body) }
      return
    }
    let (condition, arguments): (String, [(any LedgerArgument)?]) =
      switch choice {
      case .all, .named: ("1 = 1 ORDER BY name", [])
      case .due(let time): ("isPaused = 0 AND dueAt <= ? ORDER BY dueAt, name", [time.seconds])
      case .failing: ("failures > 0 ORDER BY name", [])
      case .paused: ("isPaused = 1 ORDER BY name", [])
      }
    var rest = limit ?? .max
    guard rest > 0 else { return }
    try db.each("SELECT * FROM hostedAccount WHERE \(condition)", arguments) { row in
      try body(try HostedAccount(row))
      rest -= 1
      return rest > 0
    }
  }

  /// Returns the account with a name; nil if there is none.
  public func hostedAccount(named name: String) throws -> HostedAccount? {
    guard try db.hasTable(Self.hosting) else { return nil }
    return try db.first("SELECT * FROM hostedAccount WHERE name = ?", [name], HostedAccount.init)
  }

  /// Returns the numbers of accounts at a time.
  public func hostedAccountCounts(at time: Instant) throws -> HostedAccountCounts {
    var counts = HostedAccountCounts()
    guard try db.hasTable(Self.hosting) else { return counts }
    try db.each(
      """
      SELECT status, count(*), CAST(sum(isPaused) AS BIGINT),
        CAST(sum(CASE WHEN isPaused = 0 AND dueAt <= ? THEN 1 ELSE 0 END) AS BIGINT),
        min(CASE WHEN isPaused = 0 THEN dueAt END),
        min(CASE WHEN isPaused = 0 THEN lastSuccess END)
      FROM hostedAccount GROUP BY status
      """, [time.seconds]
    ) { row in
      let number: Int = try row.value(1)
      counts.accounts += number
      counts.paused += try row.value(2)
      counts.due += try row.value(3)
      if let status: Int = try row.optional(0) {
        counts.byStatus[status] = number
      } else {
        counts.never = number
      }
      counts.earliestDue = Self.earlier(counts.earliestDue, try row.optional(4))
      counts.earliestSuccess = Self.earlier(counts.earliestSuccess, try row.optional(5))
      return true
    }
    return counts
  }

  private static func earlier(_ known: Instant?, _ seconds: Int64?) -> Instant? {
    guard let time = seconds.map(Instant.init(secondsSinceEpoch:)) else { return known }
    return known.map { min($0, time) } ?? time
  }

  /// Stores an account, instead of one with its name.
  public func store(_ account: HostedAccount) throws {
    try db.execute(
      Self.replacement(
        in: Self.hosting, key: ["name"],
        values: [
          "configuration", "seconds", "isPaused", "dueAt", "endedAt", "status", "message",
          "lastSuccess", "failures",
        ]),
      [
        account.name, account.configuration, account.interval, account.isPaused,
        account.dueAt.seconds, account.outcome?.endedAt.seconds, account.outcome?.status,
        account.outcome?.message, account.lastSuccess?.seconds, account.failures,
      ])
  }

  /// Stores the end of a run of an account, and the time of the next one.
  ///
  /// Other values of the account may have changed during the run, and stay.
  ///
  /// - Parameters:
  ///   - outcome: The end of the run.
  ///   - name: The name of the account.
  ///   - isSuccess: Whether all was in order.
  ///   - dueAt: The time from which the next run is due.
  /// - Throws: An error of the database.
  public func note(
    _ outcome: HostedAccount.Outcome, ofHostedAccount name: String, isSuccess: Bool,
    nextAt dueAt: Instant
  ) throws {
    let success = isSuccess ? outcome.endedAt.seconds : nil
    try db.execute(
      """
      UPDATE hostedAccount SET endedAt = ?, status = ?, message = ?, dueAt = ?,
        lastSuccess = coalesce(?, lastSuccess),
        failures = CASE WHEN ? = 1 THEN 0 ELSE failures + 1 END
      WHERE name = ?
      """,
      [
        outcome.endedAt.seconds, outcome.status, outcome.message, dueAt.seconds, success,
        isSuccess, name,
      ])
  }

  /// Pauses accounts, or resumes them.
  ///
  /// - Returns: Whether there was an account with the name.
  public func setPaused(_ isPaused: Bool, hostedAccount name: String) throws -> Bool {
    try db.execute("UPDATE hostedAccount SET isPaused = ? WHERE name = ?", [isPaused, name]) > 0
  }

  /// Removes an account; its ledger stays.
  ///
  /// - Returns: Whether there was an account with the name.
  public func removeHostedAccount(named name: String) throws -> Bool {
    try db.execute("DELETE FROM hostedAccount WHERE name = ?", [name]) > 0
  }
}

extension Instant {
  fileprivate var seconds: Int64 { secondsSinceEpoch }
}

extension HostedAccount {
  fileprivate init(_ row: LedgerRow) throws {
    self.init(
      name: try row.value("name"), configuration: try row.value("configuration"),
      interval: try row.value("seconds"),
      dueAt: Instant(secondsSinceEpoch: try row.value("dueAt")))
    isPaused = try row.value("isPaused")
    failures = try row.value("failures")
    lastSuccess = (try row.optional("lastSuccess") as Int64?).map(Instant.init(secondsSinceEpoch:))
    guard let end: Int64 = try row.optional("endedAt") else { return }
    outcome = Outcome(
      endedAt: Instant(secondsSinceEpoch: end), status: try row.value("status"),
      message: try row.optional("message"))
  }
}
