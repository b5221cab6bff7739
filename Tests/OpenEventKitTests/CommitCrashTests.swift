// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// A commit of ten changes in two calendars, which is cut off at a call that changes a file.
///
/// The process is killed before the call, or the call fails. `EPACT_KILLS=all` tries every call.
@Suite("Commits that are cut off", .timeLimit(.minutes(60)))
struct CommitCrashTests {
  /// A store or a sync starts after the kill, by turns; with `EPACT_KILLS=all`, each of them after
  /// every call.
  @Test("After a kill, all changes are there after the next start, or none")
  func killed() async throws {
    let scene = try await CrashScene()
    let shim = try KillShim(in: scene.folder.path)
    let isWhole = sampledStep == 1
    var outcomes: [Bool] = []
    for number in 0... {
      let call = 1 + number * sampledStep
      var status: Int32 = 0
      let first = CrashScene.Successor.allCases[number % 2]
      for successor in isWhole ? CrashScene.Successor.allCases : [first] {
        try scene.reset()
        status = try scene.commit(shim, at: call, "before")
        try await scene.start(successor)
        let titles = try scene.titles()
        #expect(
          titles == CrashScene.before || titles == CrashScene.after,
          "killed at call \(call), followed by a \(successor)")
        #expect(try scene.journals().isEmpty, "killed at call \(call), followed by a \(successor)")
        outcomes.append(titles == CrashScene.after)
      }
      guard status == ChildTest.killed else {
        #expect(status == 0)
        break
      }
    }
    // Ten files are written and renamed: some calls are before the decision and some are after it.
    let decision = try #require(outcomes.firstIndex(of: true))
    let least = 10 / sampledStep
    #expect(decision > least && outcomes.count - decision > least)
    #expect(outcomes[decision...].allSatisfy { $0 })
  }

  @Test("46: a commit of which any call fails leaves nothing of the batch")
  func failing() async throws {
    let scene = try await CrashScene()
    let shim = try KillShim(in: scene.folder.path)
    // There is another way for some calls. The last calls record in the history that the changes
    // were made, which the next edit repeats. But this many successes in a row mean the end.
    let end = 50 / sampledStep
    var (failures, successes) = (0, 0)
    for number in 0... {
      let call = 1 + number * sampledStep
      try scene.reset()
      let status = try scene.commit(shim, at: call, "fail")
      let expected: [String: [String]]
      switch status {
      case 0: (successes, expected) = (successes + 1, CrashScene.after)
      default: (successes, failures, expected) = (0, failures + 1, CrashScene.before)
      }
      #expect([0, CrashScene.refused].contains(status), "call \(call) failed")
      #expect(try scene.titles() == expected, "call \(call) failed")
      #expect(try scene.journals().isEmpty, "call \(call) failed")
      if status != 0 { #expect(try scene.meantDeletions().isEmpty, "call \(call) failed") }
      if successes == end { break }
    }
    // The last call of the loop is beyond the last one of the commit.
    #expect(try scene.meantDeletions() == ["home-removed", "work-removed"])
    // Ten files are written and renamed.
    #expect(failures > 20 / sampledStep)
  }
}

/// Two calendars, one of which is synchronized with a folder, and a commit of five changes in each.
struct CrashScene {
  /// The program that starts after the kill.
  enum Successor: CaseIterable {
    case store, sync
  }

  static let calendars = ["home", "work"]
  /// The titles before and after the commit, in order.
  static let before = ["home": ["changed", "removed"], "work": ["changed", "removed"]]
  static let after = ["home": ["Changed", "a", "b", "c"], "work": ["Changed", "a", "b", "c"]]
  /// The status of a commit that throws, and of which a second try does, too.
  static let refused: Int32 = 3
  private static let job = "commit"
  /// The number of the call to kill, which counts from the beginning of the commit.
  private static let callKey = "EPACT_TEST_CALL"
  private static let child = ChildTest(suite: "CommitChildTests")

  private let scene: StoreScene
  private let configuration: Configuration
  var folder: TemporaryFolder { scene.folder }

  init() async throws {
    scene = try StoreScene(
      extra: StoreScene.homeSync)
    configuration = try ConfigurationFile(machine: scene.machine).load()
    try await scene.grant(.full, for: .event)
    for calendar in Self.calendars {
      for title in ["changed", "removed"] {
        try scene.write(title, to: calendar, as: "\(calendar)-\(title)")
      }
    }
    var access = try await RemoteAccess(to: "disk", in: configuration, machine: scene.machine)
    try await access.store(.full, purpose: "Keeps a copy on a disk.")
    try scene.folder.makeFolder("template")
    for name in Self.calendars + [".local"] { try copy(name, to: "template/\(name)") }
  }

