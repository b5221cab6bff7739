// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime
import ICalSyntax

/// A folder of `.ics` files with one item each, as in khal, todoman and vdirsyncer (vdir).
///
/// - A file in the folder whose name ends in `.ics` is an item. Hidden files, files with other
///   extensions (`displayname`, `color`, `….tmp`) and folders are ignored.
/// - A file that is not exactly one item, such as an empty file or a link, is *unreadable*. Because
///   its earlier contents are unknown, it never counts as deleted. Of two files with the same UID,
///   the one that a sync knows is the item, or else the one that `SharedUID` chooses.
/// - A new item is named by `ItemName`; an existing item keeps its name.
/// - Files are never modified in place, and the file of an unchanged item is not written.
///
/// ```swift
/// let folder = try FolderCalendar(path: path, for: .writing)
/// for entry in try folder.scan().entries { print(entry.name, entry.item.title) }
/// ```
///
/// No operation suspends. A sync calls the same operations through the asynchronous protocol
/// `LocalCalendar`.
public struct FolderCalendar: Sendable {
  /// The path without symbolic links.
  public var location: String { anchor.path }
  /// The folder, which is to be the same one as long as the calendar is used.
  let anchor: FolderAnchor
  let purpose: LocalCalendars.Purpose
  private let knownNames: KnownNames

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - purpose: The purpose for which it is opened.
  ///   - names: The names by which syncs know items, for files with the same UID.
  /// - Throws: `StoreError`; with the code `.notFound` if the folder does not exist and must not be
  ///   created.
  public init(
    path: String, for purpose: LocalCalendars.Purpose, knowing names: KnownNames = .none
  ) throws(StoreError) {
    if purpose == .creating { try FolderPath.create(path, mode: 0o777) }
    anchor = try FolderAnchor(try FolderPath.canonical(path))
    self.purpose = purpose
    knownNames = names
  }

  /// The name, colour, description and order of the calendar, in files of the folder.
  public var folderProperties: FolderProperties {
    FolderProperties(anchor: anchor, isReadOnly: purpose == .reading)
  }

  /// Reads all files, in order of their names.
  ///
  /// - Throws: `StoreError` if the folder cannot be listed; `CancellationError` in a cancelled
  ///   task; an error of the names that syncs know.
  public func scan() throws -> LocalListing {
    let folder = try anchor.open()
    if purpose != .reading { try folder.removeLeftOvers() }
    let (names, undecodable) = try folder.names()
    var listing = LocalListing()
    listing.unreadable = undecodable.filter({ OpenFolder.isItemName($0.utf8) }).map {
      UnreadableEntry(name: $0, reason: "the name of the file is not UTF-8")
    }
    var namesOfUID: [UID: [String]] = [:]
    for name in names where OpenFolder.isItemName(name.utf8) {
      try Task.checkCancellation()
      switch read(name, in: folder) {
      case nil: continue
      case .failure(let unreadable)?:
        listing.unreadable.append(UnreadableEntry(name: name, reason: unreadable.reason))
      case .success(let entry)?:
        namesOfUID[entry.item.uid, default: []].append(name)
        listing.entries.append(entry)
      }
    }
    try anchor.check()
    try leaveOutDoubles(of: &listing, namesOfUID)
    return listing
  }

  /// The files that are the items of UIDs that several files hold.
  ///
  /// - Parameter names: The names of the files with each UID.
  /// - Returns: The name of the item's file for each UID.
  /// - Throws: An error of the names that syncs know.
  package func items(among names: [UID: [String]]) throws -> [UID: String] {
    try knownNames.items(among: names, in: location)
  }

  /// Moves the entries whose UID belongs to the item in another file to the unreadable ones.
  private func leaveOutDoubles(
    of listing: inout LocalListing, _ names: [UID: [String]]
  ) throws {
    guard names.count < listing.entries.count else { return }
    let items = try items(among: names.filter { $0.value.count > 1 })
    let doubles = listing.entries.compactMap { entry in
      items[entry.item.uid].flatMap { item in
        item == entry.name
          ? nil : UnreadableEntry(entry.name, sharing: entry.item.uid, with: item)
      }
    }
    let left = Set(doubles.map(\.name))
    listing.entries.removeAll { left.contains($0.name) }
    listing.unreadable += doubles
  }

  /// The item in a file, the reason why it is unreadable, or nil for a folder.
  func read(
    _ name: String, in folder: borrowing OpenFolder, form: NormalForm = NormalForm(),
    known: KnownItem? = nil
  ) -> Result<LocalEntry, UnreadableItem>? {
    do throws(StoreError) {
      return try folder.item(name, in: form, known: known)
    } catch {
      // Most entries are files, so the kind is checked only after a failure.
      if (try? folder.status(of: name))?.kind == .folder { return nil }
      return .failure(UnreadableItem(reason: error.message))
    }
  }

  // MARK: Surveys

