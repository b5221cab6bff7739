// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A file system in memory with little room, for as long as it is held; only root can make one.
final class SmallDisk: Sendable {
  static let isPossible = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

  /// The folder of its own that it is mounted on, if it has one.
  private let folder: TemporaryFolder?
  let path: String

  /// Makes one at a folder that exists, or at one of its own.
  init(kilobytes: Int, at path: String? = nil) throws {
    folder = path == nil ? try TemporaryFolder() : nil
    self.path = path ?? folder?.path ?? ""
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", self.path])
  }

  deinit {
    try? unmount()
  }

  /// Takes it away, also from under those who have something of it open.
  func unmount() throws {
    try Self.run("umount", ["-l", path])
  }

  func makeReadOnly() throws {
    try Self.run("mount", ["-o", "remount,ro", path])
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    var program = TestProgram([tool] + arguments)
    program.errors = .null
    guard try program.run() == 0 else { throw CocoaError(.featureUnsupported) }
  }
}
