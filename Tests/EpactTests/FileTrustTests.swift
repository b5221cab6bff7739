// SPDX-License-Identifier: Apache-2.0

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

  @Test func aFolderOfAGroupIsTrustedUnlessTheRulesAreStrict() throws {
    try setMode(0o775, of: "open")
    let strict = FileTrust(user: getuid(), home: "/x", current: "/")
    let lenient = FileTrust(user: getuid(), home: "/x", current: "/", isStrict: false)
    #expect(throws: FileTrust.Fault.self) { try strict.check(path) }
    #expect(throws: Never.self) { try lenient.check(path) }
  }
}
