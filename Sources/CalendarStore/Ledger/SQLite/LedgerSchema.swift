// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the ledger, and the check that a file is a ledger of this schema.
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

  /// Creates an empty ledger in memory.
  static func inMemory() throws -> DatabaseQueue {
    let queue = try DatabaseQueue(configuration: configuration)
    try migrator.migrate(queue)
    return queue
  }

  /// Checks that a database is empty, or is an undamaged ledger of this schema.
  ///
  /// A ledger of an earlier schema is usable: its migrations are the first ones of this schema, and
  /// an opening for writing adds the others.
  ///
  /// - Returns: Whether the database is a ledger; false if it is empty.
  static func check(_ db: Database, path: String) throws -> Bool {
    guard try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 > 0 else { return false }
    let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id")
    if owner == 0, try isBeingCreated(db) { return false }
    guard owner == applicationID else {
      throw StoreError.corrupt(path, "it is another program's database")
    }
    let applied = try migrator.appliedIdentifiers(db)
    guard !applied.isEmpty, applied == Set(migrator.migrations.prefix(applied.count)) else {
      throw StoreError(
        code: .otherSchema, path: path,
        message: "the ledger was written by another version of this program, which has to be used "
          + "with it")
    }
    guard try isDueForCheck(db) else { return true }
    let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
    guard finding == "ok" else { throw StoreError.corrupt(path, finding) }
    return true
  }

  /// Whether another process is creating the ledger: the table of the migrations comes first, in a
  /// transaction of its own.
  private static func isBeingCreated(_ db: Database) throws -> Bool {
    try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      .allSatisfy { $0 == "grdb_migrations" }
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

  /// The migrations in order; a released one never changes.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("4 ledger") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(
        sql: remotes + programs + accounts + syncs + checkpoints + runs + journals + files)
    }
    migrator.registerMigration("5 choices") { db in
      try db.execute(sql: "ALTER TABLE run ADD COLUMN isChoice INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("6 decisions") { db in try db.execute(sql: decisions) }
    migrator.registerMigration("7 unreported") { db in
      try db.execute(sql: "ALTER TABLE unlisted ADD COLUMN isAddition INTEGER NOT NULL DEFAULT 1")
    }
    migrator.registerMigration("8 obstacles") { db in try db.execute(sql: obstacles) }
    migrator.registerMigration("9 own items") { db in try db.execute(sql: ownItems) }
    migrator.registerMigration("10 projections") { db in try db.execute(sql: projections) }
    migrator.registerMigration("11 hosted accounts") { db in try db.execute(sql: hostedAccounts) }
    return migrator
  }

  /// Reasons as JSON instead of English sentences.
  private static let obstacles = """
    UPDATE quarantine SET reason = CASE reason
      WHEN 'the remote already holds an event with its UID, which cannot be compared without full '
        || 'access' THEN '{"placeTaken":{}}'
      ELSE json_object('reported', json_object('_0', reason))
    END
    """

  /// The feeds, and the secret keys of the user.
  private static let projections = """
    CREATE TABLE feed (
      name TEXT PRIMARY KEY,
      tokenDigest BLOB NOT NULL UNIQUE,
      settings TEXT NOT NULL,
      comment TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      lastUsedAt INTEGER
    ) STRICT;

    CREATE TABLE secret (
      name TEXT PRIMARY KEY,
      value BLOB NOT NULL
    ) STRICT;

    """

  /// The accounts of others for which the machine runs syncs, and calendars without a folder.
  private static let hostedAccounts = """
    CREATE TABLE hostedAccount (
      name TEXT PRIMARY KEY,
      configuration TEXT NOT NULL,
      seconds INTEGER NOT NULL,
      isPaused INTEGER NOT NULL DEFAULT 0,
      dueAt INTEGER NOT NULL,
      endedAt INTEGER,
      status INTEGER,
      message TEXT,
      lastSuccess INTEGER,
      failures INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE INDEX hostedAccount_due ON hostedAccount (dueAt) WHERE isPaused = 0;

    CREATE TABLE storedItem (
      calendar TEXT NOT NULL,
      uid BLOB NOT NULL,
      revision TEXT NOT NULL,
      content BLOB NOT NULL,
      form TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      PRIMARY KEY (calendar, uid)
    ) STRICT;

    CREATE TABLE storedCalendar (
      name TEXT PRIMARY KEY,
      version INTEGER NOT NULL
    ) STRICT;

    """

  /// Whether a sync has written an item to the remote; known only of the last version of earlier ones.
  private static let ownItems = """
    ALTER TABLE entry ADD COLUMN isOwn INTEGER NOT NULL DEFAULT 0;
    UPDATE entry SET isOwn = 1 WHERE origin <> 0;
    """

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

    CREATE TABLE append (
      remote INTEGER NOT NULL REFERENCES remote,
      uid BLOB NOT NULL,
      href BLOB NOT NULL,
      etag TEXT,
      fingerprint TEXT NOT NULL,
      PRIMARY KEY (remote, uid)
    ) STRICT;

    """

  /// The programs that asked for access to the local calendars.
  private static let programs = """
    CREATE TABLE program (
      identifier BLOB NOT NULL,
      entity TEXT NOT NULL CHECK (entity IN ('events', 'reminders')),
      name BLOB NOT NULL,
      tier TEXT NOT NULL CHECK (tier IN ('none', 'write-only', 'full')),
      purpose BLOB NOT NULL,
      grantedAt INTEGER NOT NULL,
      grantedBy TEXT NOT NULL,
      calendar BLOB,
      refusesMore INTEGER NOT NULL,
      PRIMARY KEY (identifier, entity),
      CHECK (entity = 'events' OR tier <> 'write-only')
    ) STRICT;

    CREATE TABLE programUse (
      identifier BLOB NOT NULL,
      entity TEXT NOT NULL,
      tier TEXT NOT NULL,
      grantedAt INTEGER NOT NULL,
      use TEXT NOT NULL,
      count INTEGER NOT NULL,
      firstAt INTEGER NOT NULL,
      lastAt INTEGER NOT NULL,
      PRIMARY KEY (identifier, entity, tier, grantedAt, use)
    ) STRICT;

    """

  /// The decisions about remotes and programs in order; those of earlier schemas are the last ones.
  private static let decisions = """
    CREATE TABLE decision (
      id INTEGER PRIMARY KEY,
      remote INTEGER REFERENCES remote,
      program BLOB,
      entity TEXT,
      tier TEXT CHECK (tier IN ('none', 'write-only', 'full')),
      purpose BLOB NOT NULL,
      decidedAt INTEGER NOT NULL,
      decidedBy TEXT NOT NULL,
      CHECK ((remote IS NULL) = (program IS NOT NULL)),
      CHECK ((program IS NULL) = (entity IS NULL))
    ) STRICT;

    INSERT INTO decision (remote, tier, purpose, decidedAt, decidedBy)
      SELECT remote, tier, CAST(purpose AS BLOB), grantedAt, grantedBy FROM grant
      ORDER BY grantedAt;
    INSERT INTO decision (program, entity, tier, purpose, decidedAt, decidedBy)
      SELECT identifier, entity, tier, purpose, grantedAt, grantedBy FROM program
      ORDER BY grantedAt;

    """

  /// The calendars of accounts that were on both sides.
  private static let accounts = """
    CREATE TABLE collection (
      account TEXT NOT NULL,
      local TEXT NOT NULL,
      remote INTEGER NOT NULL REFERENCES remote,
      name BLOB NOT NULL,
      folder BLOB NOT NULL,
      location BLOB NOT NULL,
      components TEXT,
      isGone INTEGER NOT NULL,
      PRIMARY KEY (account, name)
    ) STRICT;

    """

  /// The agreed states of syncs, and the items on which the sides do not agree.
  private static let syncs = """
    CREATE TABLE sync (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      local TEXT NOT NULL,
      remote INTEGER NOT NULL REFERENCES remote,
      filter TEXT NOT NULL
    ) STRICT;

    CREATE TABLE entry (
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      localName BLOB NOT NULL,
      localBase TEXT NOT NULL,
      href BLOB NOT NULL,
      hrefKey BLOB NOT NULL,
      etag TEXT,
      remoteBase TEXT NOT NULL,
      base BLOB,
      remoteContent BLOB,
      origin INTEGER NOT NULL,
      PRIMARY KEY (sync, uid)
    ) STRICT;

    CREATE INDEX entry_of_href ON entry (sync, hrefKey);

    CREATE TABLE property (
      sync INTEGER NOT NULL REFERENCES sync,
      name TEXT NOT NULL,
      local TEXT,
      remote TEXT,
      readAt INTEGER NOT NULL,
      PRIMARY KEY (sync, name)
    ) STRICT;

    CREATE TABLE conflict (
      sync INTEGER NOT NULL REFERENCES sync,
      uid BLOB NOT NULL,
      title TEXT NOT NULL,
      base BLOB,
      remoteBase BLOB,
      local BLOB,
      remote BLOB,
      href BLOB,
      etag TEXT,
      isTakenBack INTEGER NOT NULL,
      PRIMARY KEY (sync, uid)
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

  /// The resume states of syncs; snapshots are separate, because changing a row rewrites all of it.
  private static let checkpoints = """
    CREATE TABLE checkpoint (
      sync INTEGER PRIMARY KEY REFERENCES sync,
      cursor BLOB,
      isAtRest INTEGER NOT NULL,
      nextWake INTEGER,
      verifiedAt INTEGER
    ) STRICT;

    CREATE TABLE snapshot (
      sync INTEGER PRIMARY KEY REFERENCES sync,
      content BLOB NOT NULL
    ) STRICT;

    CREATE TABLE unsettled (
      sync INTEGER NOT NULL REFERENCES sync,
      href BLOB NOT NULL,
      etag TEXT,
      PRIMARY KEY (sync, href)
    ) STRICT;

    CREATE TABLE unlisted (
      sync INTEGER NOT NULL REFERENCES sync,
      href BLOB NOT NULL,
      PRIMARY KEY (sync, href)
    ) STRICT;

    """

  /// The runs of syncs with their results, and the last attempt at each sync.
  private static let runs = """
    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sync INTEGER NOT NULL REFERENCES sync,
      local TEXT NOT NULL,
      remote INTEGER NOT NULL REFERENCES remote,
      filter TEXT NOT NULL,
      startedAt INTEGER NOT NULL,
      endedAt INTEGER,
      uploaded INTEGER NOT NULL DEFAULT 0,
      downloaded INTEGER NOT NULL DEFAULT 0,
      deletedRemotely INTEGER NOT NULL DEFAULT 0,
      deletedLocally INTEGER NOT NULL DEFAULT 0,
      appended INTEGER NOT NULL DEFAULT 0,
      conflicts INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      deferred INTEGER NOT NULL DEFAULT 0,
      properties INTEGER NOT NULL DEFAULT 0,
      stoppedByGuard INTEGER NOT NULL DEFAULT 0,
      undoes INTEGER
    ) STRICT;

    CREATE INDEX run_of_sync ON run (sync);

    CREATE TABLE attempt (
      sync TEXT PRIMARY KEY,
      endedAt INTEGER NOT NULL,
      status INTEGER NOT NULL,
      message TEXT,
      lastSuccess INTEGER
    ) STRICT;

    """

  /// The intended and completed changes of runs.
  ///
  /// The states are compared one by one: for a list of three states, SQLite creates a table
  /// whenever it checks a row, which took longer than all other work of writing the row.
  private static let journals = """
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
      other BLOB,
      href BLOB,
      etag TEXT,
      agreed BLOB,
      agreedRemotely BLOB,
      moved TEXT,
      state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state = 'pending' OR state = 'done' OR state = 'given up')
    ) STRICT;

    CREATE INDEX journal_of_run ON journal (run);
    CREATE INDEX journal_pending ON journal (sync, uid) WHERE state = 'pending';

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

  /// The changed files of edits, each with the bytes that differ.
  private static let files = """
    CREATE TABLE fileChange (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      path BLOB NOT NULL,
      uid BLOB,
      before TEXT,
      after TEXT,
      start INTEGER NOT NULL,
      removed BLOB NOT NULL,
      inserted BLOB NOT NULL
    ) STRICT;

    CREATE INDEX fileChange_of_run ON fileChange (run);

    """
}
