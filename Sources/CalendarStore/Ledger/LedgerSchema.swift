// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the ledger, their migrations, and the check that a file is a ledger.
///
/// A released migration never changes; further changes are added as new migrations.
enum LedgerSchema {
  /// The application ID in the file header, `EPCT`, which identifies a ledger.
  private static let applicationID: Int32 = 0x4550_4354
  /// The time to wait for another process that is writing, in seconds.
  private static let busyTimeout = 5.0

  /// The maximum number of pages for a full check at each opening.
  private static let smallPageCount = 1024
  /// The number of runs between full checks of a larger ledger.
  private static let checkInterval = 10

  /// The configuration of all connections.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ledger"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      // The file is not trusted: functions named in a damaged schema are not called, and damaged
      // pages are detected on reading.
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
          """)
    }
    return configuration
  }

  /// Creates a ledger in memory, empty or with the content of another database.
  static func inMemory(copying source: DatabaseQueue?) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(configuration: configuration)
    try source?.backup(to: queue)
    try migrator.migrate(queue)
    return queue
  }

  /// Checks that a database is empty, or is an undamaged ledger of a known version.
  static func check(_ db: Database, path: String) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 > 0 else { return }
    guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw StoreError.corrupt(path, "it is another program's database")
    }
    if try migrator.hasBeenSuperseded(db) {
      throw StoreError(
        code: .newerSchema, path: path,
        message: "the ledger was written by a newer version of epact, which has to be used with it")
    }
    guard try isDueForCheck(db) else { return }
    let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard finding == "ok" else { throw StoreError.corrupt(path, finding) }
  }

  /// Whether a full check of the ledger is due.
  ///
  /// Damaged pages are detected on reading, but some may never be read. Checking a large ledger
  /// takes longer than a whole run without changes.
  private static func isDueForCheck(_ db: Database) throws -> Bool {
    guard try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 > smallPageCount else { return true }
    // If even this query fails, the check is due.
    guard let runs = try? Int.fetchOne(db, sql: "SELECT max(id) FROM run") else { return true }
    return runs.isMultiple(of: checkInterval)
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 bindings, entries, journal and grants") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: remotes + syncs + history)
    }
    migrator.registerMigration("2 two bases") { db in
      try db.execute(sql: bases)
    }
    migrator.registerMigration("3 checkpoints") { db in
      try db.execute(sql: checkpoints)
    }
    migrator.registerMigration("log of requests under each grant") { db in
      try db.execute(sql: requests)
    }
    migrator.registerMigration("4 history, quarantine and properties") { db in
      try db.execute(sql: records)
    }
    migrator.registerMigration("5 filters") { db in
      try db.execute(sql: filters)
    }
    migrator.registerMigration("6 what was added and not listed yet") { db in
      try db.execute(sql: unlisted)
    }
    migrator.registerMigration("7 states of the journal") { db in
      try db.execute(sql: states)
    }
    migrator.registerMigration("8 journal of properties") { db in
      try db.execute(sql: properties)
    }
    migrator.registerMigration("9 snapshots beside checkpoints") { db in
      try db.execute(sql: snapshots)
    }
    migrator.registerMigration("10 both sides in the journal") { db in
      try db.execute(sql: sides)
    }
    return migrator
  }

  /// Known remotes, independent of syncs.
  private static let remotes = """
    CREATE TABLE remote (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      location TEXT NOT NULL,
      user TEXT NOT NULL,
      UNIQUE (kind, location, user)
    ) STRICT;

    CREATE TABLE grant (
      remote INTEGER PRIMARY KEY REFERENCES remote,
      tier TEXT NOT NULL CHECK (tier IN ('none', 'write-only', 'full')),
      purpose TEXT NOT NULL,
      grantedAt INTEGER NOT NULL,
      grantedBy TEXT NOT NULL
    ) STRICT;

    CREATE TABLE append (
      remote INTEGER NOT NULL REFERENCES remote,
      uid BLOB NOT NULL,
      href BLOB NOT NULL,
      etag TEXT,
      fingerprint TEXT NOT NULL,
      PRIMARY KEY (remote, uid)
    ) STRICT;

