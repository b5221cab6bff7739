// SPDX-License-Identifier: Apache-2.0

/// The schema `epact` of a database: its migrations, and the check that it is a ledger of this
/// version.
enum PostgreSQLSchema {
  /// The schema that has the tables.
  static let name = "epact"

  /// The key of the lock under which the tables are created: `EPCT`, as in the header of an SQLite
  /// file.
  private static let lock: Int64 = 0x4550_4354

  /// The migrations in order; a released one never changes.
  ///
  /// An identifier is that of the migration of SQLite that leads to the same tables.
  static let migrations: [(identifier: String, sql: String)] = [
    ("10 projections", PostgreSQLTable.first.map(\.creation).joined() + indexes),
    ("11 hosted accounts", PostgreSQLTable.hosting.map(\.creation).joined() + views),
  ]

  /// The views of a host's accounts for other programs: the due ones, the longest due first, and the
  /// numbers in one row.
  ///
  /// A session chooses the host by `SET epact.tenant = 'NAME'`.
  private static let views = """
    CREATE INDEX hostedAccount_due ON hostedAccount (tenant, dueAt) WHERE isPaused = 0;
    CREATE VIEW due AS
      SELECT name, to_timestamp(dueAt) AS due, failures FROM hostedAccount
      WHERE isPaused = 0 AND dueAt <= extract(epoch FROM clock_timestamp())
      ORDER BY dueAt, name;
    CREATE VIEW fleet AS
      SELECT count(*) AS accounts, count(*) FILTER (WHERE isPaused = 1) AS paused,
        count(*) FILTER (
          WHERE isPaused = 0 AND dueAt <= extract(epoch FROM clock_timestamp())) AS due,
        count(*) FILTER (WHERE status = 0) AS in_order,
        count(*) FILTER (WHERE status = 3) AS conflicts,
        count(*) FILTER (WHERE status = 5) AS stopped,
        count(*) FILTER (WHERE status NOT IN (0, 3, 5)) AS failing,
        count(*) FILTER (WHERE endedAt IS NULL) AS never,
        to_timestamp(min(dueAt) FILTER (WHERE isPaused = 0)) AS longest_due,
        to_timestamp(min(lastSuccess) FILTER (WHERE isPaused = 0)) AS oldest_success
      FROM hostedAccount;

    """

  private static let indexes = """
    CREATE INDEX entry_of_href ON entry (tenant, sync, hrefKey);
    CREATE INDEX run_of_sync ON run (tenant, sync);
    CREATE INDEX journal_of_run ON journal (tenant, run);
    CREATE INDEX journal_of_sync ON journal (tenant, sync, id);
    CREATE INDEX journal_pending ON journal (tenant, sync, uid) WHERE state = 'pending';
    CREATE INDEX propertyJournal_of_run ON propertyJournal (tenant, run);
    CREATE INDEX propertyJournal_pending ON propertyJournal (tenant, sync) WHERE state = 'pending';
    CREATE INDEX fileChange_of_run ON fileChange (tenant, run);
    ALTER TABLE lease SET (fillfactor = 50);
    """

  /// Checks that a database is empty, or is a ledger of this or an earlier schema.
  ///
  /// - Returns: The number of applied migrations; 0 for a database without a ledger.
  static func check(_ db: PostgreSQLConnection, path: String) throws -> Int {
    let tables = try db.integer(
      "SELECT count(*) FROM pg_tables WHERE schemaname = 'epact'")
    guard tables ?? 0 > 0 else { return 0 }
    guard
      try db.has("SELECT 1 FROM pg_tables WHERE schemaname = 'epact' AND tablename = 'migration'")
    else {
      throw StoreError(
        code: .corrupt, path: path,
        message: "the schema epact of the database has another program's tables")
    }
    let applied = try db.all("SELECT identifier FROM epact.migration ORDER BY number") {
      try $0.value(0) as String
    }
    guard !applied.isEmpty, applied == migrations.prefix(applied.count).map(\.identifier) else {
      throw StoreError(
        code: .otherSchema, path: path,
        message: "the ledger was written by another version of this program, which has to be used "
          + "with it")
    }
    // Without it the owner of the tables sees the rows of all tenants.
    let open = try db.text(
      """
      SELECT string_agg(CAST(relname AS TEXT), ', ' ORDER BY relname) FROM pg_class
      WHERE relnamespace = to_regnamespace('epact') AND relkind = 'r' AND relname <> 'migration'
        AND NOT (relrowsecurity AND relforcerowsecurity)
      """)
    if let open {
      throw StoreError(
        code: .noAccess, path: path,
        message: "row-level security, which keeps the tenants apart, is off for \(open)")
    }
    return applied.count
  }

  /// Creates or completes the tables in one transaction, and waits for other processes that do so.
  static func migrate(_ db: PostgreSQLConnection, path: String) throws {
    guard try check(db, path: path) < migrations.count else { return }
    try db.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      try db.execute("SELECT pg_advisory_xact_lock(?)", [lock])
      let applied = try check(db, path: path)
      if applied == 0 {
        try db.run(
          """
          CREATE SCHEMA IF NOT EXISTS epact;
          CREATE TABLE epact.migration (number BIGINT PRIMARY KEY, identifier TEXT NOT NULL);
          """)
      }
      for (number, migration) in migrations.enumerated().dropFirst(applied) {
        try db.run(migration.sql)
        try db.execute(
          "INSERT INTO epact.migration (number, identifier) VALUES (?, ?)",
          [number + 1, migration.identifier])
      }
      try db.run("COMMIT")
    } catch {
      try? db.run("ROLLBACK")
      throw error
    }
  }
}
