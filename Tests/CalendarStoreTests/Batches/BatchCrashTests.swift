// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

/// A batch of ten files in two folders, of which every call that changes something is the last one, or
/// fails.
///
/// Every call is tried as the last one. The other tests take some of the calls, and all of them with
/// `EPACT_KILLS=all`.
@Suite(.timeLimit(.minutes(60))) struct BatchCrashTests {
  /// The usual number of files at once, and one that divides the batch in parts; for each, the distance
  /// of the calls that are tried.
  private static let limits = [(nil, 3), (40, 5)]

  /// The numbers of the calls to try.
  private static func calls(every step: Int) -> some Sequence<Int> {
    let isWhole = ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all"
    return sequence(first: 1) { $0 + (isWhole ? 1 : step) }
  }

  @Test("Wherever a batch is killed, recovery completes it or undoes it", arguments: limits)
  func killed(fileLimit: Int?, step: Int) throws {
    let scene = try BatchScene()
    let shim = try KillShim(in: scene.folder.path)
    var outcomes: [Bool] = []
    for call in Self.calls(every: step) {
      try scene.reset()
      let end = try ChildProcess.run(
        .commit, in: scene.folder.path, shim.prefix(at: call, "before", below: scene.folder.path),
        fileLimit: fileLimit)
      try scene.batch.recover()
      let files = try scene.files()
      #expect(files == scene.before || files == scene.after, "killed at call \(call)")
      #expect(try scene.journals() == [], "killed at call \(call)")
      outcomes.append(files == scene.after)
      guard end == .killed else {
        #expect(end == .done)
        break
      }
    }
    // Ten files are written and renamed: some calls are before the decision and some are after it.
    #expect(outcomes.count > 30 / step)
    let decision = try #require(outcomes.firstIndex(of: true))
    #expect(decision > 10 / step && outcomes[decision...].allSatisfy { $0 })
    #expect(outcomes.count - decision > 10 / step)
  }

  @Test("Wherever a recovery is killed, the next one completes it", arguments: [false, true])
  func recoveryKilled(isRevoked: Bool) throws {
    let scene = try BatchScene()
    let shim = try KillShim(in: scene.folder.path)
    try scene.crashHalfway()
    let journal = try scene.journal()
    let bytes = try scene.folder.bytes(of: journal)
    let files = try scene.files()
    for call in Self.calls(every: 3) {
      try restore(scene, files, journal, bytes)
      if isRevoked { try scene.revoke() }
      let end = try ChildProcess.run(
        .recover, in: scene.folder.path, shim.prefix(at: call, "before", below: scene.folder.path))
      try scene.batch.recover()
      #expect(
        try scene.files() == (isRevoked ? scene.before : scene.after), "killed at call \(call)")
      #expect(try scene.journals() == [], "killed at call \(call)")
      guard end == .killed else { return }
    }
  }

  private func restore(
    _ scene: BatchScene, _ files: [String: BatchScene.File], _ journal: String, _ bytes: [UInt8]
  ) throws {
    try scene.reset()
    try scene.replaceAll(with: files)
    try scene.folder.makeFolder("state/batches")
    try scene.folder.write(bytes, to: journal)
  }

  @Test("A batch of which any call fails restores the old files", arguments: limits)
  func failing(fileLimit: Int?, step: Int) throws {
    let scene = try BatchScene()
    let shim = try KillShim(in: scene.folder.path)
    var refusals = 0
    // There is another way for some calls, but not for this many in a row.
    var successes = 0
    for call in Self.calls(every: step + 1) {
      try scene.reset()
      let end = try ChildProcess.run(
        .commit, in: scene.folder.path, shim.prefix(at: call, "fail", below: scene.folder.path),
        fileLimit: fileLimit)
      let expected = end == .done ? scene.after : scene.before
      #expect(try scene.files() == expected, "call \(call) failed, and the batch ended as \(end)")
      #expect(try scene.journals() == [], "call \(call) failed")
      if end == .refused { refusals += 1 }
      successes = end == .done ? successes + 1 : 0
      if successes == 4 { break }
    }
    #expect(refusals > 20 / (step + 1))
  }

  @Test("A batch whose disk is gone from any call on is complete or undone by recovery")
  func failingForGood() throws {
    let scene = try BatchScene()
    let shim = try KillShim(in: scene.folder.path)
    var ends: Set<ChildProcess.End> = []
    for call in Self.calls(every: 4) {
      try scene.reset()
      let end = try ChildProcess.run(
        .commit, in: scene.folder.path, shim.prefix(at: call, "stick", below: scene.folder.path))
      ends.insert(end)
      if end == .refused { #expect(try scene.files() == scene.before, "from call \(call) on") }
      try scene.batch.recover()
      let files = try scene.files()
      #expect(files == scene.before || files == scene.after, "from call \(call) on")
      #expect(try scene.journals() == [], "from call \(call) on")
      if end == .done {
        #expect(files == scene.after)
        break
      }
    }
    #expect(ends == [.refused, .unfinished, .done])
  }

  @Test("Whenever another program edits a file of a batch, the edit is kept or the batch is first")
  func edited() throws {
    let scene = try BatchScene()
    let shim = try KillShim(in: scene.folder.path)
    let edit = "KILL_RUN=\"printf mine > '\(scene.folder.path(of: "work/edited"))'\""
    var (refusals, losses) = (0, 0)
    for call in Self.calls(every: 3) {
      try scene.reset()
      let end = try ChildProcess.run(
        .commit, in: scene.folder.path,
        "\(edit) " + shim.prefix(at: call, "run", below: scene.folder.path))
      var files = try scene.files()
      let edited = try #require(files["work/edited"])
      files["work/edited"] = (end == .done ? scene.after : scene.before)["work/edited"]
      #expect(files == (end == .done ? scene.after : scene.before), "edited at call \(call)")
      #expect(try scene.journals() == [], "edited at call \(call)")
      guard edited.text == "new" else {
        #expect(edited.text == "mine", "edited at call \(call)")
        if end == .refused { refusals += 1 }
        continue
      }
      // Between the last look at the file and its renaming there is one call: the renaming itself.
      losses += 1
      if losses == 2 { break }
    }
    #expect(refusals > 20 / 3)
  }
}
