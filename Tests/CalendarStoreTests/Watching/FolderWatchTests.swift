// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// A watch whose reports are collected.
final class WatchedFolder: Sendable {
  /// The paths that were reported and not yet waited for.
  private let reports = Mutex<[String]>([])
  private let arrival = DispatchSemaphore(value: 0)
  private let watch = Mutex<FolderWatch?>(nil)

  /// Watches folders; `gate` is called before each report is noted.
  init(
    _ folders: [String], by watcher: FolderWatcher = FolderWatcher(),
    gate: @escaping @Sendable () -> Void = {}
  ) throws {
    let new = try FolderWatch(folders, by: watcher) { [weak self] changed in
      gate()
      self?.reports.withLock { $0 += changed }
      self?.arrival.signal()
    }
    watch.withLock { $0 = new }
  }

  /// Ends the watch.
  func stop() { watch.withLock { $0 = nil } }

  /// Waits until a folder is reported, and returns all that were reported until then.
  @discardableResult
  func waitForReport(of folder: String) throws -> [String] {
    while true {
      let found = reports.withLock { reports -> [String]? in
        guard reports.contains(folder) else { return nil }
        defer { reports = [] }
        return reports
      }
      if let found { return found }
      try #require(arrival.wait(timeout: .now() + 900) == .success, "no report of \(folder)")
    }
  }

  /// Creates, replaces and removes a file in a folder, and waits for the report of each.
  static func changeAndExpectReports(in folder: String) throws {
    let watched = try WatchedFolder([folder])
    let file = folder + "/a.ics"
    try Data([1]).write(to: URL(filePath: file))
    try watched.waitForReport(of: folder)
    try AtomicFile.write([2], to: file, permissions: .shared)
    try watched.waitForReport(of: folder)
    try FileManager.default.removeItem(atPath: file)
    try watched.waitForReport(of: folder)
  }
}

@Suite(.timeLimit(.minutes(60))) struct FolderWatchTests {
  let folder: TemporaryFolder
  let home: String
  let work: String

  init() throws {
    folder = try TemporaryFolder()
    for name in ["home", "work"] { try folder.makeFolder(name) }
    (home, work) = (folder.path(of: "home"), folder.path(of: "work"))
  }

  @Test func aFileIsCreatedReplacedAndRemoved() throws {
    try WatchedFolder.changeAndExpectReports(in: home)
  }

  @Test func theSystemsWatchIsNotNeeded() throws {
    let shim = try KillShim(in: folder.path)
    let prefix = "LD_PRELOAD='\(shim.path)' WITHOUT_INOTIFY=1"
    #expect(try ChildProcess.run(.watch, in: home, prefix) == .done)
  }

  @Test func aFileIsWrittenInPlaceAndRenamed() throws {
    try folder.write([1], to: "home/a.ics")
    try folder.write([1], to: "work/b.ics")
    let watched = try WatchedFolder([home, work])
    let handle = try #require(FileHandle(forWritingAtPath: folder.path(of: "home/a.ics")))
    try handle.write(contentsOf: Data([2]))
    try handle.close()
    #expect(try Set(watched.waitForReport(of: home)) == [home])
    try FileManager.default.moveItem(atPath: home + "/a.ics", toPath: work + "/a.ics")
    // Both sides of a move are one report, or two.
    let reported = try watched.waitForReport(of: work)
    if !reported.contains(home) { try watched.waitForReport(of: home) }
  }

  @Test func manyChangesAreFewReports() throws {
    let gate = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let watched = try WatchedFolder([home, work]) {
      gate.wait()
      count.withLock { $0 += 1 }
    }
    try folder.write([1], to: "home/first.ics")
    for number in 0..<500 { try folder.write([1], to: "home/\(number).ics") }
    try folder.write([1], to: "work/last.ics")
    // The first report waits; all changes after it are in the second one, or in one of very few.
    for _ in 0..<500 { gate.signal() }
    try watched.waitForReport(of: work)
    #expect(count.withLock { $0 } < 100)
  }

  @Test func aTemporaryFileIsNotReported() throws {
    let watched = try WatchedFolder([home, work])
    do {
      let file = try AtomicFile(replacing: home + "/a.ics", permissions: .shared)
      try file.write([1])
    }
    try folder.write([1], to: "work/a.ics")
    #expect(try watched.waitForReport(of: work) == [work])
  }

  @Test func lostEventsReportAllFolders() throws {
    let shim = try KillShim(in: folder.path)
    let prefix = "LD_PRELOAD='\(shim.path)' WITH_OVERFLOW=1"
    #expect(try ChildProcess.run(.watch, in: home, prefix) == .done)
  }

  /// The number of the system's queues that this process has.
  static func queues() throws -> Int {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target == "anon_inode:inotify"
    }
  }

  @Test func oneQueueServesAllWatches() throws {
    #expect(try ChildProcess.run(.share, in: home) == .done)
  }

  @Test func watchesOfOneWatcherEndSeparately() throws {
    let watcher = FolderWatcher()
    let watches = try [[home], [work], [home, work]].map { try WatchedFolder($0, by: watcher) }
    try folder.write([1], to: "home/a.ics")
    for watch in [watches[0], watches[2]] { try watch.waitForReport(of: home) }
    // The end of a watch leaves the others of the same folder.
    watches[0].stop()
    try folder.write([1], to: "home/b.ics")
    try watches[2].waitForReport(of: home)
    for watch in watches { watch.stop() }
    // After the last one, the next one begins anew.
    let next = try WatchedFolder([work], by: watcher)
    try folder.write([1], to: "work/a.ics")
    try next.waitForReport(of: work)
  }

  @Test func aWatchThatIsBusyDelaysNoOther() throws {
    let watcher = FolderWatcher()
    let gate = DispatchSemaphore(value: 0)
    let busy = try WatchedFolder([home], by: watcher) { gate.wait() }
    let other = try WatchedFolder([home], by: watcher)
    try folder.write([1], to: "home/a.ics")
    try other.waitForReport(of: home)
    gate.signal()
    try busy.waitForReport(of: home)
  }

  @Test func aFolderThatIsMissingIsReportedOnceItExists() throws {
    let later = folder.path(of: "later")
    let watched = try WatchedFolder([later])
    try folder.makeFolder("later")
    try watched.waitForReport(of: later)
    try folder.write([1], to: "later/a.ics")
    try watched.waitForReport(of: later)
  }

  @Test func aFolderThatIsReplacedIsWatchedAgain() throws {
    let watched = try WatchedFolder([home])
    try FileManager.default.moveItem(atPath: home, toPath: folder.path(of: "away"))
    try folder.makeFolder("home")
    try watched.waitForReport(of: home)
    try folder.write([1], to: "home/a.ics")
    try watched.waitForReport(of: home)
  }

  @Test func aReleasedWatchReleasesItsFunction() throws {
    let released = DispatchSemaphore(value: 0)
    final class Held: Sendable {
      let released: DispatchSemaphore
      init(_ released: DispatchSemaphore) { self.released = released }
      deinit { released.signal() }
    }
    do {
      let held = Held(released)
      _ = try FolderWatch([home]) { _ in withExtendedLifetime(held) {} }
    }
    #expect(released.wait(timeout: .now() + 900) == .success)
  }
}
