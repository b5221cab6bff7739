// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Folders and files of a real file system as the other side of a sync.
struct FolderPairTests {
  static let now: @Sendable () -> Instant = { Instant(secondsSinceEpoch: 1_795_251_600) }

  func folderRemote(_ path: String) throws -> FolderRemote {
    FolderRemote(
      calendar: try FolderCalendar(path: path, for: .writing),
      appender: try FolderAppender(path: path), now: Self.now)
  }

  func fileRemote(_ path: String) throws -> FolderRemote {
    FolderRemote(file: try FileCalendar(path: path, for: .writing), now: Self.now)
  }

  @Test func `A folder does what every remote must`() async throws {
    let folder = try TemporaryFolder()
    try await RemoteConformance(folderRemote(folder.path)).run()
    #expect(try folder.names() == [])
  }

  @Test func `A file does what every remote must`() async throws {
    let folder = try TemporaryFolder()
    try await RemoteConformance(fileRemote(folder.path(of: "cal.ics")), canAppend: false).run()
  }

  @Test(arguments: [false, true])
  func `Two folders, or a folder and a file, come to hold the same`(_ isFile: Bool) async throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let local = try FolderCalendar(path: here.path, for: .writing)
    let remote =
      isFile ? try fileRemote(there.path(of: "cal.ics")) : try folderRemote(there.path)
    let ledger = MemoryLedger()
    func sync() async throws -> RunSummary {
      try await SyncEngine(
        name: "pair", local: local, remote: remote, tier: .full, ledger: ledger, now: Self.now,
        report: { _ in }
      ).run()
    }
    func write(_ uid: String, _ summary: String) async throws {
      let item = TestItem.make(uid: uid, summary: summary)
      let calendar = try await remote.openCalendar()
      if let entry = try await calendar.list().first(where: { $0.href.rawValue.contains(uid) }) {
        _ = try await calendar.update(
          entry.href, to: item, ifMatch: try #require(entry.etag))
      } else {
        _ = try await calendar.create(item)
      }
    }
    func titles() async throws -> [String] {
      let calendar = try await remote.openCalendar()
      let there = try await calendar.fetch(calendar.list().map(\.href)).compactMap { fetch in
        if case .item(_, _, let item) = fetch { item.title } else { nil }
      }
      let here = try await local.scan().entries.map(\.item.title)
      #expect(here.sorted() == there.sorted())
      return here.sorted()
    }
    for number in 1...4 {
      try here.write(
        TestItem.make(uid: "here\(number)", summary: "Here \(number)").serialized(),
        to: "here\(number).ics")
      try await write("there\(number)", "There \(number)")
    }
    #expect(try await sync().uploaded == 4)
    #expect(try await titles().count == 8)
    #expect(try await sync() == RunSummary())
    try here.write(
      TestItem.make(uid: "here1", summary: "Edited here").serialized(), to: "here1.ics")
    try await write("there1", "Edited there")
    _ = try await sync()
    let all = try await titles()
    #expect(all.contains("Edited here") && all.contains("Edited there"))
    #expect(try await sync() == RunSummary())
  }
}
