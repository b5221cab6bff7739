// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A sync that is killed at every single call that changes something, and then run again.
///
/// `EPACT_KILLS=all` kills before and after each of them: of a sync of two folders at each change of a file,
/// some five hundred, and of a sync with a server at each piece of a request that is sent and of an answer
/// that is received. Without it one file call in thirty and one in four on the wire is taken, others before
/// than after.
@Suite(.timeLimit(.minutes(20))) struct KillTests {
  @Test(
    "Nothing is lost and nothing doubled, wherever a sync is killed",
    arguments: [("before", 1), ("after", 16)])
  func everyCall(_ when: String, _ first: Int) throws {
    let scene = try KillScene()
    let shim = try KillShim(in: scene.sandbox.folder.path)
    let isWhole = ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all"
    var call = isWhole ? 1 : first
    while try scene.run(shim.prefix(at: call, when, below: scene.sandbox.folder.path)) {
      let problem = try scene.problem()
      #expect(problem == nil, "killed \(when) call \(call)")
      call += isWhole ? 1 : 30
    }
    // The run to its end is one that was not killed; what it did has to be right, too.
    #expect(try scene.problem() == nil)
    #expect(call > 300, "the sync made fewer changes than it must have made")
  }

  @Test(
    "Nothing is lost and nothing doubled, at whichever request to a server a sync is killed",
    arguments: [("before", 1), ("after", 3)])
  func everyRequest(_ when: String, _ first: Int) throws {
    let scene = try KillRequestScene()
    let shim = try KillShim(in: scene.sandbox.folder.path)
    let isWhole = ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all"
    var call = isWhole ? 1 : first
    while try scene.run(shim.prefix(at: call, when, below: "socket")) {
      let problem = try scene.problem()
      #expect(problem == nil, "killed \(when) call \(call) on the wire")
      call += isWhole ? 1 : 4
    }
    #expect(try scene.problem() == nil)
    #expect(call > 12, "the sync sent and received less than it must have")
  }
}
