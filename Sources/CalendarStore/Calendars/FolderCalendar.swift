// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync

/// A folder of `.ics` files with one item each, as khal, todoman and vdirsyncer use it (vdir).
///
/// - A file of the folder whose name ends in `.ics` is an item. Hidden files, files of other endings
///   (`displayname`, `color`, `….tmp`) and folders are passed over.
/// - A file that is not exactly one item, be it empty or a link, is *unreadable*: nobody can know what
///   it held, and so it is never absent. Of two files with one UID, the first by name is the item.
/// - A new item gets the name that `ItemName` makes of its UID; one that is there keeps its name.
/// - Nothing is written in place, and a file whose item does not change is not touched at all.
public struct FolderCalendar: LocalCalendar {
  /// How many names are tried for a new item, where others have the ones before.
  private static let nameLimit = 9

  /// From how many files on all of them are made durable by one call.
  private static let manyFiles = 8

  /// How many files of changes are open at once: an eighth of what the program may have open, since other
  /// syncs run beside this one, and the ledger and the connections need some too.
  private static var openFiles: Int { max(SystemCalls.openFileLimit / 8, 1) }

  /// The path without symbolic links.
  public var location: String { anchor.path }
  /// The folder, which is to be the same one as long as the calendar is used.
  let anchor: FolderAnchor
  let purpose: LocalCalendars.Purpose

  /// Opens a folder.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if there is no folder and none is to be made.
  public init(path: String, for purpose: LocalCalendars.Purpose) throws(StoreError) {
    if purpose == .creating { try FolderPath.create(path, mode: 0o777) }
    anchor = try FolderAnchor(try FolderPath.canonical(path))
    self.purpose = purpose
  }

  /// What the folder says of itself.
  var folderProperties: FolderProperties {
    FolderProperties(anchor: anchor, isReadOnly: purpose == .reading)
  }

  /// Reads every file, in the order of their names.
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

  /// The item of a file, why it is none, or nil for a folder.
  func read(
    _ name: String, in folder: borrowing OpenFolder, form: NormalForm = NormalForm(),
    known: LocalRecord? = nil
  ) -> Result<LocalEntry, UnreadableItem>? {
    do throws(StoreError) {
      return try folder.item(name, in: form, known: known)
    } catch {
      // Nearly everything is a file: what else there is, is found out where it cannot be read.
      if (try? folder.status(of: name))?.kind == .folder { return nil }
      return .failure(UnreadableItem(reason: error.message))
    }
  }

  /// Makes the changes, each on its own condition, and then all of them durable at once; more than there
  /// may be files open, part by part.
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

  /// Makes some changes.
  ///
  /// The files of all changes are written before the first is made durable, and made durable before the
  /// first gets its name: the disk then writes them in one go.
  private func apply(
    _ changes: ArraySlice<LocalChange>, in folder: borrowing OpenFolder
  ) throws(StoreError) -> [LocalOutcome] {
    let prepared = changes.map { PreparedChange($0, in: folder) }
    // Of many files the whole file system is told at once: each alone would be a write of its own.
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
      // A file of that name may hold another item, because people rename and copy files.
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
