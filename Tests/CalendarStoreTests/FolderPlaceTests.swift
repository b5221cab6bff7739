// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

/// A folder in whose place another one is, as where a disk was unmounted.
@Suite struct FolderPlaceTests {
  let folder: TemporaryFolder
  let path: String
  private let now = Instant(secondsSinceEpoch: 1_900_000_000)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "calendar")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Puts another folder in the place of the calendar; it holds these items.
  private func replace(holding uids: [String] = []) throws {
    try FileManager.default.moveItem(atPath: path, toPath: folder.path(of: "moved"))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for uid in uids { try write(uid) }
  }

  private func putBack() throws {
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: folder.path(of: "moved"), toPath: path)
  }

  private func write(_ uid: String, _ summary: String = "Lunch") throws {
    try folder.write(
      lines: SampleItem.calendar(SampleItem.event(uid, summary)), to: "calendar/\(uid).ics")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  private func expectReplaced(
    _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    #expect(error?.code == .replaced, sourceLocation: sourceLocation)
    #expect(error?.path == path, sourceLocation: sourceLocation)
  }

  @Test func nothingIsReadFromOrWrittenToAnotherFolder() async throws {
    try write("a")
    let calendar = try FolderCalendar(path: path, for: .writing)
    let entry = try #require(try await calendar.scan().entries.first)
    try replace(holding: ["a"])
    await expectReplaced { _ = try await calendar.scan() }
    await expectReplaced {
      _ = try await calendar.survey(since: nil, in: NormalForm(), at: now)
    }
    await expectReplaced { _ = try await calendar.read(["a.ics"], in: NormalForm()) }
    await expectReplaced {
      _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("b")))])
    }
    await expectReplaced {
      _ = try await calendar.apply([.delete(name: "a.ics", from: entry.revision)])
    }
    let properties = try #require(calendar.properties)
    await expectReplaced { _ = try await properties.set(.name, to: "Work") }
    #expect(try names == ["a.ics"])
    try putBack()
    #expect(try await calendar.scan().uids == ["a"])
  }

  @Test func nothingIsAddedToAnotherFolder() async throws {
    let appender = try FolderAppender(path: path)
    try replace()
    await expectReplaced {
      _ = try await appender.append(SampleItem.item(SampleItem.event("a")))
    }
    #expect(try names == [])
  }

  @Test func aFileInAnotherFolderIsAnotherFile() async throws {
    let calendar = try FileCalendar(path: path + "/all.ics", for: .writing)
    _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("a")))])
    try replace()
    await expectReplaced { _ = try await calendar.scan() }
    await expectReplaced {
      _ = try await calendar.survey(since: nil, in: NormalForm(), at: now)
    }
    await expectReplaced {
      _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("b")))])
    }
    #expect(try names == [])
    try putBack()
    #expect(try await calendar.scan().uids == ["a"])
  }

  @Test func aSnapshotTellsWhichFolderItIsOf() async throws {
    try write("a")
    let calendar = try FolderCalendar(path: path, for: .writing)
    let file = try FileCalendar(path: path + "/all.ics", for: .writing)
    let snapshots = try await [
      calendar.survey(since: nil, in: NormalForm(), at: now).snapshot,
      file.survey(since: nil, in: NormalForm(), at: now).snapshot,
    ].compactMap(\.self)
    #expect(snapshots.count == 2)
    #expect(calendar.isSamePlace(as: snapshots[0]))
    #expect(file.isSamePlace(as: snapshots[1]))
    // Bytes of another format do not name a folder.
    #expect(calendar.isSamePlace(as: LocalSnapshot(Array("another format x\n".utf8))))
    // A copy on the same disk is the same calendar.
    try replace(holding: ["a"])
    #expect(try FolderCalendar(path: path, for: .writing).isSamePlace(as: snapshots[0]))
  }

  /// Linux numbers such file systems in the order in which they are mounted.
  @Test func aFileSystemWithoutAPersistentIdentifierIsNamedByItsKind() async throws {
    let calendar = try FolderCalendar(path: "/proc/self/fdinfo", for: .reading)
    let snapshot = try await calendar.survey(since: nil, in: NormalForm(), at: now).snapshot
    let title = String(decoding: try #require(snapshot).bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    #expect(title.contains(" 9fa0-0 "), "\(title)")
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func twoDisksOfOneKindAreTwoPlaces() async throws {
    let disks = try [SmallDisk(kilobytes: 64), SmallDisk(kilobytes: 64)]
    let calendars = try disks.map { try FolderCalendar(path: $0.path, for: .writing) }
    let snapshot = try await calendars[0].survey(since: nil, in: NormalForm(), at: now).snapshot
    #expect(calendars[0].isSamePlace(as: try #require(snapshot)))
    #expect(!calendars[1].isSamePlace(as: try #require(snapshot)))
  }

  // MARK: Whole runs

  private func run(
    _ remote: any Remote, _ ledger: MemoryLedger, allowing deletions: Int = 0
  ) async throws -> RunSummary {
    var options = SyncOptions()
    options.safeguards.allowed = deletions
    let runner = SyncEngine(
      name: "home", local: try FolderCalendar(path: path, for: .writing), remote: remote,
      tier: .full, ledger: ledger, options: options, now: { now }, report: { _ in })
    return try await runner.run()
  }

  /// A remote on whose contents a disk is unmounted as soon as they are asked for.
  private struct UnmountingRemote: Remote, RemoteCalendar {
    let base: MemoryRemote
    let unmount: @Sendable () throws -> Void

    var identity: RemoteIdentity { base.identity }
    var properties: (any CollectionPropertyStore)? { nil }
    func openAppender() async throws -> any RemoteAppender { try await base.openAppender() }
    func openCalendar() async throws -> any RemoteCalendar { self }
    func list() async throws -> [RemoteEntry] { try await base.list() }
    func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
      let results = try await base.fetch(hrefs)
      try unmount()
      return results
    }
    func create(_ item: CalendarItem) async throws -> WriteOutcome { try await base.create(item) }
    func update(
      _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
    ) async throws -> WriteOutcome { try await base.update(href, to: item, ifMatch: etag) }
    func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
      try await base.delete(href, ifMatch: etag)
    }
    func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
      try await base.move(item, from: source)
    }
  }

  private func begin(_ remote: MemoryRemote, _ ledger: MemoryLedger) async throws {
    for number in 0..<20 { try write("old\(number)") }
    _ = try await run(remote, ledger)
    #expect(remote.items.count == 20)
  }

  @Test func aDiskThatIsUnmountedInMidRunLosesNothing() async throws {
    let (remote, ledger) = (MemoryRemote(), MemoryLedger())
    try await begin(remote, ledger)
    for uid in ["new0", "new1"] { remote.write(TestItem.make(uid: uid)) }
    let unmounting = UnmountingRemote(base: remote) { try replace() }
    await expectReplaced { _ = try await run(unmounting, ledger) }
    #expect(try names == [])
    // The next night it is mounted again.
    try putBack()
    let summary = try await run(remote, ledger)
    #expect(summary.deletedRemotely == 0)
    #expect(remote.items.count == 22)
    #expect(try names.count == 22)
  }

  @Test func aCopyOnTheSameDiskIsTakenAsItIs() async throws {
    let (remote, ledger) = (MemoryRemote(), MemoryLedger())
    try await begin(remote, ledger)
    try replace(holding: (0..<18).map { "old\($0)" })
    #expect(try await run(remote, ledger).deletedRemotely == 2)
    #expect(remote.items.count == 18)
  }

  @Test func anotherFolderWithNothingToDeleteIsTakenAsItIs() async throws {
    let (remote, ledger) = (MemoryRemote(), MemoryLedger())
    try await begin(remote, ledger)
    try replace(holding: (0..<20).map { "old\($0)" })
    #expect(try await run(remote, ledger).stoppedByGuard == false)
    #expect(remote.items.count == 20)
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aMountedDiskIsToldFromWhatIsUnderIt() async throws
  {
    let (remote, ledger) = (MemoryRemote(), MemoryLedger())
    var disk: SmallDisk? = try SmallDisk(kilobytes: 1024, at: path)
    try await begin(remote, ledger)
    let calendar = try FolderCalendar(path: path, for: .writing)
    let snapshot = try await calendar.survey(since: nil, in: NormalForm(), at: now).snapshot
    try disk?.unmount()
    disk = nil
    await expectReplaced {
      _ = try await calendar.apply([.create(SampleItem.item(SampleItem.event("b")))])
    }
    #expect(try names == [])
    for number in 0..<18 { try write("old\(number)") }
    let under = try FolderCalendar(path: path, for: .writing)
    #expect(!under.isSamePlace(as: try #require(snapshot)))
    // All but two items are there, which no share of deletions would stop.
    #expect(try await run(remote, ledger).stoppedByGuard)
    #expect(remote.items.count == 20)
    // A calendar that moved to another disk for good is believed after one answer.
    #expect(try await run(remote, ledger, allowing: 2).deletedRemotely == 2)
    try FileManager.default.removeItem(atPath: path + "/old5.ics")
    #expect(try await run(remote, ledger).deletedRemotely == 1)
  }
}