  /// Returns the contents, and reads only the files whose status has changed.
  ///
  /// If a file was changed during the survey or less than two seconds before it, the next survey
  /// reads it again, because some file systems cannot distinguish two versions within that time.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) throws -> LocalSurvey {
    let folder = try anchor.open()
    let listing = try listing(at: now)
    var walk = FolderWalk(
      known: FolderSnapshot(snapshot, form: form, of: anchor.identity),
      undecodable: listing.undecodable)
    let names = listing.names
    if purpose != .reading, names.indices.contains(where: { TemporaryFile.isName(names[$0]) }) {
      try folder.removeLeftOvers()
    }
    for file in listing.files where !walk.keep(names[file.place], file.version) {
      try Task.checkCancellation()
      let name = String(decoding: names[file.place], as: UTF8.self)
      // If the status is not available, reading the file reports the reason.
      switch read(name, in: folder, form: form) {
      case nil: continue
      case .failure(let unreadable)?: walk.addUnreadable(name, unreadable.reason)
      case .success(let entry)?: walk.add(LocalRecord(entry), file.version)
      }
    }
    try anchor.check()
    return try walk.survey(form: form, of: anchor, knowing: knownNames)
  }

  /// Whether a snapshot is one of this very folder, and not of another one that had its path.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool {
    FolderSnapshot.isOf(anchor.identity, snapshot)
  }

  /// Returns a snapshot since which the next survey reports some files as changed in any case.
  public func snapshot(
    _ snapshot: LocalSnapshot, doubting items: [String: UID]
  ) -> LocalSnapshot? {
    FolderSnapshot(snapshot)?.doubting(items)
  }

  /// Reads the files with these names; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) throws -> LocalListing {
    try read(names.map { ($0, nil) }, in: form)
  }

  /// Reads the files of these records; missing ones are skipped.
  public func read(_ records: [LocalRecord], in form: NormalForm) throws -> LocalListing {
    try read(records.map { ($0.name, .record($0)) }, in: form)
  }

  /// Reads files of which the revision may be known; missing ones are skipped.
  package func read(_ files: [KnownFile], in form: NormalForm) throws -> LocalListing {
    let files = files.map { file -> (name: String, known: KnownItem?) in
      (file.name, file.revision.map { .file(file.stamp, $0) })
    }
    return try read(files, in: form)
  }

  /// Whether a file still has the bytes of a revision; no item is parsed.
  package func isUnchanged(_ name: String, since revision: Revision) throws -> Bool {
    try isUnchanged(name, since: revision, in: try anchor.open())
  }

  private func read(
    _ files: [(name: String, known: KnownItem?)], in form: NormalForm
  ) throws -> LocalListing {
    guard !files.isEmpty else { return LocalListing() }
    let folder = try anchor.open()
    var listing = LocalListing()
    listing.entries.reserveCapacity(files.count)
    for (name, known) in files {
      try Task.checkCancellation()
      switch read(name, in: folder, form: form, known: known) {
      case nil: continue
      case .failure(let unreadable)?:
        guard try folder.status(of: name) != nil else { continue }
        listing.unreadable.append(UnreadableEntry(name: name, reason: unreadable.reason))
      case .success(let entry)?: listing.entries.append(entry)
      }
    }
    try anchor.check()
    return listing
  }
}

/// Access to the files of a folder as items, for `FolderCalendar` and `FolderAppender`.
extension OpenFolder {
  /// The maximum size of an item's file, equal to the parser's limit for a component.
  private static let itemSizeLimit = 64 << 20

  /// Whether a name can be that of an item: not hidden, and ending in `.ics`.
  static func isItemName(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.first != 0x2E && LocalCalendars.hasItemEnding(name)
  }

  func itemBytes(_ name: String) throws(StoreError) -> [UInt8] {
    try openFile(name).readAll(limit: Self.itemSizeLimit)
  }

  /// Reads a file as one item, or returns the reason why it is not one.
  ///
  /// A known revision or fingerprint of the same content replaces the computation.
  func item(
    _ name: String, in form: NormalForm = NormalForm(), known: KnownItem? = nil
  ) throws(StoreError) -> Result<LocalEntry, UnreadableItem> {
    let file = try openFile(name)
    let bytes = try file.readAll(limit: Self.itemSizeLimit)
    guard !bytes.isEmpty else {
      return .failure(UnreadableItem(reason: "the file is empty, as after a power failure"))
    }
    let revision = try known?.revision(of: file) ?? Revision(of: bytes)
    do throws(ItemError) {
      let item = try CalendarItem(
        parsing: bytes, normalForm: form, fingerprint: known?.fingerprint(of: revision))
      return .success(LocalEntry(name: name, revision: revision, item: item))
    } catch {
      return .failure(UnreadableItem(reason: error.description))
    }
  }
}

/// The facts about an item that are known before its file is read.
enum KnownItem {
  /// A record of an earlier reading.
  case record(LocalRecord)
  /// The revision of the file while it has a status, which certainly changes with the content.
  case file(FileStamp, Revision)

  /// The revision of a file that was read; nil if only its bytes can tell.
  ///
  /// The status after the reading counts, so that the file did not change during it.
  func revision(of file: borrowing OpenFile) throws(StoreError) -> Revision? {
    guard case .file(let stamp, let revision) = self else { return nil }
    return try FileStamp(file.status()) == stamp ? revision : nil
  }

  /// The fingerprint of the item at a revision; nil if it is not known.
  func fingerprint(of revision: Revision) -> Fingerprint? {
    guard case .record(let record) = self else { return nil }
    return record.revision == revision ? record.fingerprint : nil
  }
}

/// The reason why a file is not a valid item.
struct UnreadableItem: Error {
  let reason: String
}

extension Revision {
  /// Creates the revision of a file or item from its bytes.
  package init(of bytes: [UInt8]) {
    self.init(SHA256.digest(of: bytes).description)
  }
}
