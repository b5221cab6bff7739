// SPDX-License-Identifier: Apache-2.0

/// An open folder whose files are reached by name and never through a symbolic link.
///
/// Everything goes through the descriptor of the folder: that its path is moved, or replaced by a
/// link to somewhere else, changes nothing for what has begun. It cannot be copied, because the
/// first copy to go would close it under the others.
struct OpenFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// Opens a folder; symbolic links in its own path are the person's choice and are followed.
  init(_ path: String) throws(StoreError) {
    do throws(SystemCalls.Failure) {
      descriptor = try SystemCalls.open(path, [.read, .folder])
    } catch {
      throw StoreError(error, path: path, cannot: "open the folder")
    }
    self.path = path
  }

  deinit { SystemCalls.close(descriptor) }

  /// The path of a name in this folder, for messages.
  func path(of name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// The names in the folder in the order of their bytes; nil for each that is not UTF-8.
  func names() throws(StoreError) -> (names: [String], undecodable: [String]) {
    let raw: [[UInt8]]
    do throws(SystemCalls.Failure) {
      raw = try SystemCalls.names(in: descriptor)
    } catch {
      throw StoreError(error, path: path, cannot: "list the folder")
    }
    var names: [String] = []
    var undecodable: [String] = []
    for bytes in raw.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let name = String(validating: bytes, as: UTF8.self) {
        names.append(name)
      } else {
        undecodable.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return (names, undecodable)
  }

  /// What the system knows of the folder itself.
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

  /// What a name stands for, or nil if it stands for nothing.
  func status(of name: String) throws(StoreError) -> FileStatus? {
    do throws(SystemCalls.Failure) {
      return try SystemCalls.status(of: name, in: descriptor)
    } catch {
      guard error.number != SystemCalls.Failure.notFound.number else { return nil }
      throw StoreError(error, path: path(of: name), cannot: "open")
    }
  }

  /// Opens a plain file of this folder.
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
          message: "a symbolic link, which is not followed here")
      }
      throw StoreError(error, path: path(of: name), cannot: "open")
    }
    guard try file.status().kind == .file else {
      throw StoreError(code: .notRegular, path: path(of: name), message: "not a plain file")
    }
    return file
  }

  /// Makes a file of a name that nothing in the folder has.
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

  /// Makes a file without a name, which is gone when it is closed unless it got one; nil where the file
  /// system has no such files.
  func createNamelessFile(mode: UInt32) -> OpenFile? {
    // Whatever the reason is, it is told by the making of a file that has a name.
    guard let file = try? SystemCalls.openNameless(in: descriptor, mode: mode) else { return nil }
    return OpenFile(path: path, descriptor: file)
  }

  /// Gives a nameless file a name that nothing has; false if that cannot be done, or something has it.
  func link(_ file: borrowing OpenFile, toFree target: String) throws(StoreError) -> Bool {
    try check(target)
    do throws(SystemCalls.Failure) {
      try file.link(to: target, in: descriptor)
      return true
    } catch {
      return false
    }
  }

  /// Gives a file the name of another, which it replaces.
  func rename(_ name: String, replacing target: String) throws(StoreError) {
    try check(target)
    do throws(SystemCalls.Failure) {
      try SystemCalls.rename(name, to: target, in: descriptor)
    } catch {
      throw StoreError(error, path: path(of: target), cannot: "write")
    }
  }

  /// Gives a file a name that nothing has; false if something has it.
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

  /// The same where the file system cannot rename on a condition.
  private func link(
    _ name: String, toFree target: String
  ) throws(SystemCalls.Failure) -> Bool {
    do throws(SystemCalls.Failure) {
      // Linking fails where the name is taken, which renaming does not.
      try SystemCalls.link(name, to: target, in: descriptor)
    } catch  where error.isUnsupported {
      // A file system without links: looking first leaves a gap of microseconds, and is the most
      // that can be had there.
      guard try isFree(target) else { return false }
      try SystemCalls.rename(name, to: target, in: descriptor)
      return true
    }
    // The file has its name by now. A temporary name that is left, here or by a kill just before,
    // is a second name of the same file and goes with the next clean-up.
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

  /// Makes the names in the folder survive a loss of power.
  func synchronize() throws(StoreError) {
    do throws(SystemCalls.Failure) {
      try SystemCalls.synchronize(descriptor)
    } catch {
      // Some network file systems cannot synchronize a folder; they write names through anyway.
      guard !error.isUnsupported else { return }
      throw StoreError(error, path: path, cannot: "write the folder")
    }
  }

  /// Makes everything survive a loss of power that was written to the file system of the folder.
  ///
  /// The result is false where the system cannot do that, or cannot say whether it did.
  func synchronizeFileSystem() throws(StoreError) -> Bool {
    do throws(SystemCalls.Failure) {
      try SystemCalls.synchronizeFileSystem(descriptor)
      return true
    } catch {
      guard !error.isUnsupported else { return false }
      throw StoreError(error, path: path, cannot: "write the folder")
    }
  }

  /// Names come from servers and from the ledger, and none of them may lead out of the folder.
  private func check(_ name: String) throws(StoreError) {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
    else {
      throw StoreError(code: .invalidName, path: path(of: name), message: "not a name of a file")
    }
  }
}
