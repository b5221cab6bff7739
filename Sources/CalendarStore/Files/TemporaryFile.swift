// SPDX-License-Identifier: Apache-2.0

/// A hidden or nameless file, until it is complete and gets its final name.
///
/// A hidden file is locked while it is open. By the lock, `OpenFolder.removeLeftOvers()`
/// distinguishes leftovers of killed runs from files that are being written, without relying on a
/// clock. The file does not remove itself, because it does not hold its folder: its creator must
/// end it with one of the two commits or with `discard(in:)`.
struct TemporaryFile: ~Copyable {
  /// The prefix and suffix of the names, which only this program uses together.
  private static let prefix = ".epact-"
  private static let suffix = ".tmp"
  /// The maximum number of random names to try.
  static let attemptLimit = 100

  /// The hidden name, or nil for a nameless file.
  private let name: String?
  private let file: OpenFile

  private init(name: String?, file: consuming OpenFile) {
    self.name = name
    self.file = file
  }

  /// Creates an empty file in a folder.
  ///
  /// If it replaces a target, it gets the permissions of the target. The target is nil if the final
  /// name must be free.
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
      // The permissions are set again, because the umask may have removed some.
      if isKept { try file.file.setMode(mode) }
      return file
    }
    throw noName(in: folder.path)
  }

  /// Creates an empty nameless file for a free name, or returns nil if that is not supported.
  ///
  /// It costs the file system half as much as renaming a file, and a killed run leaves no file
  /// behind.
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
      // A clean-up in another process may have run between creating and locking the file. It then
      // holds the lock, or has already removed the name.
      guard try file.lock() != .heldByAnother, try file.status().linkCount > 0 else { return nil }
      return TemporaryFile(name: name, file: file)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      return nil
    }
  }

  static func makeName() -> String { prefix + makeIdentifier() + suffix }

  /// Letters and digits that no other file of the program has.
  static func makeIdentifier() -> String { String(SystemCalls.randomNumber(), radix: 36) }

  static func noName(in folder: String) -> StoreError {
    StoreError(code: .failed, path: folder, message: "cannot find a name for a temporary file")
  }

  static func isName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.starts(with: prefix.utf8) && name.reversed().starts(with: suffix.utf8.reversed())
  }

  func write(_ bytes: [UInt8]) throws(StoreError) {
    try file.write(bytes)
  }

  func setMode(_ mode: UInt32) throws(StoreError) {
    try file.setMode(mode)
  }

  /// Makes the bytes durable before a commit.
  func synchronize() throws(StoreError) {
    try file.synchronize()
  }

  /// Renames the file; its bytes must be durable, and the folder is not durable yet.
  func commit(in folder: borrowing OpenFolder, replacing target: String) throws(StoreError) {
    guard let name else {
      preconditionFailure("a nameless file is only created for a free name")
    }
    try folder.rename(name, replacing: target)
  }

  /// Renames or links the file to a free name.
  ///
  /// It returns false without any effect if the name is taken, or if a nameless file cannot be
  /// linked here.
  func commit(in folder: borrowing OpenFolder, toFree target: String) throws(StoreError) -> Bool {
    guard let name else { return try folder.link(file, toFree: target) }
    return try folder.rename(name, toFree: target)
  }

  /// Removes the file if possible.
  func discard(in folder: borrowing OpenFolder) {
    guard let name else { return }
    // This is only reached after another error, which must be reported. A remaining file is hidden,
    // is not an item, and is removed by the next clean-up.
    try? folder.remove(name)
  }
}

extension OpenFolder {
  /// Creates a nameless file, which is removed when it is closed, however the process ends.
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

  /// Removes the temporary files of killed runs, which have the program's names and no lock.
  func removeLeftOvers() throws(StoreError) {
    for name in try names().names where TemporaryFile.isName(name.utf8) {
      do throws(StoreError) {
        let file = try openFile(name)
        if try file.lock() == .taken { try remove(name) }
      } catch {
        // Another process was faster, or the file cannot be removed; either is harmless.
        continue
      }
    }
  }

  /// Writes a whole file, replacing an existing one; durable once the folder is synchronized.
  ///
  /// It calls `isUnchanged` directly before renaming, so that the time in which a concurrent change
  /// could be lost is minimal. It returns that result: whether the file was written.
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

  /// Writes a whole file to a free name; durable once the folder is synchronized.
  ///
  /// It returns false if the name is taken.
  func create(
    _ name: String, with bytes: [UInt8], permissions: AtomicFile.Permissions
  ) throws(StoreError) -> Bool {
    // This avoids writing if the name is taken; renaming checks again.
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
