// SPDX-License-Identifier: Apache-2.0

/// A file under a hidden name or under none, until it is complete and gets the name that it is for.
///
/// One with a hidden name is locked as long as it is open. That is how `OpenFolder.removeLeftOvers()`
/// knows the files of runs that were killed from those that are being written now, without trusting
/// any clock. It does not remove itself, because it does not hold its folder: whoever makes one ends it
/// with one of the two commits or with `discard(in:)`.
struct TemporaryFile: ~Copyable {
  /// What the names begin and end with; both together are ours alone.
  private static let prefix = ".epact-"
  private static let suffix = ".tmp"
  /// How often a name is made up.
  static let attemptLimit = 100

  /// The hidden name; nil for a file that has none.
  private let name: String?
  private let file: OpenFile

  private init(name: String?, file: consuming OpenFile) {
    self.name = name
    self.file = file
  }

  /// Makes an empty file in a folder, which takes over the permissions of a file that it is to replace;
  /// nil for one that is to get a name that nothing has.
  static func make(
    in folder: borrowing OpenFolder, permissions: AtomicFile.Permissions, replacing target: String?
  ) throws(StoreError) -> TemporaryFile {
    var mode: UInt32 = permissions == .secret ? 0o600 : 0o666
    var isKept = false
    if permissions == .shared, let target, let old = try folder.status(of: target),
      old.kind == .file
    {
      (mode, isKept) = (old.mode, true)
    }
    for _ in 0..<attemptLimit {
      guard let file = try attempt(in: folder, mode: mode) else { continue }
      // Once more, because the umask may have taken permissions away.
      if isKept { try file.file.setMode(mode) }
      return file
    }
    throw noName(in: folder.path)
  }

  /// Makes an empty file without a name, for one that nothing has; nil where there are no such files.
  ///
  /// It costs the file system half of what one does that is renamed, and a killed run leaves none behind.
  static func makeNameless(in folder: borrowing OpenFolder) -> TemporaryFile? {
    guard let file = folder.createNamelessFile(mode: 0o666) else { return nil }
    return TemporaryFile(name: nil, file: file)
  }

  private static func attempt(
    in folder: borrowing OpenFolder, mode: UInt32
  ) throws(StoreError) -> TemporaryFile? {
    let name = makeName()
    do throws(StoreError) {
      let file = try folder.createFile(name, mode: mode)
      // Another process that cleans up may have come between the making and the locking: then it
      // holds the lock, or has removed the name already.
      guard try file.lock() != .heldByAnother, try file.status().linkCount > 0 else { return nil }
      return TemporaryFile(name: name, file: file)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      return nil
    }
  }

  static func makeName() -> String {
    prefix + String(SystemCalls.randomNumber(), radix: 36) + suffix
  }

  static func noName(in folder: String) -> StoreError {
    StoreError(code: .failed, path: folder, message: "cannot find a name for a temporary file")
  }

  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
  }

  func write(_ bytes: [UInt8]) throws(StoreError) {
    try file.write(bytes)
  }

  /// Makes the bytes durable, so that a commit is all that is missing.
  func synchronize() throws(StoreError) {
    try file.synchronize()
  }

  /// Gives the file its name; the bytes have to be durable, and the folder is not yet.
  func commit(in folder: borrowing OpenFolder, replacing target: String) throws(StoreError) {
    guard let name else {
      preconditionFailure("a file without a name is only made for a name that nothing has")
    }
    try folder.rename(name, replacing: target)
  }

  /// Gives the file its name if nothing has it; false, and nothing is done, if something has it, or if
  /// a file without a name cannot be given one here.
  func commit(in folder: borrowing OpenFolder, toFree target: String) throws(StoreError) -> Bool {
    guard let name else { return try folder.link(file, toFree: target) }
    return try folder.rename(name, toFree: target)
  }

  /// Removes the file, as far as that is possible.
  func discard(in folder: borrowing OpenFolder) {
    guard let name else { return }
    // Only reached when something went wrong already, and that is what has to be reported. What
    // stays behind is hidden, is not an item, and goes with the next clean-up.
    try? folder.remove(name)
  }
}

extension OpenFolder {
  /// Makes a file that has no name, and is gone when it is closed, however the process ends.
  func makeNamelessFile() throws(StoreError) -> OpenFile {
    for _ in 0..<TemporaryFile.attemptLimit {
      let name = TemporaryFile.makeName()
      do throws(StoreError) {
        let file = try createFile(name, mode: 0o600)
        try remove(name)
        return file
      } catch {
        guard error.code == .alreadyExists else { throw error }
      }
    }
    throw TemporaryFile.noName(in: path)
  }

  /// Removes the temporary files of runs that were killed: ours by name, and locked by nobody.
  func removeLeftOvers() throws(StoreError) {
    for name in try names().names where TemporaryFile.isName(name) {
      do throws(StoreError) {
        let file = try openFile(name)
        if try file.lock() == .taken { try remove(name) }
      } catch {
        // Somebody else was faster, or it is not ours to remove; it disturbs nobody.
        continue
      }
    }
  }

  /// Writes a whole file in place of what has its name; durable once the folder is synchronized.
  ///
  /// `isUnchanged` is asked when all is written and only the renaming is left, so that the time in
  /// which somebody else's change could be missed is as short as it can be. The result is what it
  /// said: whether the file was written.
  func replace(
    _ name: String, with bytes: [UInt8], permissions: AtomicFile.Permissions,
    if isUnchanged: (borrowing OpenFolder) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let file = try TemporaryFile.make(in: self, permissions: permissions, replacing: name)
    do throws(StoreError) {
      try file.write(bytes)
      try file.synchronize()
      guard try isUnchanged(self) else {
        file.discard(in: self)
        return false
      }
      try file.commit(in: self, replacing: name)
      return true
    } catch {
      file.discard(in: self)
      throw error
    }
  }

  /// Writes a whole file under a name that nothing has; durable once the folder is synchronized.
  ///
  /// The result is false if something has the name.
  func create(
    _ name: String, with bytes: [UInt8], permissions: AtomicFile.Permissions
  ) throws(StoreError) -> Bool {
    // Saves the writing where the answer is clear; the renaming asks again.
    guard try status(of: name) == nil else { return false }
    let file = try TemporaryFile.make(in: self, permissions: permissions, replacing: nil)
    do throws(StoreError) {
      try file.write(bytes)
      try file.synchronize()
      if try file.commit(in: self, toFree: name) { return true }
      file.discard(in: self)
      return false
    } catch {
      file.discard(in: self)
      throw error
    }
  }
}