    """

  /// The agreed states of syncs.
  private static let syncs = """
    CREATE TABLE sync (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      local TEXT NOT NULL,
      remote INTEGER NOT NULL REFERENCES remote
    ) STRICT;

    CREATE TABLE entry (
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      localName BLOB NOT NULL,
      localBase TEXT NOT NULL,
      href BLOB NOT NULL,
      etag TEXT,
      remoteBase TEXT NOT NULL,
      base BLOB,
      PRIMARY KEY (sync, uid)
    ) STRICT;

    CREATE TABLE conflict (
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      title TEXT NOT NULL,
      base BLOB,
      local BLOB,
      remote BLOB,
      etag TEXT,
      PRIMARY KEY (sync, uid)
    ) STRICT;

    """

  /// The data for merging: the contents of each side and the merged contents.
  private static let bases = """
    ALTER TABLE entry ADD COLUMN remoteContent BLOB;
    ALTER TABLE entry ADD COLUMN isUnseen INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE conflict ADD COLUMN remoteBase BLOB;
    ALTER TABLE conflict ADD COLUMN href BLOB;
    ALTER TABLE journal ADD COLUMN mergedWith BLOB;

    """

  /// The resume states of syncs.
  private static let checkpoints = """
    CREATE TABLE checkpoint (
      sync INTEGER PRIMARY KEY REFERENCES sync,
      cursor BLOB,
      isAtRest INTEGER NOT NULL,
      verifiedAt INTEGER,
      snapshot BLOB
    ) STRICT;

    CREATE TABLE unsettled (
      sync INTEGER NOT NULL REFERENCES sync,
      href BLOB NOT NULL,
      etag TEXT,
      PRIMARY KEY (sync, href)
    ) STRICT;

    ALTER TABLE run ADD COLUMN deferred INTEGER NOT NULL DEFAULT 0;

    """

  /// Snapshots in a separate table, because changing a row rewrites all of it.
  private static let snapshots = """
    CREATE TABLE snapshot (
      sync INTEGER PRIMARY KEY REFERENCES sync,
      content BLOB NOT NULL
    ) STRICT;

    INSERT INTO snapshot (sync, content)
    SELECT sync, snapshot FROM checkpoint WHERE snapshot IS NOT NULL;

    ALTER TABLE checkpoint DROP COLUMN snapshot;

    """

  /// Items that a remote may omit when it reports changes.
  private static let unlisted = """
    CREATE TABLE unlisted (
      sync INTEGER NOT NULL REFERENCES sync,
      href BLOB NOT NULL,
      PRIMARY KEY (sync, href)
    ) STRICT;

    """

  /// The journal with its states compared one by one.
  ///
  /// For a list of three states, SQLite creates a table whenever it checks a row, which took longer
  /// than all other work of writing the row.
  private static let states = """
    ALTER TABLE journal RENAME TO listedJournal;

