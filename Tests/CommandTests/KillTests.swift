// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A sync that is killed at every single call that changes something, and then run again.
///
/// `EPACT_KILLS=all` kills before and after each of them: of a sync of two folders at each change of a file,
/// some five hundred, and of a sync with a server, or of two, at each piece of a request that is sent and of an
/// answer that is received. Without it one file call in forty-five and one in six on the wire is taken, others
/// before than after.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
  @Test(
    "Nothing is lost and nothing doubled, wherever a sync is killed",
    arguments: [("before", 1), ("after", 16)])
  func everyCall(_ when: String, _ first: Int) throws {
    let scene = try KillScene()
    let calls = try kill(scene, when, first, every: 45, below: scene.sandbox.folder.path)
    #expect(calls > 300, "the sync made fewer changes than it must have made")
  }

  @Test(
    "Nothing is lost and nothing doubled, wherever a watch is killed during a sync",
    arguments: [("before", 8), ("after", 24)])
  func everyCallOfAWatch(_ when: String, _ first: Int) throws {
    let scene = try KillScene(isWatched: true)
    let calls = try kill(scene, when, first, every: 90, below: scene.sandbox.folder.path)
    #expect(calls > 300, "the watch made fewer changes than its sync must have made")
  }

  @Test(
    "Nothing is lost and nothing doubled, at whichever request to a server a sync is killed",
    arguments: [("before", 1), ("after", 3)])
  func everyRequest(_ when: String, _ first: Int) throws {
    let calls = try kill(try KillRequestScene(), when, first, every: 6, below: "socket")
    #expect(calls > 12, "the sync sent and received less than it must have")
  }

  @Test(
    "Nothing is lost and nothing doubled, at whichever request a move between calendars is killed",
    arguments: [("before", 1), ("after", 3)])
  func everyMove(_ when: String, _ first: Int) throws {
    let calls = try kill(try KillMoveScene(), when, first, every: 6, below: "socket")
    #expect(calls > 12, "the syncs sent and received less than they must have")
  }

  @Test(
    "Each shown item has one copy, wherever a mirror is killed",
    arguments: [("before", 1), ("after", 16)])
  func everyCallOfAMirror(_ when: String, _ first: Int) throws {
    let scene = try KillMirrorScene()
    let calls = try kill(scene, when, first, every: 45, below: scene.sandbox.folder.path)
    #expect(calls > 60, "the mirror made fewer changes than it must have made")
  }

  @Test(
    "An import is undone byte for byte and can be repeated, wherever it is killed",
    arguments: [("home", "before", 1), ("home", "after", 6), ("home.ics", "after", 3)])
  func everyCallOfAnImport(_ calendar: String, _ when: String, _ first: Int) throws {
    let scene = try KillImportScene(into: calendar)
    let calls = try kill(scene, when, first, every: 20, below: scene.sandbox.folder.path)
    #expect(calls > 40, "the import made fewer changes than it must have made")
  }

  /// Kills one sync after another, each a few calls later, until one comes to its end.
  ///
  /// - Returns: At which call that one would have been killed.
  private func kill(
    _ scene: some KillableScene, _ when: String, _ first: Int, every step: Int, below place: String
  ) throws -> Int {
    let shim = try KillShim(in: scene.sandbox.folder.path)
    let isWhole = ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all"
    var call = isWhole ? 1 : first
    while try scene.run(shim.prefix(at: call, when, below: place)) {
      let problem = try scene.problem()
      #expect(problem == nil, "killed \(when) call \(call)")
      call += isWhole ? 1 : step
    }
    // What the run to its end did has to be right, too.
    #expect(try scene.problem() == nil)
    return call
  }
}
