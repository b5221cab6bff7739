// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

@Suite struct BatchRecoveryTests {
  let scene: BatchScene

  init() throws {
    scene = try BatchScene()
    try scene.crashHalfway()
  }

  @Test func aKilledBatchIsCompleted() throws {
    try scene.batch.recover()
    #expect(try scene.files() == scene.after)
    #expect(try scene.journals() == [])
    #expect(try scene.leftOvers() == [])
  }

  @Test func aRevokedBatchIsUndone() throws {
    try scene.revoke()
    try scene.batch.recover()
    #expect(try scene.files() == scene.before)
    #expect(try scene.journals() == [])
    #expect(try scene.leftOvers() == [])
  }

  @Test("A file that was edited since keeps the edit", arguments: [false, true])
  func edited(isRevoked: Bool) throws {
    if isRevoked { try scene.revoke() }
    // One file that the batch changed already, and two that it did not.
    let edits = ["home/edited", "work/edited", "work/b"]
    for name in edits { try scene.folder.write("mine".utf8, to: name) }
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "work/removed"))
    try scene.folder.link("work/removed", to: "elsewhere")
    try scene.batch.recover()
    for name in edits { #expect(try scene.folder.bytes(of: name) == Array("mine".utf8)) }
    let link = scene.folder.path(of: "work/removed")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "elsewhere")
    try FileManager.default.removeItem(atPath: link)
    let names = ["home/a", "work/a", "home/c", "work/c", "home/removed"]
    let expected = isRevoked ? scene.before : scene.after
    let files = try scene.files()
    for name in names { #expect(files[name] == expected[name], "\(name)") }
    #expect(try scene.journals() == [])
  }

  @Test func theNextBatchCompletesItFirst() throws {
    try scene.batch.commit([
      FileReplacement(path: scene.folder.path(of: "home/next"), expected: nil, contents: [1])
    ])
    var files = try scene.files()
    #expect(files.removeValue(forKey: "home/next") != nil)
    #expect(files == scene.after)
  }

  @Test func aMissingFolderIsCompletedOnceItIsBack() throws {
    let (work, away) = (scene.folder.path(of: "work"), scene.folder.path(of: "away"))
    try FileManager.default.moveItem(atPath: work, toPath: away)
    try scene.batch.recover()
    #expect(try scene.files() == scene.after.filter { $0.key.hasPrefix("home/") })
    #expect(try scene.journals().count == 1)
    // What a person deletes after the recovery does not return with the folder.
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "home/a"))
    try scene.batch.recover()
    try FileManager.default.moveItem(atPath: away, toPath: work)
    try scene.batch.recover()
    #expect(try scene.files() == scene.after.filter { $0.key != "home/a" })
    #expect(try scene.journals() == [])
  }

  @Test func aBatchThatRunsIsNotTouched() throws {
    let files = try scene.files()
    let holder = try LockHolder(scene.folder.path(of: try scene.journal()))
    try scene.batch.recover()
    #expect(try scene.files() == files)
    #expect(try scene.journals().count == 1)
    holder.kill()
    try scene.batch.recover()
    #expect(try scene.files() == scene.after)
  }

  @Test(arguments: [0, 14, 100, -1])
  func aDamagedJournalIsReportedOnceAndNotFollowed(place: Int) throws {
    let files = try scene.files()
    let journal = try scene.journal()
    var bytes = try scene.folder.bytes(of: journal)
    bytes[place < 0 ? bytes.count + place : place] ^= 1
    try scene.folder.write(bytes, to: journal)
    let error = #expect(throws: StoreError.self) { try scene.batch.recover() }
    #expect(error?.code == .corrupt)
    #expect(error?.path == scene.folder.path(of: journal + ".damaged"))
    #expect(try scene.files() == files)
    try scene.batch.recover()
  }

  @Test func aJournalIsForItsOwnerAlone() throws {
    #expect(try scene.folder.mode(of: "state/batches") == 0o700)
    #expect(try scene.folder.mode(of: try scene.journal()) == 0o600)
  }
}
