// SPDX-License-Identifier: Apache-2.0

/// The right to sync for a tenant, which one process at a time has for a while.
///
/// Each writing transaction renews it. When it is over, another process may take it. From then on
/// the first one cannot write to the ledger any more (`StoreError.Code.leaseLost`). Each change of
/// a remote follows an intent in the ledger, so that it cannot begin one either.
public struct LedgerLease: Hashable, Sendable {
  /// The name of the process, for people who have to wait for it.
  public let holder: String
  /// The time after a transaction for which no other process may take it, in seconds.
  public let seconds: Int
  /// The time to wait for a lease of another process, in seconds.
  public let patience: Int
  /// Whether it is also renewed between transactions, until the ledger is closed or the process hangs.
  public let isKept: Bool

  /// Describes a lease that is to be taken.
  ///
  /// - Parameters:
  ///   - holder: The name of the process, such as its host and number.
  ///   - seconds: The time after a transaction for which no other process may take it, 1 or more.
  ///   - patience: The time to wait for a lease of another process, in seconds.
  ///   - isKept: Whether it is also renewed between transactions.
  public init(holder: String, seconds: Int = 60, patience: Int = 5, isKept: Bool = false) {
    self.holder = holder
    self.isKept = isKept
    self.seconds = max(1, seconds)
    self.patience = max(0, patience)
  }
}

/// A lease that was taken.
///
/// The fence grows with each holder. The token differs from those of all others, even if the
/// database is restored from a backup in which the fence was lower.
struct HeldLease {
  let lease: LedgerLease
  let fence: Int64
  let token: String

  // The time is that of the database, so that the clocks of the machines do not matter.
  private static let end = "clock_timestamp() + CAST(? AS BIGINT) * INTERVAL '1 second'"

  /// Takes the lease if it is free or over; nil if another process has it.
  static func take(_ lease: LedgerLease, in db: PostgreSQLConnection) throws -> HeldLease? {
    try db.first(
      """
      INSERT INTO lease (fence, holder, token, until)
      VALUES (1, ?1, CAST(gen_random_uuid() AS TEXT),
        clock_timestamp() + CAST(?2 AS BIGINT) * INTERVAL '1 second')
      ON CONFLICT ON CONSTRAINT lease_pkey DO UPDATE SET
        fence = lease.fence + 1, holder = excluded.holder, token = excluded.token,
        until = clock_timestamp() + CAST(?2 AS BIGINT) * INTERVAL '1 second'
      WHERE lease.until <= clock_timestamp()
      RETURNING fence, token
      """, [lease.holder, lease.seconds]
    ) { HeldLease(lease: lease, fence: try $0.value(0), token: try $0.value(1)) }
  }

  /// Renews the lease, and keeps its row until the end of the transaction.
  ///
  /// - Returns: The ID of the transaction; nil if another process has taken the lease.
  func renew(in db: PostgreSQLConnection) throws -> String? {
    try db.text(
      """
      UPDATE lease SET until = \(Self.end) WHERE fence = ? AND token = ?
      RETURNING CAST(pg_current_xact_id() AS TEXT)
      """, [lease.seconds, fence, token])
  }

  /// Ends the lease before its time.
  func release(in db: PostgreSQLConnection) throws {
    try db.execute(
      "UPDATE lease SET until = clock_timestamp() WHERE fence = ? AND token = ?", [fence, token])
  }

  /// Keeps the row of the tenant until the end of a transaction without a lease, so that
  /// transactions that write come one after the other.
  ///
  /// - Returns: The ID of the transaction.
  static func wait(in db: PostgreSQLConnection) throws -> String? {
    try db.text(
      """
      INSERT INTO lease (fence, holder, token, until) VALUES (0, '', '', clock_timestamp())
      ON CONFLICT ON CONSTRAINT lease_pkey DO UPDATE SET fence = lease.fence
      RETURNING CAST(pg_current_xact_id() AS TEXT)
      """)
  }

  /// The name of the process that took the lease last; empty for none.
  static func holder(in db: PostgreSQLConnection) throws -> String {
    try db.text("SELECT holder FROM lease") ?? ""
  }
}
