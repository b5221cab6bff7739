// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// A folder of a batch, which is open and locked as long as the value exists.
///
/// It is a class, because an open folder cannot be copied, and the files of a batch share theirs.
final class BatchFolder {
  /// The number by which the system knows a folder, whichever path led to it.
  struct Key: Hashable, Comparable {
    let device: UInt64
    let number: UInt64

    static func < (one: Key, other: Key) -> Bool {
      (one.device, one.number) < (other.device, other.number)
    }
  }

  let folder: OpenFolder
  let anchor: FolderAnchor
  let key: Key
  private var isLocked = false

  /// Opens a folder by its canonical path.
  init(_ path: String) throws(StoreError) {
    anchor = try FolderAnchor(path)
    folder = try anchor.open()
    let status = try folder.status()
    key = Key(device: status.device, number: status.number)
  }

  deinit { if isLocked { folder.unlock() } }

  /// Locks folders, always in the same order, so that two batches never wait for each other.
  static func lock(_ folders: some Sequence<BatchFolder>) throws(StoreError) {
    for folder in folders.sorted(by: { $0.key < $1.key }) {
      try folder.folder.lock()
      folder.isLocked = true
    }
  }
}

/// A file of a batch: where it is, what it contained, and what it is to contain.
struct BatchFile {
  let folder: BatchFolder
  let name: String
  /// The bytes before the batch; nil if the file did not exist.
  let before: [UInt8]?
  /// The bytes after the batch; nil if it removes the file.
  let after: [UInt8]?
  /// The permission bits before the batch.
  let mode: UInt32?

  var path: String { folder.folder.path(of: name) }

  /// Gives the file its new contents if it still has the old ones; any other contents are kept.
  func finish() throws(StoreError) {
    try folder.folder.settle(name, from: before, to: after, mode: nil)
  }

  /// Gives the file its old contents if it has the new ones; any other contents are kept.
  func undo() throws(StoreError) {
    try folder.folder.settle(name, from: after, to: before, mode: mode)
  }
}

extension OpenFolder {
  /// The maximum size of a file in a batch, equal to that of a calendar in one file.
  private static let batchFileLimit = 512 << 20

  /// The bytes of a regular file, or nil if it does not exist.
  func contents(of name: String) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try openFile(name).readAll(limit: Self.batchFileLimit)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Changes the contents of a file from old to new ones, unless it has others.
  ///
  /// A nil content is a missing file. The mode is that of a file that is created.
  fileprivate func settle(
    _ name: String, from old: [UInt8]?, to new: [UInt8]?, mode: UInt32?
  ) throws(StoreError) {
    guard old != new, try hasContents(old, name) else { return }
    switch new {
    case nil: try remove(name)
    case let new? where old == nil: try create(name, with: new, mode: mode)
    case let new?:
      _ = try replace(name, with: new, permissions: .shared) {
        (folder: borrowing OpenFolder) throws(StoreError) in
        try folder.hasContents(old, name)
      }
    }
  }

  private func hasContents(_ bytes: [UInt8]?, _ name: String) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try contents(of: name) == bytes
    } catch {
      // A link or a folder has the name now: an edit, too.
      guard [.notRegular, .tooLarge].contains(error.code) else { throw error }
      return false
    }
  }

  /// Creates a file with permission bits, unless its name is taken.
  private func create(
    _ name: String, with bytes: [UInt8], mode: UInt32?
  ) throws(StoreError) {
    guard let mode else {
      _ = try create(name, with: bytes, permissions: .shared)
      return
    }
    let file = try TemporaryFile.make(in: self, permissions: .secret, replacing: nil)
    do throws(StoreError) {
      try file.write(bytes)
      try file.setMode(mode)
      try file.synchronize()
      if try !file.commit(in: self, toFree: name) { file.discard(in: self) }
    } catch {
      file.discard(in: self)
      throw error
    }
  }
}

/// A file of a batch whose new bytes are in a temporary file that is not renamed yet.
///
/// It is a class, because a temporary file cannot be copied, and a batch has many.
final class PreparedFile {
  let file: BatchFile
  private let temporary: TemporaryFile?
  private var isCommitted = false

  /// Writes the new bytes to a temporary file, which is not durable yet.
  init(_ file: BatchFile) throws(StoreError) {
    self.file = file
    if let bytes = file.after {
      temporary = try Self.write(bytes, for: file, in: file.folder.folder)
    } else {
      temporary = nil
    }
  }

  private static func write(
    _ bytes: [UInt8], for file: BatchFile, in folder: borrowing OpenFolder
  ) throws(StoreError) -> TemporaryFile {
    if file.before == nil, let nameless = TemporaryFile.makeNameless(in: folder) {
      try nameless.write(bytes)
      return nameless
    }
    let named = try TemporaryFile.make(
      in: folder, permissions: .shared, replacing: file.before == nil ? nil : file.name)
    do throws(StoreError) {
      try named.write(bytes)
    } catch {
      named.discard(in: folder)
      throw error
    }
    return named
  }

  /// Removes the temporary file unless it was renamed.
  deinit {
    if !isCommitted { temporary?.discard(in: file.folder.folder) }
  }

  /// Makes the bytes durable.
  func synchronize() throws(StoreError) {
    try temporary?.synchronize()
  }

  /// Whether the file still has its old contents; one that did not exist is not read.
  private func isUnchanged() throws(StoreError) -> Bool {
    guard let before = file.before else {
      return try file.folder.folder.status(of: file.name) == nil
    }
    return try file.folder.folder.contents(of: file.name) == before
  }

  /// Makes the change if the file still has its old contents; returns whether it did.
  func commit() throws(StoreError) -> Bool {
    guard try isUnchanged() else { return false }
    guard let after = file.after else {
      if file.before != nil { try file.folder.folder.remove(file.name) }
      return true
    }
    if file.before != nil {
      try temporary?.commit(in: file.folder.folder, replacing: file.name)
      isCommitted = true
      return true
    }
    isCommitted = try temporary?.commit(in: file.folder.folder, toFree: file.name) ?? false
    if isCommitted { return true }
    // Nameless files cannot be linked on every system.
    return try file.folder.folder.create(file.name, with: after, permissions: .shared)
  }
}
