// SPDX-License-Identifier: Apache-2.0

/// Operations on folders by path.
enum FolderPath {
  /// The canonical path: absolute, without symbolic links, `.` and `..`.
  static func canonical(_ path: String) throws(StoreError) -> String {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.canonicalPath(path)
    } catch {
      throw StoreError(error, path: path, cannot: "find the folder")
    }
  }

  /// Creates a folder and its missing parents, each durably.
  static func create(_ path: String, mode: UInt32) throws(StoreError) {
    // With a trailing slash, the folder would be its own parent.
    var place = path[...]
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    let parent = FilePlace(String(place)).folder
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      if error.number == SystemCalls.Failure.alreadyExists.number { return }
      guard error.number == SystemCalls.Failure.notFound.number, parent != place else {
        throw StoreError(error, path: path, cannot: "make the folder")
      }
      try create(parent, mode: mode)
      try createLast(path, mode: mode)
    }
    try OpenFolder(parent).synchronize()
  }

  /// Creates a folder in an existing one; it may already exist.
  private static func createLast(_ path: String, mode: UInt32) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.makeFolder(path, mode: mode)
    } catch {
      guard error.number != SystemCalls.Failure.alreadyExists.number else { return }
      throw StoreError(error, path: path, cannot: "make the folder")
    }
  }
}

/// A path, split into a folder and a name.
struct FilePlace: Hashable, Sendable {
  let folder: String
  let name: String

  init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else {
      folder = "."
      name = path
      return
    }
    folder = slash == path.utf8.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }
}

/// An open folder, which reveals whether another folder has replaced it.
///
/// An unmounted disk leaves its mount point: an empty folder, or one with a few files of its own.
/// Missing items in it were not deleted, and new items in it are lost. Therefore the path is
/// compared with the open folder before and after each use. While the folder is open, its inode and
/// device numbers are not reused.
final class FolderAnchor: Sendable {
  /// The path of the folder, without symbolic links.
  let path: String
  /// The file system of the folder.
  let identity: FolderIdentity
  /// The inode number of the folder.
  var number: UInt64 { status.number }
  private let folder: OpenFolder
  private let status: FileStatus

  /// Opens a folder.
  init(_ path: String) throws(StoreError) {
    self.path = path
    folder = try OpenFolder(path)
    status = try folder.status()
    identity = try FolderIdentity(of: folder)
  }

  /// The folder, opened once more.
  ///
  /// - Throws: `StoreError`; with the code `.replaced` if the path leads to another folder by now.
  func open() throws(StoreError) -> OpenFolder {
    let found = try OpenFolder(path)
    let now = try found.status()
    guard now.device == status.device, now.number == status.number else {
      throw StoreError(
        code: .replaced, path: path,
        message: "another folder has replaced this one; a disk may have been unmounted "
          + "meanwhile")
    }
    return found
  }

  /// Makes sure that the path still leads to the folder.
  func check() throws(StoreError) {
    _ = try open()
  }
}

/// The file system of a folder, as text for comparison with an earlier run.
///
/// If a disk is not mounted, its path names a folder on another file system. The folder itself is
/// not part of the identity, because a copy of a calendar on the same disk is the same calendar.
/// Only identifiers that a file system keeps between mounts are used; otherwise the identity is
/// only the type of the file system.
struct FolderIdentity: Hashable, Sendable {
  private enum Kind {
    static let ext: UInt64 = 0xEF53
    static let btrfs: UInt64 = 0x9123_683E
    static let tmpfs: UInt64 = 0x0102_1994

    /// The file systems with persistent identifiers.
    static let identified: Set<UInt64> = [ext, btrfs, tmpfs]
  }

  let text: String

  init(of folder: borrowing OpenFolder) throws(StoreError) {
    let (kind, identifier) = try folder.fileSystem()
    let parts = [kind, Kind.identified.contains(kind) ? identifier : 0]
    text = parts.map { String($0, radix: 16) }.joined(separator: "-")
  }
}
