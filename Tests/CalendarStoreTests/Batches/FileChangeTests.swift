// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

/// The changes of files in the history.
struct FileChangeTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "a.ics")
  }

  @Test func onlyTheDifferenceIsStored() {
    let change = FileChange(
      of: path, from: Array("one two three".utf8), to: Array("one 2 three".utf8))
    #expect(change.offset == 4)
    #expect(change.removed == Array("two".utf8))
    #expect(change.inserted == Array("2".utf8))
    let repeated = FileChange(of: path, from: [1, 1, 1], to: [1, 1])
    #expect(repeated.removed == [1] && repeated.inserted == [])
  }

  @Test func anyChangeIsTakenBack() {
    forAll(200) { random in
      func text() -> [UInt8]? {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        return (0..<Int.random(in: 0..<12, using: &random)).map { _ in
          UInt8.random(in: 97...98, using: &random)
        }
      }
      let (before, after) = (text(), text())
      let change = FileChange(of: path, from: before, to: after)
      // Without a file, its state is that of the missing version.
      if let after {
        try folder.write(after, to: "a.ics")
      } else if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      try #require(try change.undo()?.contents == before)
    }
  }

  @Test func anotherChangeSinceIsKept() throws {
    let change = FileChange(of: path, from: [1], to: [2])
    for bytes: [UInt8] in [[3], [1]] {
      try folder.write(bytes, to: "a.ics")
      #expect(try change.undo() == nil)
    }
  }

  @Test func theChangesOfPartsAreTakenBackTogether() throws {
    let parts = [
      FileChange(of: path, from: nil, to: [1]), FileChange(of: path, from: [1], to: [1, 2]),
      FileChange(of: path, from: [1, 2], to: [3, 2]),
    ]
    try folder.write([3, 2], to: "a.ics")
    let file = try #require(try FileChange.undo(parts))
    #expect(file.contents == nil)
    #expect(file.expected == parts[2].after)
    #expect(try FileChange.undo(Array(parts[1...]))?.contents == [1])
    // A part that was recorded and not made, at the end or before another attempt.
    try folder.write([1, 2], to: "a.ics")
    #expect(try FileChange.undo(parts)?.expected == parts[1].after)
    #expect(
      try FileChange.undo([parts[0], FileChange(of: path, from: [1], to: [5]), parts[1]])
        == FileReplacement(path: path, expected: parts[1].after, contents: nil))
    // Another program changed the file between the parts.
    #expect(try FileChange.undo([parts[0], FileChange(of: path, from: [4], to: [1, 2])]) == nil)
    #expect(try FileChange.undo([]) == nil)
  }

  @Test func aReplacementIsConditional() throws {
    try folder.write([1], to: "a.ics")
    let expected = FileChange(of: path, from: [1], to: nil).before
    let replacement = FileReplacement(path: path, expected: expected, contents: [2])
    #expect(try replacement.expectedContents() == [1])
    let error = #expect(throws: BatchError.self) {
      try FileReplacement(path: path, expected: nil, contents: [2]).expectedContents()
    }
    #expect(error?.code == .conditionFailed)
  }

  @Test func theLedgerKeepsThem() throws {
    let ledger = try LedgerDatabase(path: folder.path(of: "state/ledger.sqlite"))
    let changes = [
      FileChange(of: path, from: nil, to: [1, 2]), FileChange(of: path, from: [1], to: nil),
      FileChange(of: path + "\u{e9}", from: Array("abc".utf8), to: Array("axc".utf8)),
    ]
    let run = try ledger.write { ledger in
      let run = try ledger.beginRun(of: .edits, at: Instant(secondsSinceEpoch: 0))
      try ledger.record(changes, in: run)
      return run
    }
    #expect(try ledger.read { try $0.fileChanges(of: run) } == changes)
  }
}
