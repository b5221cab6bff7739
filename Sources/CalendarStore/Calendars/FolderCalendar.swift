// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

/// A folder of `.ics` files with one item each, as in khal, todoman and vdirsyncer (vdir).
///
/// - A file in the folder whose name ends in `.ics` is an item. Hidden files, files with other
///   extensions (`displayname`, `color`, `….tmp`) and folders are ignored.
/// - A file that is not exactly one item, such as an empty file or a link, is *unreadable*. Because
///   its earlier contents are unknown, it never counts as deleted. Of two files with the same UID,
///   the first by name is the item.
/// - A new item is named by `ItemName`; an existing item keeps its name.
/// - Files are never modified in place, and the file of an unchanged item is not written.
public struct FolderCalendar: LocalCalendar {
  /// The maximum number of names to try for a new item if other items have the first ones.
  private static let nameLimit = 9

  /// The minimum number of files that are made durable with one call for the file system.
  private static let manyFiles = 8

  /// The maximum number of files that are open for changes.
  ///
  /// It is an eighth of the process limit, because other syncs run concurrently, and the ledger and
  /// connections need descriptors too.
  private static var openFiles: Int { max(SystemCalls.openFileLimit / 8, 1) }

  /// The path without symbolic links.
  public var location: String { anchor.path }
  /// The folder, which is to be the same one as long as the calendar is used.
  let anchor: FolderAnchor
  let purpose: LocalCalendars.Purpose

  /// Opens a folder.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if the folder does not exist and must not be
  ///   created.
  public init(path: String, for purpose: LocalCalendars.Purpose) throws(StoreError) {
    if purpose == .creating { try FolderPath.create(path, mode: 0o777) }
    anchor = try FolderAnchor(try FolderPath.canonical(path))
    self.purpose = purpose
  }

  /// The properties of the folder.
  var folderProperties: FolderProperties {
    FolderProperties(anchor: anchor, isReadOnly: purpose == .reading)
  }

  /// Reads all files, in order of their names.
  public func scan() async throws -> LocalListing {
    let folder = try anchor.open()
    if purpose != .reading { try folder.removeLeftOvers() }
    let (names, undecodable) = try folder.names()
    var listing = LocalListing()
    listing.unreadable = undecodable.filter(OpenFolder.isItemName).map {
      UnreadableEntry(name: $0, reason: "the name of the file is not UTF-8")
    }
    var nameOfUID: [UID: String] = [:]
    for name in names where OpenFolder.isItemName(name) {
      try Task.checkCancellation()
      switch read(name, in: folder) {
      case nil: continue
      case .failure(let unreadable)?:
        listing.unreadable.append(UnreadableEntry(name: name, reason: unreadable.reason))
      case .success(let entry)?:
        if let first = nameOfUID[entry.item.uid] {
          let reason = "holds the UID '\(entry.item.uid)', which \(first) holds already"
          listing.unreadable.append(UnreadableEntry(name: name, reason: reason))
        } else {
          nameOfUID[entry.item.uid] = name
          listing.entries.append(entry)
        }
      }
    }
    try anchor.check()
    return listing
  }

  /// The item in a file, the reason why it is unreadable, or nil for a folder.
  func read(
    _ name: String, in folder: borrowing OpenFolder, form: NormalForm = NormalForm(),
    known: LocalRecord? = nil
  ) -> Result<LocalEntry, UnreadableItem>? {
    do throws(StoreError) {
      return try folder.item(name, in: form, known: known)
    } catch {
      // Most entries are files, so the kind is checked only after a failure.
      if (try? folder.status(of: name))?.kind == .folder { return nil }
      return .failure(UnreadableItem(reason: error.message))
    }
  }

  /// Applies the changes, each on its own condition, and makes them durable together.
  ///
  /// The changes are applied in parts if they exceed the limit of open files.
  public func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    guard !changes.isEmpty else { return [] }
    let size = Self.openFiles
    return try stride(from: 0, to: changes.count, by: size).flatMap { start in
      let folder = try anchor.open()
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
    let first = ItemName(of: item.uid).rawValue
    for number in 1...Self.nameLimit {
      let name = number == 1 ? first : "\(first.dropLast(4))-\(number).ics"
      if try folder.create(name, with: bytes, permissions: .shared) {
        return .done(name: name, revision: Revision(of: bytes))
      }
      // The file may contain another item, because people rename and copy files.
      switch read(name, in: folder) {
      case .success(let entry)?:
        if entry.item.uid == item.uid { return .conditionFailed }
      case .failure(let unreadable)?:
        return .failed(reason: "\(name) is in the way and cannot be read: \(unreadable.reason)")
      case nil:
        return .failed(reason: "\(name) is in the way and is a folder")
      }
    }
    return .failed(reason: "\(first) and the names like it belong to other items")
  }

  private func isUnchanged(
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
