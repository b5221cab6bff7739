// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct LedgerDatabaseTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "state/ledger.sqlite")
  }

  private let binding = LedgerContract.binding
  private let now = Instant(secondsSinceEpoch: 1_800_000_000)

  /// A ledger with one entry and one pending intent, closed as a process that is killed closes it.
  private func fill() async throws {
    let ledger = try LedgerDatabase(path: path)
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.settle(
      [Settlement(uid: UID("a"), change: .record(LedgerContract.entry("a")))], in: run)
    try await ledger.record([LedgerContract.intent("b")], in: run)
    try ledger.close()
  }

  @Test func aLedgerThatAnotherProcessIsCreatingIsEmpty() async throws {
    try folder.makeFolder("state")
    try Self.sqlite(path, "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    #expect(try await LedgerDatabase(reading: path).grants().isEmpty)
    try await fill()
    #expect(try await LedgerDatabase(reading: path).pendingIntents(of: binding).count == 1)
  }

  @Test func aLedgerOfAnEarlierSchemaIsReadAndContinued() async throws {
    try await fill()
    let grant = AccessGrant(
      remote: binding.remote, tier: .writeOnly, purpose: "Shares", grantedAt: now, grantedBy: "ada")
    let program = ProgramGrant(
      program: "org.example.a\0b", name: "A", entity: .reminders, tier: .none, purpose: "Reads",
      grantedAt: now, grantedBy: "bob")
    let full = try LedgerDatabase(path: path)
    try await full.write {
      try $0.store(grant)
      try $0.store(program)
    }
    let held = ["a", "b"].map { uid in
      QuarantinedItem(
        uid: UID(uid), title: "Lunch", reason: .noTag, content: nil, failures: 1, since: now,
        nextTry: nil)
    }
    let run = try #require(try await full.runs(of: nil).first).id
    try await full.store(held, in: run)
    try full.close()
    try Self.sqlite(
      path,
      """
      ALTER TABLE run DROP COLUMN isChoice; DROP TABLE decision; DROP TABLE feed; DROP TABLE secret;
      DROP TABLE hostedAccount; DROP TABLE storedItem; DROP TABLE storedCalendar;
      ALTER TABLE unlisted DROP COLUMN isAddition;
      ALTER TABLE entry DROP COLUMN isOwn;
      UPDATE quarantine SET reason = CASE uid WHEN CAST('a' AS BLOB) THEN 'it''s "too" large'
        ELSE 'the remote already holds an event with its UID, which cannot be compared without full'
          || ' access' END;
      DELETE FROM grdb_migrations
        WHERE identifier IN
          ('5 choices', '6 decisions', '7 unreported', '8 obstacles', '9 own items', '10 projections',
            '11 hosted accounts')
      """)
    let before = try await LedgerDatabase(reading: path).runs(of: nil)
    #expect(before.map(\.isChoice) == [false])
    #expect(try await LedgerDatabase(reading: path).decisions() == [])
    #expect(try await LedgerDatabase(reading: path).checkpoint(of: binding).unreported == [])
    // What was sent is the sync's own, with and without the migration.
    #expect(try await LedgerDatabase(reading: path).entries(of: binding).map(\.isOwn) == [true])
    let ledger = try LedgerDatabase(path: path)
    #expect(try await ledger.entries(of: binding).map(\.isOwn) == [true])
    #expect(
      try await ledger.quarantine(of: binding).map(\.reason) == [
        .reported("it's \"too\" large"), .placeTaken,
      ])
    try await ledger.noteChoice(before[0].id)
    #expect(
      try await ledger.decisions() == [
        AccessDecision(
          about: .remote(binding.remote), tier: .writeOnly, purpose: "Shares", at: now, by: "ada"),
        AccessDecision(
          about: .program("org.example.a\0b", .reminders), tier: AccessTier.none,
          purpose: "Reads", at: now, by: "bob"),
      ])
    #expect(try await ledger.runs(of: nil).map(\.isChoice) == [true])
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
  }

  @Test func whatIsRecordedSurvivesTheProcess() async throws {
    try await fill()
    let ledger = try LedgerDatabase(path: path)
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
    #expect(try await ledger.pendingIntents(of: binding) == [LedgerContract.intent("b")])
  }

  @Test(arguments: ["x'FF00'", "x'FE'", "zeroblob(20)"])
  func aSnapshotInAnotherFormIsNone(content: String) async throws {
    let ledger = try LedgerDatabase(path: path)
    let run = try await ledger.beginRun(of: binding, at: now)
    let checkpoint = SyncCheckpoint(
      cursor: RemoteCursor("1"), snapshot: LocalSnapshot([1]), isAtRest: true)
    try await ledger.store(checkpoint, in: run)
    try Self.sqlite(path, "UPDATE snapshot SET content = \(content)")
    var expected = checkpoint
    expected.snapshot = nil
    #expect(try await ledger.checkpoint(of: binding) == expected)
  }

  @Test func aSnapshotThatIsCutOffIsReported() async throws {
    let ledger = try LedgerDatabase(path: path)
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.store(SyncCheckpoint(snapshot: LocalSnapshot([1, 2, 3])), in: run)
    try Self.sqlite(
      path, "UPDATE snapshot SET content = CAST(substr(content, 1, length(content) - 1) AS BLOB)")
    let error = await #expect(throws: StoreError.self) {
      try await ledger.checkpoint(of: binding)
    }
    #expect(error?.code == .corrupt)
  }

  @Test func theFilesAreForTheirOwnerAlone() async throws {
    try await fill()
    #expect(try folder.mode(of: "state") == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "state")) {
      #expect(try folder.mode(of: "state/\(name)") == 0o600, "\(name)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    _ = try LedgerDatabase(path: path)
    #expect(try folder.mode(of: "state/ledger.sqlite") == 0o600)
  }

  @Test func aLinkIsNotFollowed() throws {
    try folder.link("ledger", to: folder.path(of: "elsewhere"))
    #expect(openingError(folder.path(of: "ledger"))?.code == .notRegular)
    #expect(try folder.names() == ["ledger"])
  }

  // MARK: Reading alone

  @Test func aDryRunCreatesNothing() async throws {
    let ledger = try LedgerDatabase(reading: path)
    #expect(try await ledger.entries(of: binding) == [])
    #expect(try await ledger.grants() == [])
    #expect(try folder.names() == [])
  }

  @Test func aDryRunReadsAndChangesNothing() async throws {
    try await fill()
    let before = try snapshot()
    let ledger = try LedgerDatabase(reading: path)
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
    let error = await #expect(throws: StoreError.self) {
      try await ledger.beginRun(of: binding, at: now)
    }
    #expect(error?.code == .readOnly)
    #expect(try snapshot() == before)
    try ledger.close()
    #expect(try snapshot() == before)
  }

  @Test func anEmptyFileIsAnEmptyLedger() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "state"), withIntermediateDirectories: false)
    try folder.write([], to: "state/ledger.sqlite")
    let before = try snapshot()
    #expect(try await LedgerDatabase(reading: path).entries(of: binding) == [])
    #expect(try snapshot() == before)
    #expect(try await LedgerDatabase(path: path).entries(of: binding) == [])
  }

  @Test func aWriteThatWasCutOffIsRolledBackByWritingAndNamedByReading() async throws {
    try await fill()
    try Self.cutOffAWrite(path)
    let before = try snapshot()
    #expect(readingError()?.code == .interrupted)
    #expect(try snapshot() == before)
    let ledger = try LedgerDatabase(path: path)
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
    try ledger.close()
    #expect(readingError() == nil)
  }

  @Test func aLedgerThatIsBeingCreatedIsNotTakenForTheStoredOne() async throws {
    #expect(try !LedgerDatabase(reading: path).isStored)
    // The table of the migrations comes first, in a transaction of its own.
    try Self.sqlite(path, "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    let early = try LedgerDatabase(reading: path)
    #expect(try await early.entries(of: binding) == [] && !early.isStored)
    try await fill()
    let ledger = try LedgerDatabase(reading: path)
    #expect(ledger.isStored)
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
  }

  // MARK: Damage

  @Test(arguments: [
    "INSERT INTO grdb_migrations VALUES ('2 from the future')",
    "UPDATE grdb_migrations SET identifier = '1 of another kind' WHERE identifier = '4 ledger'",
    "DELETE FROM grdb_migrations",
  ])
  func aLedgerOfAnotherSchemaIsLeftAlone(change: String) async throws {
    try await fill()
    try Self.sqlite(path, change)
    let before = try snapshot()
    for error in [openingError(), readingError()] {
      #expect(error?.code == .otherSchema)
      #expect(
        error?.message
          == "the ledger was written by another version of this program, which has to be used with "
          + "it")
    }
    #expect(try snapshot() == before)
  }

  @Test func anotherProgramsDatabaseIsLeftAlone() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "state"), withIntermediateDirectories: false)
    try Self.sqlite(path, "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let before = try snapshot()
    for error in [openingError(), readingError()] {
      #expect(error?.code == .corrupt)
      #expect(
        error?.message.hasPrefix("the ledger is damaged (it is another program's database); ")
          == true)
    }
    #expect(try snapshot()["ledger.sqlite"] == before["ledger.sqlite"])
  }

  @Test(arguments: [0, 16, 100, 4096, 8192, 20480])
  func aDamagedLedgerIsNamedAndNotUsed(offset: Int) async throws {
    let ledger = try LedgerDatabase(path: path)
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.settle(
      (0..<200).map {
        Settlement(uid: UID("\($0)"), change: .record(LedgerContract.entry("\($0)")))
      }, in: run)
    try ledger.close()
    var bytes = try folder.bytes(of: "state/ledger.sqlite")
    for index in offset..<offset + 64 { bytes[index] = 0xA5 }
    try folder.write(bytes, to: "state/ledger.sqlite")
    for error in [openingError(), readingError()] {
      #expect(error?.code == .corrupt)
      #expect(error?.path == path)
      #expect(
        error?.message.hasSuffix(
          "; move the file away: the next sync then starts over, matches by UID and content and "
            + "deletes nothing, but access has to be granted anew") == true, "\(error as Any)")
    }
    #expect(try folder.bytes(of: "state/ledger.sqlite") == bytes)
  }

  @Test func aLedgerCutInHalfIsNamed() async throws {
    try await fill()
    let bytes = try folder.bytes(of: "state/ledger.sqlite")
    try folder.write(bytes.prefix(bytes.count / 2), to: "state/ledger.sqlite")
    #expect(openingError()?.code == .corrupt)
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskIsNamedAndNothingIsLost() async throws {
    let disk = try SmallDisk(kilobytes: 512)
    let ledger = try LedgerDatabase(path: disk.path + "/ledger.sqlite")
    let run = try await ledger.beginRun(of: binding, at: now)
    try await ledger.settle(
      [Settlement(uid: UID("a"), change: .record(LedgerContract.entry("a")))], in: run)
    var large = LedgerContract.entry("a", mark: "2")
    large.base = [UInt8](repeating: 7, count: 1 << 20)
    let settlement = Settlement(uid: UID("a"), change: .record(large))
    let error = await #expect(throws: StoreError.self) {
      try await ledger.settle([settlement], in: run)
    }
    #expect(error?.code == .noSpace)
    #expect(try await ledger.entries(of: binding) == [LedgerContract.entry("a")])
    try await ledger.settle([Settlement(uid: UID("a"), change: .forget)], in: run)
    #expect(try await ledger.entries(of: binding) == [])
  }

  // MARK: Helpers

  private func openingError(_ other: String? = nil) -> StoreError? {
    do throws(StoreError) {
      _ = try LedgerDatabase(path: other ?? path)
      return nil
    } catch {
      return error
    }
  }

  private func readingError() -> StoreError? {
    do throws(StoreError) {
      _ = try LedgerDatabase(reading: path)
      return nil
    } catch {
      return error
    }
  }

  /// Every file of the state folder with its bytes.
  private func snapshot() throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "state"))
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try folder.bytes(of: "state/\($0)")) })
  }

  /// POSIX releases all locks of a process on a file as soon as one of its descriptors is closed.
  @Test func anotherOpeningInTheProcessKeepsTheLockOfATransaction() async throws {
    try await fill()
    let status = try await LedgerDatabase(path: path).write { [path] transaction in
      try transaction.add(projectionKey: [1])
      _ = try LedgerDatabase(path: path).read { try $0.feeds() }
      let code = """
        database.execute('PRAGMA busy_timeout = 0')
        try:
          database.execute('BEGIN IMMEDIATE')
        except sqlite3.OperationalError:
          sys.exit(3)
        """
      return try Self.python(path, code)
    }
    #expect(status == 3)
  }

  /// Runs SQL as another program.
  private static func sqlite(_ path: String, _ sql: String) throws {
    try python(path, "database.executescript(sys.argv[2])", sql)
  }

  /// Leaves a hot journal: a process begins a large write and is killed.
  private static func cutOffAWrite(_ path: String) throws {
    try python(
      path,
      """
      database.isolation_level = None
      database.execute('PRAGMA journal_mode = PERSIST')
      database.execute('PRAGMA cache_size = 2')
      database.execute('BEGIN IMMEDIATE')
      database.execute('DELETE FROM entry')
      database.execute('CREATE TABLE filler (bytes)')
      for _ in range(200):
        database.execute('INSERT INTO filler VALUES (zeroblob(10000))')
      os.kill(os.getpid(), 9)
      """)
  }

  @discardableResult
  private static func python(
    _ path: String, _ code: String, _ argument: String = ""
  ) throws -> Int32 {
    let start = "import os, sqlite3, sys\ndatabase = sqlite3.connect(sys.argv[1])\n"
    // Some of the code kills its own process.
    return try TestProgram(["python3", "-c", start + code, path, argument]).run()
  }
}
