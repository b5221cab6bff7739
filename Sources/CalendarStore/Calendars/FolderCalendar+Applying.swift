// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

extension FolderCalendar {
  /// The maximum number of names to try for a new item if other items have the first ones.
  private static let nameLimit = 9

  /// The minimum number of files that are made durable with one call for the file system.
  static let manyFiles = 8

  /// The maximum number of files that are open for changes.
  ///
  /// It is an eighth of the process limit, because other syncs run concurrently, and the ledger and
  /// connections need descriptors too.
  static var openFiles: Int { max(SystemCalls.openFileLimit / 8, 1) }

  /// Applies the changes, each on its own condition, and makes them durable together.
  ///
  /// The changes are applied in parts if they exceed the limit of open files.
  public func apply(_ changes: [LocalChange]) throws -> [LocalOutcome] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    guard !changes.isEmpty else { return [] }
    let size = Self.openFiles
    return try stride(from: 0, to: changes.count, by: size).flatMap { start in
      let folder = try anchor.open()
      try folder.lock()
      defer { folder.unlock() }
      let outcomes = try apply(changes[start..<min(start + size, changes.count)], in: folder)
      try anchor.check()
      return outcomes
    }
  }

  /// Applies some changes.
  ///
  /// All files are written before the first one is made durable, and all are durable before the
  /// first one is renamed, so that the disk writes them together.
  private func apply(
    _ changes: ArraySlice<LocalChange>, in folder: borrowing OpenFolder
  ) throws(StoreError) -> [LocalOutcome] {
    let prepared = changes.map { PreparedChange($0, in: folder) }
    // For many files, one call for the file system is faster than a separate write for each.
    if prepared.count >= Self.manyFiles, try folder.synchronizeFileSystem() {
      for change in prepared { change.isSynchronized = true }
    }
    for change in prepared { change.synchronize() }
    let outcomes = prepared.map { change in
      do throws(StoreError) {
        return try make(change, in: folder)
      } catch {
        change.discard(in: folder)
        return error.isOfWholeDisk
          ? LocalOutcome.unavailable(reason: error.description)
          : .failed(reason: error.description)
      }
    }
    try folder.synchronize()
    return outcomes
  }

  private func make(
    _ prepared: PreparedChange, in folder: borrowing OpenFolder
  ) throws(StoreError) -> LocalOutcome {
    switch prepared.change {
    case .create(let item):
      if let done = try prepared.commit(in: folder) { return done }
      return try create(item, in: folder)
    case .update(let name, let revision, _), .putBack(let name, let revision, _):
      guard try isUnchanged(name, since: revision, in: folder) else {
        prepared.discard(in: folder)
        return .conditionFailed
      }
      return try prepared.commit(in: folder) ?? .conditionFailed
    case .delete(let name, let revision):
      guard try isUnchanged(name, since: revision, in: folder) else { return .conditionFailed }
      try folder.remove(name)
      return .done(name: name, revision: nil)
    }
  }

  private func create(
    _ item: CalendarItem, in folder: borrowing OpenFolder
  ) throws(StoreError) -> LocalOutcome {
    let bytes = item.serialized(forStorage: true)
    for name in Self.names(for: item.uid) {
      if try folder.create(name, with: bytes, permissions: .shared) {
        return .done(name: name, revision: Revision(of: bytes))
      }
      if case .taken(let reason) = occupation(of: name, by: item.uid, in: folder) {
        return reason.map { .failed(reason: $0) } ?? .conditionFailed
      }
    }
    return .failed(reason: Self.reasonWithoutName(for: item.uid))
  }

  /// The names to try for a new item, in order.
  static func names(for uid: UID) -> [String] {
    let first = ItemName(of: uid).rawValue
    return [first] + (2...nameLimit).map { "\(first.dropLast(4))-\($0).ics" }
  }

  /// The reason why none of the names can be used.
  static func reasonWithoutName(for uid: UID) -> String {
    "\(ItemName(of: uid)) and similar names belong to other items"
  }

  /// The owner of a file whose name a new item would get.
  enum Occupation {
    /// Another item, because people rename and copy files: the next name may be free.
    case foreign
    /// The item itself if the reason is nil; otherwise it is unknown, for this reason.
    case taken(reason: String?)
  }

  func occupation(
    of name: String, by uid: UID, in folder: borrowing OpenFolder
  ) -> Occupation {
    switch read(name, in: folder) {
    case .success(let entry)?: entry.item.uid == uid ? .taken(reason: nil) : .foreign
    case .failure(let unreadable)?:
      .taken(reason: "\(name) is in the way and cannot be read: \(unreadable.reason)")
    case nil: .taken(reason: "\(name) is in the way and is a folder")
    }
  }

  func isUnchanged(
    _ name: String, since revision: Revision, in folder: borrowing OpenFolder
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return Revision(of: try folder.itemBytes(name)) == revision
    } catch {
      guard [.notFound, .notRegular, .tooLarge].contains(error.code) else { throw error }
      return false
    }
  }
}

/// A change to a folder whose bytes are in a temporary file that is not renamed yet.
///
/// It is a class, because a temporary file cannot be copied, and a batch is an array of changes.
final class PreparedChange {
  let change: LocalChange
  private let name: String
  private let revision: Revision?
  private let file: TemporaryFile?
  /// Whether the bytes are already durable.
  var isSynchronized = false
  /// The error of an earlier step.
  private var error: StoreError?

  /// Writes the bytes of a change to a temporary file, which is not durable yet.
  init(_ change: LocalChange, in folder: borrowing OpenFolder) {
    self.change = change
    let bytes: [UInt8]
    switch change {
    case .create(let new):
      (name, bytes) = (ItemName(of: new.uid).rawValue, new.serialized(forStorage: true))
    case .update(let old, _, let new): (name, bytes) = (old, new.serialized(forStorage: true))
    case .putBack(let old, _, let former): (name, bytes) = (old, former)
    case .delete(let old, _):
      name = old
      revision = nil
      file = nil
      return
    }
    revision = Revision(of: bytes)
    do throws(StoreError) {
      let isNew = if case .create = change { true } else { false }
      file = try Self.write(bytes, for: isNew ? nil : name, in: folder)
    } catch {
      file = nil
      self.error = error
    }
  }

  private static func write(
    _ bytes: [UInt8], for name: String?, in folder: borrowing OpenFolder
  ) throws(StoreError) -> TemporaryFile {
    if name == nil, let file = TemporaryFile.makeNameless(in: folder) {
      try file.write(bytes)
      return file
    }
    let file = try TemporaryFile.make(in: folder, permissions: .shared, replacing: name)
    do throws(StoreError) {
      try file.write(bytes)
    } catch {
      file.discard(in: folder)
      throw error
    }
    return file
  }

  /// Makes the bytes durable.
  func synchronize() {
    guard !isSynchronized else { return }
    do throws(StoreError) {
      try file?.synchronize()
    } catch {
      self.error = error
    }
  }

  /// Renames the file, or returns nil if the name of a new item is taken.
  func commit(in folder: borrowing OpenFolder) throws(StoreError) -> LocalOutcome? {
    if let error { throw error }
    guard file != nil else { return nil }
    if case .create = change {
      guard try file?.commit(in: folder, toFree: name) == true else {
        discard(in: folder)
        return nil
      }
    } else {
      try file?.commit(in: folder, replacing: name)
    }
    return .done(name: name, revision: revision)
  }

  /// Removes the file if possible.
  func discard(in folder: borrowing OpenFolder) {
    file?.discard(in: folder)
  }
}