    CREATE TABLE journal (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      action TEXT NOT NULL,
      content BLOB,
      fingerprint TEXT,
      before BLOB,
      mergedWith BLOB,
      href BLOB,
      etag TEXT,
      agreed BLOB,
      moved TEXT,
      state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state = 'pending' OR state = 'done' OR state = 'given up')
    ) STRICT;

    INSERT INTO journal
      (id, run, sync, uid, action, content, fingerprint, before, mergedWith, href, etag, agreed, moved,
       state)
    SELECT
      id, run, sync, uid, action, content, fingerprint, before, mergedWith, href, etag, agreed, moved,
      state
    FROM listedJournal;

    DROP TABLE listedJournal;
    CREATE INDEX journal_of_run ON journal (run);
    CREATE INDEX journal_pending ON journal (sync, uid) WHERE state = 'pending';

    """

  /// The journal of property changes.
  private static let properties = """
    ALTER TABLE run ADD COLUMN properties INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE propertyJournal (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      sync INTEGER NOT NULL REFERENCES sync,
      side TEXT NOT NULL,
      name TEXT NOT NULL,
      before BLOB,
      after BLOB,
      agreed BLOB,
      state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state = 'pending' OR state = 'done' OR state = 'given up')
    ) STRICT;

    CREATE INDEX propertyJournal_of_run ON propertyJournal (run);
    CREATE INDEX propertyJournal_pending ON propertyJournal (sync) WHERE state = 'pending';

    """

  /// The data for undoing a run: the content of each side at that time, and the undone state.
  private static let sides = """
    ALTER TABLE journal ADD COLUMN other BLOB;
    ALTER TABLE journal ADD COLUMN agreedRemotely BLOB;
    ALTER TABLE conflict ADD COLUMN isTakenBack INTEGER NOT NULL DEFAULT 0;

    """

  /// The requests by kind under each grant.
  private static let requests = """
    CREATE TABLE request (
      remote INTEGER NOT NULL REFERENCES remote,
      tier TEXT NOT NULL,
      grantedAt INTEGER NOT NULL,
      effect TEXT NOT NULL,
      action TEXT NOT NULL,
      target TEXT NOT NULL,
      count INTEGER NOT NULL,
      firstAt INTEGER NOT NULL,
      lastAt INTEGER NOT NULL,
      PRIMARY KEY (remote, tier, grantedAt, effect, action, target)
    ) STRICT;

    """

  /// Data about whole runs: undo, results of attempts, quarantine, and agreed properties.
  private static let records = """
    ALTER TABLE run ADD COLUMN undoes INTEGER;
    ALTER TABLE run ADD COLUMN local TEXT;
    ALTER TABLE run ADD COLUMN remote INTEGER REFERENCES remote;
    ALTER TABLE journal ADD COLUMN agreed BLOB;
    ALTER TABLE journal ADD COLUMN moved TEXT;

    CREATE TABLE attempt (
      sync TEXT PRIMARY KEY,
      endedAt INTEGER NOT NULL,
      status INTEGER NOT NULL,
      message TEXT,
      lastSuccess INTEGER
    ) STRICT;

    CREATE TABLE quarantine (
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      title TEXT NOT NULL,
      reason TEXT NOT NULL,
      content TEXT,
      failures INTEGER NOT NULL,
      since INTEGER NOT NULL,
      nextTry INTEGER,
      PRIMARY KEY (sync, uid)
    ) STRICT;

    CREATE TABLE property (
      sync INTEGER NOT NULL REFERENCES sync,
      name TEXT NOT NULL,
      local TEXT,
      remote TEXT,
      readAt INTEGER NOT NULL,
      PRIMARY KEY (sync, name)
    ) STRICT;

    """

  /// Filters of syncs, and the items that stay outside of them.
  private static let filters = """
    ALTER TABLE sync ADD COLUMN filter TEXT NOT NULL DEFAULT '';
    ALTER TABLE run ADD COLUMN filter TEXT NOT NULL DEFAULT '';
    ALTER TABLE checkpoint ADD COLUMN restsUntil INTEGER;

    CREATE TABLE outside (
      sync INTEGER NOT NULL REFERENCES sync,
      side TEXT NOT NULL,
      place BLOB NOT NULL,
      uid BLOB NOT NULL,
      version TEXT NOT NULL,
      until INTEGER,
      PRIMARY KEY (sync, side, place)
    ) STRICT;

    """

  /// Completed and intended changes of runs.
  private static let history = """
    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sync INTEGER NOT NULL REFERENCES sync,
      startedAt INTEGER NOT NULL,
      endedAt INTEGER,
      uploaded INTEGER NOT NULL DEFAULT 0,
      downloaded INTEGER NOT NULL DEFAULT 0,
      deletedRemotely INTEGER NOT NULL DEFAULT 0,
      deletedLocally INTEGER NOT NULL DEFAULT 0,
      appended INTEGER NOT NULL DEFAULT 0,
      conflicts INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      stoppedByGuard INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE journal (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      action TEXT NOT NULL,
      content BLOB,
      fingerprint TEXT,
      before BLOB,
      href BLOB,
      etag TEXT,
      state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'given up'))
    ) STRICT;

    CREATE INDEX run_of_sync ON run (sync);
    CREATE INDEX journal_of_run ON journal (run);
    CREATE INDEX journal_pending ON journal (sync, uid) WHERE state = 'pending';

    """
}
