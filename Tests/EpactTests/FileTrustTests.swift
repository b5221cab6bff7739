// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Epact
import Foundation
import TestSupport
import Testing

/// The owners and the permissions of a file and of the folders above it.
struct FileTrustTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["open", "open/home", "open/home/config"] {
      let path = folder.path(of: name)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try setMode(0o755, of: name)
    }
    try folder.write([], to: "open/home/config/x")
  }

  private var path: String { folder.path(of: "open/home/config/x") }

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(of: name))
  }

  @Test func filesOfOtherUsersAreNotTrusted() throws {
    // Only root can give a file away; other users pretend to be someone else.
    let isRoot = getuid() == 0
    if isRoot {
      try FileManager.default.setAttributes([.ownerAccountID: 4711], ofItemAtPath: path)
    }
    let owner = isRoot ? 4711 : getuid()
    let trust = FileTrust(user: isRoot ? 0 : owner &+ 1, home: "/nowhere", current: "/")
    let fault = #expect(throws: FileTrust.Fault.self) { try trust.check(path) }
    #expect(fault?.reason == .owner(owner))
    if isRoot { #expect(fault?.path == path) }
  }

  @Test func theFoldersAboveTheHomeFolderDoNotCount() throws {
    try setMode(0o777, of: "open")
    let home = folder.path(of: "open/home")
    #expect(throws: Never.self) {
      try FileTrust(user: getuid(), home: home, current: "/").check(path)
    }
    #expect(throws: FileTrust.Fault.self) {
      try FileTrust(user: getuid(), home: folder.path(of: "config"), current: "/").check(path)
    }
    #expect(throws: FileTrust.Fault.self) {
      try FileTrust(user: getuid(), home: "/", current: folder.path(of: "open"))
        .check("home/config/x")
    }
  }

  @Test func theOpenedFileIsTheCheckedOne() throws {
    let trust = FileTrust(user: getuid(), home: "/x", current: "/", isStrict: false)
    try folder.write([1], to: "open/home/config/other")
    let facts = try InputStream(path: path).facts()
    #expect(throws: Never.self) { try trust.expect(path, "configuration", opened: facts) }
    let other = try InputStream(path: folder.path(of: "open/home/config/other")).facts()
    let error = #expect(throws: EpactError.self) {
      try trust.expect(path, "configuration", opened: other)
    }
    #expect(error?.message.contains("was replaced while it was read") == true)
    // A file that is removed after it was opened is not the checked one either.
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: EpactError.self) { try trust.expect(path, "configuration", opened: facts) }
  }

  @Test func aLedgerThatOthersCanChangeIsNotUsed() throws {
    var machine = Machine.live()
    (machine.homeFolder, machine.currentFolder) = (folder.path(of: "open/home"), folder.path)
    machine.ledger = .folder(folder.path(of: "open/home/config"))
    let state = LedgerFolder(machine: machine, isReadOnly: false)
    try state.openDatabase().close()
    try setMode(0o777, of: "open/home/config")
    for open in [{ try state.openDatabase() }, { try state.openForViewing() }] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .noAccess)
    }
    try setMode(0o700, of: "open/home/config")
    try setMode(0o666, of: "open/home/config/ledger.sqlite")
    #expect(throws: StoreError.self) { try state.openDatabase() }
  }

  @Test func aFolderOfAGroupIsTrustedUnlessTheRulesAreStrict() throws {
    try setMode(0o775, of: "open")
    let strict = FileTrust(user: getuid(), home: "/x", current: "/")
    let lenient = FileTrust(user: getuid(), home: "/x", current: "/", isStrict: false)
    #expect(throws: FileTrust.Fault.self) { try strict.check(path) }
    #expect(throws: Never.self) { try lenient.check(path) }
  }
}
