// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Foundation
import TestSupport
import Testing

@Suite struct FileBatchTests: Sendable {
  let scene: BatchScene

  init() throws {
    scene = try BatchScene()
  }

  @Test func allFilesOfAllFoldersAreChanged() throws {
    try scene.batch.commit(BatchScene.replacements(in: scene.folder.path))
    #expect(try scene.files() == scene.after)
    #expect(try scene.journals() == [])
    #expect(try scene.leftOvers() == [])
  }

  @Test func groupsAreMadeWithoutThoseThatFail() throws {
    try scene.folder.write("theirs".utf8, to: "home/d")
    let groups = ["a", "b", "c", "d", "e"].map { (name: String) in
      [replacement("home/\(name)", nil, name), replacement("work/\(name)-new", nil, name)]
    }
    let errors = scene.batch.commit(each: groups[...])
    #expect(errors.map { $0?.code } == [nil, nil, nil, .conditionFailed, nil])
    let files = try scene.files()
    #expect(files["home/d"]?.text == "theirs")
    for name in ["a", "b", "c", "e"] { #expect(files["home/\(name)"]?.text == name) }
    #expect(files["work/d-new"] == nil)
    #expect(files["work/e-new"]?.text == "e")
    #expect(try scene.journals() == [])
    #expect(try scene.leftOvers() == [])
  }

  @Test func aSingleFileNeedsNoJournal() throws {
    try scene.batch.commit([replacement("home/a", nil, "a")])
    #expect(try scene.files()["home/a"]?.text == "a")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: "state/batches")))
  }

  /// A replacement that fails in a batch of otherwise good ones.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let name: String
    let old: String?
    let new: String?
    let code: BatchError.Code

    init(
      _ what: String, _ name: String, _ old: String?, _ new: String?, _ code: BatchError.Code
    ) {
      (testDescription, self.name, self.old, self.new, self.code) = (what, name, old, new, code)
    }
  }

  static let cases = [
    Case("a created file that exists", "work/other", nil, "new", .conditionFailed),
    Case("a replaced file with another revision", "work/other", "old", "new", .conditionFailed),
    Case("a removed file with another revision", "work/other", "old", nil, .conditionFailed),
    Case("a replaced file that does not exist", "work/none", "old", "new", .conditionFailed),
    Case("a removed file that does not exist", "work/none", "old", nil, .conditionFailed),
    Case("a file that must not exist", "work/other", nil, nil, .conditionFailed),
    Case("a file twice", "work/a", nil, "again", .invalid),
    Case("a file twice, by another path", "work/../work/a", nil, "again", .invalid),
    Case("a missing folder", "none/a", nil, "new", .unavailable),
    Case("a folder instead of a file", "work/folder", nil, "new", .unavailable),
    Case("a symbolic link", "work/link", "other", "new", .unavailable),
    Case("no name", "work/", nil, "new", .unavailable),
    Case("the parent", "work/..", nil, "new", .unavailable),
  ]

  @Test(arguments: cases) func nothingIsChangedIfOneFails(_ example: Case) throws {
    try scene.folder.makeFolder("work/folder")
    try scene.folder.link("work/link", to: "other")
    let bad = replacement(example.name, example.old, example.new)
    for place in [0, 5, 10] {
      var batch = BatchScene.replacements(in: scene.folder.path)
      batch.insert(bad, at: place)
      let error = #expect(throws: BatchError.self) { try scene.batch.commit(batch) }
      #expect(error?.code == example.code)
      #expect(error?.path.hasPrefix(scene.folder.path) == true)
      try FileManager.default.removeItem(atPath: scene.folder.path(of: "work/folder"))
      try FileManager.default.removeItem(atPath: scene.folder.path(of: "work/link"))
      #expect(try scene.files() == scene.before)
      #expect(try scene.journals() == [])
      #expect(try scene.leftOvers() == [])
      try scene.folder.makeFolder("work/folder")
      try scene.folder.link("work/link", to: "other")
    }
  }

  @Test func anErrorNamesTheFileAndTheReason() throws {
    let error = #expect(throws: BatchError.self) {
      try scene.batch.commit([replacement("home/other", nil, "a")])
    }
    #expect(
      error?.description
        == "\(scene.folder.path(of: "home/other")): another program changed the file meanwhile")
    let unavailable = #expect(throws: BatchError.self) {
      try scene.batch.commit([replacement("none/a", nil, "a")])
    }
    #expect(unavailable?.cause?.code == .notFound)
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskChangesNothing() throws {
    let disk = try SmallDisk(kilobytes: 64)
    let large = [UInt8](repeating: 7, count: 1 << 20)
    let batch =
      BatchScene.replacements(in: scene.folder.path) + [
        FileReplacement(path: disk.path + "/large", expected: nil, contents: large)
      ]
    let error = #expect(throws: BatchError.self) { try scene.batch.commit(batch) }
    #expect(error?.cause?.code == .noSpace)
    #expect(try scene.files() == scene.before)
    #expect(try scene.leftOvers() == [])
    #expect(try disk.names() == [])
  }

  @Test func moreFilesThanCanBeOpenAreOneBatch() throws {
    let count = 3000
    let batch = (0..<count).map { replacement("home/\($0)", nil, "\($0)") }
    try scene.batch.commit(batch)
    #expect(try scene.files().count == scene.before.count + count)
    #expect(try scene.leftOvers() == [])
  }

  @Test("Writers at once lose no change", .timeLimit(.minutes(60))) func writersAtOnce() throws {
    let calendar = try FolderCalendar(path: scene.folder.path(of: "home"), for: .writing)
    let file = try FileCalendar(path: scene.folder.path(of: "work/all.ics"), for: .writing)
    for target in [calendar, file] as [any EditableCalendar] {
      _ = try target.apply([.create(try SampleItem.item(SampleItem.event("counter", "0")))])
    }
    let rounds = 60
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      for _ in 0..<rounds {
        let problem = Result {
          // Two writers change one calendar alone, and two change both in a batch.
          switch writer {
          case 0: try count(in: [calendar])
          case 1: try count(in: [file])
          case 2: try count(in: [calendar, file])
          default: try count(in: [file, calendar])
          }
        }
        #expect(throws: Never.self) { try problem.get() }
      }
    }
    for target in [calendar, file] as [any EditableCalendar] {
      #expect(try target.scan().entry("counter").item.title == "\(3 * rounds)")
    }
  }

  /// Adds one to the number in the title of an item, until no other writer was faster.
  private func count(in calendars: [any EditableCalendar]) throws {
    while true {
      let changes = try calendars.map { calendar in
        let entry = try calendar.scan().entry("counter")
        let number = try #require(Int(entry.item.title))
        let next = try SampleItem.item(SampleItem.event("counter", "\(number + 1)"))
        return LocalChange.update(name: entry.name, from: entry.revision, to: next)
      }
      if calendars.count == 1, let calendar = calendars.first {
        if try calendar.apply(changes).allSatisfy(\.isDone) { return }
        continue
      }
      do {
        let replacements = try zip(calendars, changes).flatMap { try $0.replacements(for: [$1]) }
        return try scene.batch.commit(replacements)
      } catch let error as BatchError where error.code == .conditionFailed {
        continue
      }
    }
  }

  private func replacement(_ name: String, _ old: String?, _ new: String?) -> FileReplacement {
    let former = FileReplacement(
      path: "", expected: nil, contents: old.map { Array($0.utf8) })
    return FileReplacement(
      path: scene.folder.path(of: name), expected: former.revision,
      contents: new.map { Array($0.utf8) })
  }
}
