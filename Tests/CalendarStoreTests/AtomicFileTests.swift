// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aFileIsMade() throws {
    try AtomicFile.write([1, 2, 3], to: folder.path(of: "a"), permissions: .shared)
    #expect(try folder.bytes(of: "a") == [1, 2, 3])
    #expect(try folder.names() == ["a"])
  }

  @Test func aFileIsReplacedByANewOneAndNotWrittenInto() throws {
    try folder.write([1], to: "a")
    let reader = try #require(FileHandle(forReadingAtPath: folder.path(of: "a")))
    try AtomicFile.write([2, 3], to: folder.path(of: "a"), permissions: .shared)
    #expect(try reader.readToEnd() == Data([1]))
    #expect(try folder.bytes(of: "a") == [2, 3])
  }

  @Test func nothingChangesBeforeTheCommit() throws {
    try folder.write([1], to: "a")
    do {
      let file = try AtomicFile(replacing: folder.path(of: "a"), permissions: .shared)
      try file.write([2])
      #expect(try folder.bytes(of: "a") == [1])
      #expect(try folder.names().count == 2)
    }
    #expect(try folder.names() == ["a"])
    #expect(try folder.bytes(of: "a") == [1])
  }

  @Test func aFileIsWrittenInParts() throws {
    let file = try AtomicFile(replacing: folder.path(of: "a"), permissions: .shared)
    try file.write([1, 2])
    try file.write([])
    try file.write([3])
    try file.commit()
    #expect(try folder.bytes(of: "a") == [1, 2, 3])
  }

  @Test func aSecretIsForItsOwnerAlone() throws {
    try AtomicFile.write([1], to: folder.path(of: "a"), permissions: .secret)
    #expect(try folder.mode(of: "a") == 0o600)
  }

  @Test func aReplacedFileKeepsItsPermissions() throws {
    for mode in [0o600, 0o664, 0o666] {
      try folder.write([1], to: "a")
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path(of: "a"))
      try AtomicFile.write([2], to: folder.path(of: "a"), permissions: .shared)
      #expect(try folder.mode(of: "a") == mode)
    }
  }

  @Test func aTakenNameIsLeftAlone() throws {
    #expect(try AtomicFile.create([1], at: folder.path(of: "a"), permissions: .shared))
    #expect(try !AtomicFile.create([2], at: folder.path(of: "a"), permissions: .shared))
    #expect(try folder.bytes(of: "a") == [1])
    #expect(try folder.names() == ["a"])
  }

  @Test func aSymbolicLinkIsNeitherFollowedNorReplaced() throws {
    let outside = try TemporaryFolder()
    try outside.write([1], to: "victim")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "a"), withDestinationPath: outside.path(of: "victim"))
    let error = #expect(throws: StoreError.self) {
      try AtomicFile.write([2], to: folder.path(of: "a"), permissions: .shared)
    }
    #expect(error?.code == .notRegular)
    #expect(try !AtomicFile.create([2], at: folder.path(of: "a"), permissions: .shared))
    #expect(try outside.bytes(of: "victim") == [1])
    #expect(try folder.names() == ["a"])
  }

  @Test func aMissingFolderIsNamed() throws {
    let path = folder.path(of: "none/a")
    let error = #expect(throws: StoreError.self) {
      try AtomicFile.write([1], to: path, permissions: .shared)
    }
    #expect(error?.code == .notFound)
    #expect(
      error?.description
        == "\(folder.path(of: "none")): cannot open the folder: No such file or directory")
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskLeavesTheOldFileAndNothingElse() throws {
    let disk = try SmallDisk(kilobytes: 64)
    try AtomicFile.write([1], to: disk.path + "/a", permissions: .shared)
    let large = [UInt8](repeating: 7, count: 1 << 20)
    for attempt in 0..<3 {
      let error = #expect(throws: StoreError.self) {
        try AtomicFile.write(large, to: disk.path + "/a", permissions: .shared)
      }
      #expect(error?.code == .noSpace, "attempt \(attempt)")
      #expect(error?.message == "cannot write: No space left on device")
      #expect(throws: StoreError.self) {
        try AtomicFile.create(large, at: disk.path + "/b", permissions: .shared)
      }
    }
    #expect(try disk.names() == ["a"])
    #expect(try AtomicFile.create([2], at: disk.path + "/b", permissions: .shared))
  }

  @Test(.enabled(if: SmallDisk.isPossible)) func aReadOnlyDiskIsNamed() throws {
    let disk = try SmallDisk(kilobytes: 64)
    try disk.makeReadOnly()
    let error = #expect(throws: StoreError.self) {
      try AtomicFile.write([1], to: disk.path + "/a", permissions: .shared)
    }
    #expect(error?.code == .diskFailed)
  }
}