  private func copy(_ name: String, to copy: String) throws {
    try FileManager.default.copyItem(
      atPath: scene.folder.path(of: name), toPath: scene.folder.path(of: copy))
  }

  /// Restores all files.
  func reset() throws {
    for name in Self.calendars + [".local"] {
      try? scene.remove(name)
      try copy("template/\(name)", to: name)
    }
    try? scene.remove("holidays")
    try scene.folder.makeFolder("holidays")
  }

  /// Runs the commit in another process, which is killed at a call, or of which that call fails.
  ///
  /// - Returns: The status.
  func commit(_ shim: KillShim, at call: Int, _ when: String) throws -> Int32 {
    let below = scene.folder.path
    return try Self.child.run(
      Self.job, in: below,
      "\(Self.callKey)=\(call) LD_PRELOAD='\(shim.path)' KILL_WHEN=\(when) KILL_BELOW='\(below)'")
  }

  /// Starts a program, which is the first one after the commit.
  func start(_ successor: Successor) async throws {
    switch successor {
    case .store:
      let store = scene.newStore()
      let titles = Dictionary(grouping: store.lunches) { $0.calendar.title }
        .mapValues { events in events.map { $0.title ?? "" }.sorted() }
      #expect(try titles == self.titles())
    case .sync:
      let result = try await SyncSet(configuration, machine: scene.machine).run()
      let isComplete = result.syncs.allSatisfy { $0.isComplete }
      #expect(isComplete)
      #expect(try titles(in: "holidays") == titles(in: "home"))
    }
  }

  /// The titles in the files of the calendars, in order.
  func titles() throws -> [String: [String]] {
    var titles: [String: [String]] = [:]
    for calendar in Self.calendars { titles[calendar] = try self.titles(in: calendar) }
    return titles
  }

  private func titles(in calendar: String) throws -> [String] {
    try scene.texts(in: calendar).flatMap { $0.lines(with: "SUMMARY:") }
      .map { String($0.dropFirst("SUMMARY:".count)) }.sorted()
  }

  /// The journals of batches that are not complete.
  func journals() throws -> [String] {
    let path = ".local/state/epact/batches"
    guard FileManager.default.fileExists(atPath: scene.folder.path(of: path)) else { return [] }
    return try scene.folder.names(in: path).filter { !$0.hasPrefix(".") }
  }

  /// The items whose deletion is meant, as the history shows.
  func meantDeletions() throws -> [String] {
    let ledger = try LedgerFolder(machine: scene.machine, isReadOnly: false).openDatabase()
    return try Self.calendars.flatMap { calendar in
      let path = PathResolver.canonical(scene.folder.path(of: calendar))
      let uids = Set(Self.calendars.map { UID("\($0)-removed") })
      return try ledger.read { try $0.deliberateDeletions(among: uids, in: path) }.map(\.rawValue)
    }
  }

  /// The folder of the commit, if this process is to make it.
  static var own: String? {
    ChildTest.own.flatMap { $0.job == job ? $0.folder : nil }
  }

  /// Makes ten changes, and lets the shim count the calls from the beginning of the commit.
  ///
  /// - Returns: The status.
  static func commit(in folder: String) throws -> Int32 {
    let program = Program(
      identifier: StoreScene.identifier, name: "Planner", purposes: StoreScene.purposes)
    let store = EKEventStore(
      machine: StoreScene.machine(at: folder), program: program, prompt: CountingPrompt(nil))
    for event in store.lunches {
      if event.title == "removed" {
        try store.remove(event, span: .thisEvent, commit: false)
      } else {
        event.title = "Changed"
        try store.save(event, span: .thisEvent, commit: false)
      }
    }
    for calendar in calendars {
      for title in ["a", "b", "c"] {
        let event = store.newLunch(in: calendar)
        event.title = title
        try store.save(event, span: .thisEvent, commit: false)
      }
    }
    let call = ProcessInfo.processInfo.environment[callKey] ?? ""
    unsafe setenv("KILL_AT", call, 1)
    do {
      try store.commit()
      return 0
    } catch {
      return code { try store.commit() } == nil ? 1 : refused
    }
  }
}

/// The other process of the tests above.
@Suite struct CommitChildTests {
  @Test(.enabled(if: CrashScene.own != nil)) func commit() throws {
    let folder = try #require(CrashScene.own)
    exit(try CrashScene.commit(in: folder))
  }
}
