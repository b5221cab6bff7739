// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Another process of the program of a scene.
enum StatementChild {
  /// What it does.
  enum Job: String {
    /// Requests full access to events, which a user would deny.
    case request
    /// Commits three events, for which there is no space.
    case commitLarge
  }

  private static let limitKey = "EPACT_TEST_LIMIT"
  private static let child = ChildTest(suite: "StatementChildTests")

  /// Runs a job to its end, and returns the status; the limit is the size of files in bytes.
  static func run(_ job: Job, in scene: StoreScene, limit: Int = 0) throws -> Int32 {
    try child.run(job.rawValue, in: scene.folder.path, "\(limitKey)=\(limit)")
  }

  static var own: (job: Job, folder: String)? {
    ChildTest.own.flatMap { own in Job(rawValue: own.job).map { ($0, own.folder) } }
  }

  /// Limits the size of files, as a disk without space does.
  static func limitFiles() {
    let text = ProcessInfo.processInfo.environment[limitKey] ?? ""
    var limit = rlimit(rlim_cur: UInt(text) ?? 0, rlim_max: rlim_t.max)
    signal(SIGXFSZ, SIG_IGN)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}

/// What the other process runs instead of tests.
@Suite struct StatementChildTests {
  @Test(.enabled(if: StatementChild.own != nil)) func job() async throws {
    let own = try #require(StatementChild.own)
    let prompt = CountingPrompt(.denied)
    let program = Program(
      identifier: StoreScene.identifier, name: "Planner", purposes: StoreScene.purposes)
    let store = EKEventStore(
      machine: StoreScene.machine(at: own.folder), program: program, prompt: prompt)
    switch own.job {
    case .request:
      let isGranted = try await store.requestFullAccessToEvents()
      exit(isGranted && prompt.count == 0 ? 0 : 1)
    case .commitLarge:
      for name in ["home", "work", "home"] {
        let event = store.newLunch(in: name)
        if name == "work" { event.location = "Café" }
        event.notes = String(repeating: "x", count: name == "work" ? 400_000 : 10)
        try store.save(event, span: .thisEvent, commit: false)
      }
      StatementChild.limitFiles()
      do {
        try store.commit()
        exit(3)
      } catch {
        // Every commit fails until the next reset.
        exit(code { try store.commit() } == nil ? 1 : 0)
      }
    }
  }
}
