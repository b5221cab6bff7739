// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of a test's own, removed with everything in it when it is let go of.
///
/// A class, because it is the last reference to go that has to remove the folder.
public final class TemporaryFolder: Sendable {
  /// The path without symbolic links, and without a slash at the end.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    let url = URL.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "epact-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a name in the folder.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, hidden ones included, in the order of their letters.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// Writes a file as any other program would, in place.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(of: name)))
    waitForWriters(of: name)
    return path(of: name)
  }

  /// The commands of `fcntl` for leases, which the module of the C library lacks.
  private static let (setSignal, setLease): (Int32, Int32) = (10, 1024)

  /// Waits until no process has a file open for writing.
  ///
  /// A process that a test beside starts has the files of this one until it runs its program. The system
  /// reports the end of the write only then, so that a watcher would see one more change. A lease for
  /// reading is refused as long as there is a writer (`fcntl(2)`).
  private func waitForWriters(of name: String) {
    let file = unsafe open(path(of: name), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // The signal for a writer that comes meanwhile would end the program by default; this one is ignored.
    guard fcntl(file, Self.setSignal, SIGURG) == 0 else { return }
    for _ in 0..<60_000 {
      if fcntl(file, Self.setLease, F_RDLCK) == 0 {
        _ = fcntl(file, Self.setLease, F_UNLCK)
        return
      }
      guard errno == EAGAIN else { return }
      usleep(1000)
    }
  }

  /// Writes a text as a file, each line ended by CRLF if `lines` are given.
  @discardableResult
  public func write(lines: [String], to name: String) throws -> String {
    try write(lines.map { $0 + "\r\n" }.joined().utf8, to: name)
  }

  /// The bytes of a file.
  public func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
  }

  /// Makes a folder with its parents.
  public func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(of: name), withIntermediateDirectories: true)
  }

  /// Makes a symbolic link.
  public func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(of: name), withDestinationPath: destination)
  }

  /// The permission bits of a name.
  public func mode(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(of: name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}
