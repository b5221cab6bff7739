// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Foundation
import TestSupport
import Testing

@Suite struct StoreLockTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "lock")
  }

  @Test func theSecondIsToldWhoHasIt() throws {
    let first = try StoreLock.acquire(path, for: "sync", since: "02:30")
    let error = lockError()
    #expect(error?.code == .locked)
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(error?.message == "sync is already running (pid \(pid), since 02:30)")
    _ = consume first
  }

  @Test func itIsFreeOnceItIsLetGoOf() throws {
    for _ in 0..<3 {
      _ = try StoreLock.acquire(path, for: "sync", since: "02:30")
    }
    #expect(try folder.bytes(of: "lock").count < 40)
    #expect(try folder.mode(of: "lock") == 0o600)
  }

  @Test func itsFolderIsMadeForItsOwnerAlone() throws {
    _ = try StoreLock.acquire(folder.path(of: "a/b/lock"), for: "sync", since: "02:30")
    #expect(try folder.mode(of: "a") == 0o700)
    #expect(try folder.mode(of: "a/b") == 0o700)
  }

  @Test func itIsFreeOnceItsProcessIsKilled() throws {
    let holder = try LockHolder(path)
    #expect(lockError()?.code == .locked)
    holder.kill()
    _ = try StoreLock.acquire(path, for: "sync", since: "02:30")
  }

  @Test(arguments: [
    "", "sync", "sync x 02:30\n", "sync 1", "\u{1B}[2J\n",
  ])
  func aNoteThatIsNotOursIsNotShown(note: String) throws {
    try folder.write(note.utf8, to: "lock")
    let holder = try LockHolder(path)
    #expect(lockError()?.message == "another run has the lock")
    holder.kill()
  }

  @Test func aNoteCannotSendControlCharacters() throws {
    try folder.write("sync 12 \u{1B}[2J\n".utf8, to: "lock")
    let holder = try LockHolder(path)
    #expect(lockError()?.message == "sync is already running (pid 12, since ?[2J)")
    holder.kill()
  }

  @Test func aLinkIsNotFollowed() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path(of: "elsewhere"))
    #expect(lockError()?.code == .notRegular)
    #expect(try folder.names() == ["lock"])
  }

  private func lockError() -> StoreError? {
    do throws(StoreError) {
      _ = try StoreLock.acquire(path, for: "sync", since: "02:31")
      return nil
    } catch {
      return error
    }
  }
}

/// Another process that holds the lock of a file.
struct LockHolder {
  private let process: TestProgram.Started

  init(_ path: String) throws {
    let (own, other) = try TestProgram.makeSocketPair()
    defer {
      close(own)
      close(other)
    }
    var program = TestProgram([
      "perl", "-e", "open F, '+>>', $ARGV[0]; flock F, 2; $| = 1; print 'held'; sleep 60", path,
    ])
    program.output = .file(other)
    process = try program.start()
    var word = [UInt8](repeating: 0, count: 4)
    _ = unsafe read(own, &word, word.count)
  }

  func kill() { process.kill() }
}
