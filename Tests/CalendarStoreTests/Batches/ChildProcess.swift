// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

/// This test program, started once more to do one job, so that it can be killed and its calls can fail.
struct ChildProcess {
  /// What a child does in a folder.
  enum Job: String {
    /// Commits the batch of a `BatchScene`.
    case commit
    /// Recovers the batches of a `BatchScene`.
    case recover
    /// Watches a folder, and changes it.
    case watch
    /// Creates and changes items in a folder.
    case fill
    /// Watches a folder several times by one watcher, and counts the queues of the system.
    case share
    /// Takes the events of a folder that it changes.
    case take
    /// Takes the events of a folder in a process that it forked, and then itself.
    case fork
  }

  /// How a child ended.
  enum End: Int32 {
    case done = 0
    /// It refused, and everything is as before.
    case refused = 3
    /// It refused, and could not restore everything.
    case unfinished = 4
    /// The system killed it.
    case killed = 137
  }

  /// The job of this process, if it is a child, and its folder.
  static var own: (job: Job, folder: String)? {
    ChildTest.own.flatMap { own in Job(rawValue: own.job).map { ($0, own.folder) } }
  }

  /// Runs a job to its end.
  ///
  /// The prefix comes before the command in a shell. The limit is that of open files.
  static func run(
    _ job: Job, in folder: String, _ prefix: String = "", fileLimit: Int? = nil
  ) throws -> End {
    let status = try ChildTest(suite: "ChildProcessTests").run(
      job.rawValue, in: folder, prefix, fileLimit: fileLimit)
    return try #require(End(rawValue: status), "the child ended with \(status)")
  }
}

/// What a child runs instead of tests.
@Suite struct ChildProcessTests {
  @Test(.enabled(if: ChildProcess.own != nil)) func job() throws {
    let own = try #require(ChildProcess.own)
    switch own.job {
    case .commit: exit(commit(in: own.folder).rawValue)
    case .recover: exit(recover(in: own.folder).rawValue)
    case .watch:
      try WatchedFolder.changeAndExpectReports(in: own.folder)
      exit(ChildProcess.End.done.rawValue)
    case .fill: exit(try PoorFileSystemTests.fill(own.folder).rawValue)
    case .share: exit(try share(in: own.folder).rawValue)
    case .fork: exit(try FolderEventsTests.forkAndTake(in: own.folder).rawValue)
    case .take: exit(try FolderEventsTests.changeAndTake(in: own.folder).rawValue)
    }
  }

  private func commit(in folder: String) -> ChildProcess.End {
    do throws(BatchError) {
      try FileBatch(journal: folder + "/state/batches").commit(BatchScene.replacements(in: folder))
      return .done
    } catch {
      return error.code == .unfinished ? .unfinished : .refused
    }
  }

  private func share(in folder: String) throws -> ChildProcess.End {
    let watcher = FolderWatcher()
    let watches = try (0..<3).map { _ in try WatchedFolder([folder], by: watcher) }
    guard try FolderWatchTests.queues() == 1 else { return .refused }
    for watch in watches { watch.stop() }
    // The thread closes the queue soon after the last watch has ended.
    while try FolderWatchTests.queues() > 0 { usleep(10_000) }
    return .done
  }

  private func recover(in folder: String) -> ChildProcess.End {
    do throws(StoreError) {
      try FileBatch(journal: folder + "/state/batches").recover()
      return .done
    } catch {
      return .refused
    }
  }
}
