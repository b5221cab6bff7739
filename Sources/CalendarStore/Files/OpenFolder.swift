// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// An open folder whose files are accessed by name and never through a symbolic link.
///
/// All access uses the folder's descriptor, so that moving or replacing its path does not affect
/// it. It cannot be copied, because the first copy to be released would close the folder for all.
struct OpenFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// Opens a folder; symbolic links in its path are the user's choice and are followed.
  init(_ path: String) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.open(path, [.read, .folder])
    } catch {
      throw StoreError(error, path: path, cannot: "open the folder")
    }
    self.path = path
  }

  deinit { SystemCalls.close(descriptor) }

  /// A path that leads to this very folder, whatever is at its own path.
  var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

  /// The path of a file in this folder, for messages.
  func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Returns the names in the folder, sorted by bytes.
  func listing() throws(StoreError) -> FolderNames {
    do throws(SystemCalls.Failure) {
      var names = try SystemCalls.names(in: descriptor)
      names.sort()
      return names
    } catch {
      throw StoreError(error, path: path, cannot: "list the folder")
    }
  }

  /// Returns the names in the folder, sorted by bytes, and separately those that are not UTF-8.
  func names() throws(StoreError) -> (names: [String], undecodable: [String]) {
    let listing = try listing()
    var names: [String] = []
    var undecodable: [String] = []
    for index in listing.indices {
      let bytes = listing[index]
      if let name = String(validating: bytes.span) {
        names.append(name)
      } else {
        undecodable.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return (names, undecodable)
  }

  /// The status of the folder.
  func status() throws(StoreError) -> FileStatus {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.status(of: descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "open the folder")
    }
  }

  /// The kind of the file system that the folder is on, and its identifier.
  func fileSystem() throws(StoreError) -> (kind: UInt64, identifier: UInt64) {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.fileSystem(of: descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "open the folder")
    }
  }

  /// The status of an entry, or nil if it does not exist.
  func status(of name: String) throws(StoreError) -> FileStatus? {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.status(of: name, in: descriptor)
    } catch {
      guard error.number != SystemCalls.Failure.notFound.number else { return nil }
      throw StoreError(error, path: path(of: name), cannot: "open")
    }
  }

  /// The status of a listed entry; nil if it does not exist or is not accessible.
  func status(of names: borrowing FolderNames, at index: Int) -> FileStatus? {
    try? SystemCalls.status(of: names, at: index, in: descriptor)
  }

  /// Opens a regular file in this folder.
  ///
  /// - Throws: `StoreError` with the code `.notRegular` for links, folders, pipes and devices.
  func openFile(_ name: String) throws(StoreError) -> OpenFile {
    try check(name)
    let file: OpenFile
    do throws(SystemCalls.Failure) {
      let descriptor = try SystemCalls.open(
        name, in: descriptor, [.read, .noFollow, .nonBlocking])
      file = OpenFile(path: path(of: name), descriptor: descriptor)
    } catch {
      if try status(of: name)?.kind == .symbolicLink {
        throw StoreError(
          code: .notRegular, path: path(of: name),
          message: "a symbolic link, which is not followed")
      }
      throw StoreError(error, path: path(of: name), cannot: "open")
    }
    guard try file.status().kind == .file else {
      throw StoreError(code: .notRegular, path: path(of: name), message: "not a regular file")
    }
    return file
  }

  /// Creates a file with a name that must be free.
  func createFile(_ name: String, mode: UInt32) throws(StoreError) -> OpenFile {
    try check(name)
    do throws(SystemCalls.Failure) {
      let descriptor = try SystemCalls.open(
        name, in: descriptor, [.readAndWrite, .createNew, .noFollow], mode: mode)
      return OpenFile(path: path(of: name), descriptor: descriptor)
    } catch {
      throw StoreError(error, path: path(of: name), cannot: "make a file")
    }
  }

  /// Creates a nameless file, which is removed when it is closed unless it was linked.
  ///
  /// It returns nil if the file system does not support such files.
  func createNamelessFile(mode: UInt32) -> OpenFile? {
    // On any failure the caller creates a named file, which reports the error.
    guard let file = try? SystemCalls.openNameless(in: descriptor, mode: mode) else { return nil }
    return OpenFile(path: path, descriptor: file)
  }

  /// Links a nameless file to a free name, or returns false if that fails or the name is taken.
  func link(_ file: borrowing OpenFile, toFree target: String) throws(StoreError) -> Bool {
    try check(target)
    do throws(SystemCalls.Failure) {
      try file.link(to: target, in: descriptor)
      return true
    } catch {
      return false
    }
  }

  /// Renames a file, replacing another one.
  func rename(_ name: String, replacing target: String) throws(StoreError) {
    try check(target)
    do throws(SystemCalls.Failure) {
      try SystemCalls.rename(name, to: target, in: descriptor)
    } catch {
      throw StoreError(error, path: path(of: target), cannot: "write")
    }
  }

  /// Renames a file to a free name, or returns false if the name is taken.
  func rename(_ name: String, toFree target: String) throws(StoreError) -> Bool {
    try check(target)
    do throws(SystemCalls.Failure) {
      do throws(SystemCalls.Failure) {
        try SystemCalls.rename(name, toFree: target, in: descriptor)
        return true
      } catch  where error.isUnsupported {
        return try link(name, toFree: target)
      }
    } catch {
      guard error.number != SystemCalls.Failure.alreadyExists.number else { return false }
      throw StoreError(error, path: path(of: target), cannot: "write")
    }
  }

  /// Does the same on file systems without conditional renaming.
  private func link(
    _ name: String, toFree target: String
  ) throws(SystemCalls.Failure) -> Bool {
    do throws(SystemCalls.Failure) {
      // Linking fails if the name is taken; renaming does not.
      try SystemCalls.link(name, to: target, in: descriptor)
    } catch  where error.isUnsupported {
      // The file system has no links. Checking before renaming leaves a race of microseconds, which
      // cannot be avoided there.
      guard try isFree(target) else { return false }
      try SystemCalls.rename(name, to: target, in: descriptor)
      return true
    }
    // The file is linked now. A temporary name that remains, here or after a kill just before, is a
    // second name of the same file, and the next clean-up removes it.
    try? remove(name)
    return true
  }

  private func isFree(_ name: String) throws(SystemCalls.Failure) -> Bool {
    do throws(SystemCalls.Failure) {
      _ = try SystemCalls.status(of: name, in: descriptor)
      return false
    } catch {
      guard error.number == SystemCalls.Failure.notFound.number else { throw error }
      return true
    }
  }

  func remove(_ name: String) throws(StoreError) {
    try check(name)
    do throws(SystemCalls.Failure) {
      try SystemCalls.remove(name, in: descriptor)
    } catch {
      throw StoreError(error, path: path(of: name), cannot: "delete")
    }
  }

  /// Deletes an empty folder in this one.
  func removeFolder(_ name: String) throws(StoreError) {
    try check(name)
    do throws(SystemCalls.Failure) {
      try SystemCalls.removeFolder(name, in: descriptor)
    } catch {
      throw StoreError(error, path: path(of: name), cannot: "delete")
    }
  }

  /// Removes the access of others to the folder.
  func makePrivate() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.setMode(descriptor, 0o700)
    } catch {
      throw StoreError(error, path: path, cannot: "set the permissions of")
    }
  }

  /// Makes the names in the folder durable.
  func synchronize() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.synchronize(descriptor)
    } catch {
      // Some network file systems cannot synchronize a folder; they write names immediately.
      guard !error.isUnsupported else { return }
      throw StoreError(error, path: path, cannot: "write the folder")
    }
  }

  /// Makes all data in the folder's file system durable.
  ///
  /// It returns false if the system does not support that or does not report failures.
  func synchronizeFileSystem() throws(StoreError) -> Bool {
    do throws(SystemCalls.Failure) {
      try SystemCalls.synchronizeFileSystem(descriptor)
      return true
    } catch {
      guard !error.isUnsupported else { return false }
      throw StoreError(error, path: path, cannot: "write the folder")
    }
  }

  /// Waits for the lock by which the processes of Epact take turns at changing the folder.
  ///
  /// It is held until `unlock()` or the end of the process. File systems without locks for folders
  /// are used without it: conditions are then checked directly before each renaming, as against
  /// other programs.
  ///
  /// - Throws: `StoreError` with the code `.locked` if another process has the lock for more than
  ///   ten seconds, because it is stopped.
  func lock() throws(StoreError) {
    for _ in 0..<Self.lockAttempts {
      guard (try? SystemCalls.lock(descriptor)) == false else { return }
      SystemCalls.pause(milliseconds: 1)
    }
    throw StoreError(
      code: .locked, path: path, message: "another process has been changing the folder for long")
  }

  private static let lockAttempts = 10_000

  /// Releases the lock.
  func unlock() { SystemCalls.unlock(descriptor) }

  /// Checks a name, because names come from servers and the ledger and must stay in the folder.
  func check(_ name: String) throws(StoreError) {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
    else {
      throw StoreError(code: .invalidName, path: path(of: name), message: "not a file name")
    }
  }
}
