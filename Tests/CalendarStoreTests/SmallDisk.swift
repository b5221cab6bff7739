// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A file system in memory with little room, for as long as it is held; only root can make one.
final class SmallDisk: Sendable {
  static let isPossible = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

  private let folder: TemporaryFolder

  var path: String { folder.path }

  init(kilobytes: Int) throws {
    folder = try TemporaryFolder()
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
  }

  deinit {
    try? Self.run("umount", [folder.path])
  }

  func makeReadOnly() throws {
    try Self.run("mount", ["-o", "remount,ro", folder.path])
  }

  func names() throws -> [String] { try folder.names() }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }
}
