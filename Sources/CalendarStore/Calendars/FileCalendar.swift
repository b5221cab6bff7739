// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// A single `.ics` file as a calendar: components with the same UID form an item.
///
/// - The file is read once and written once for a batch of changes, so that the time is linear in
///   the size of the file.
/// - Unchanged parts are written back byte for byte. That includes components without a UID and of
///   unknown kinds, which are not items.
/// - A file that is truncated or is not a calendar is an error: nothing is read from it or written
///   to it.
/// - A missing file is an empty calendar; the first change creates it.
///
/// ```swift
/// let file = try FileCalendar(path: path, for: .writing)
/// let outcomes = try file.apply([.create(item)])
/// ```
///
/// No operation suspends. A sync calls the same operations through the asynchronous protocol
/// `LocalCalendar`.
public struct FileCalendar: Sendable {
  /// The maximum size of a calendar file, in bytes.
  private static let sizeLimit = 512 << 20
  /// The maximum number of attempts when other programs write the file concurrently.
  private static let attemptLimit = 3

  /// The path without symbolic links.
  public let location: String
  /// The folder of the file, which is to be the same one as long as the calendar is used.
  let anchor: FolderAnchor
  private let purpose: LocalCalendars.Purpose

  /// Opens a file, which need not exist.
  ///
  /// - Throws: `StoreError`; with the code `.notFound` if its folder does not exist.
  public init(path: String, for purpose: LocalCalendars.Purpose) throws(StoreError) {
    self.purpose = purpose
    let place = FilePlace(path)
    if purpose == .creating { try FolderPath.create(place.folder, mode: 0o777) }
    let folder = try OpenFolder(try FolderPath.canonical(place.folder))
    // A symbolic link is the user's choice; its target is the calendar.
    location =
      try folder.status(of: place.name)?.kind == .symbolicLink
      ? try FolderPath.canonical(path) : folder.path(of: place.name)
    anchor = try FolderAnchor(FilePlace(location).folder)
  }

  /// Reads all items, in file order.
  public func scan() throws -> LocalListing {
    let place = FilePlace(location)
    let folder = try anchor.open()
    if purpose != .reading { try folder.removeLeftOvers() }
    let bytes = try bytes(of: place, in: folder)
    try anchor.check()
    return try document(of: bytes).listing()
  }

  /// Returns the contents, and reads the file only if its status has changed.
  ///
  /// If the file was changed during the survey or less than two seconds before it, the next survey
  /// reads it again, because some file systems cannot distinguish two versions within that time.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) throws -> LocalSurvey {
    let before = try status()
    let known = FolderSnapshot(snapshot, form: form, of: anchor.identity)
    if let snapshot = known.snapshot, let before, before.kind == .file,
      known.current?.stamp == FileStamp(before)
    {
      return LocalSurvey(isUnchanged: true, snapshot: snapshot) { known.records() }
    }
    let listing = try scan()
    let records = listing.entries.map { entry in
      LocalRecord(
        name: entry.name, revision: entry.revision, uid: entry.item.uid,
        fingerprint: entry.item.normalized(by: form).fingerprint)
    }
    // All records have the same file status; a concurrent write changes it.
    var stamp = FileStamp.none
    if let before, listing.unreadable.isEmpty, !before.isDoubtful(at: now) {
      stamp = FileStamp(before)
    }
    let size = records.reduce(0) { $0 + FolderSnapshot.Writer.size(of: $1) }
    var writer = FolderSnapshot.Writer(form: form, of: anchor.identity, size: size)
    for record in records { writer.append(record, stamp) }
    let isUnchanged =
      known.snapshot != nil && listing.unreadable.isEmpty && known.records() == records
    return LocalSurvey(
      isUnchanged: isUnchanged, unreadable: listing.unreadable, snapshot: writer.snapshot
    ) { records }
  }

  /// Reads the items with these UIDs; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) throws -> LocalListing {
    guard !names.isEmpty else { return LocalListing() }
    let wanted = Set(names)
    var listing = try scan()
    listing.entries = listing.entries.filter { wanted.contains($0.name) }.map { entry in
      LocalEntry(
        name: entry.name, revision: entry.revision, item: entry.item.normalized(by: form))
    }
    listing.unreadable.removeAll { !wanted.contains($0.name) }
    return listing
  }

  /// Whether a snapshot is of a file in this very folder, and not in another one that had its path.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool {
    FolderSnapshot.isOf(anchor.identity, snapshot)
  }

  /// The status of the file, or nil if there is none.
  private func status() throws(StoreError) -> FileStatus? {
    try anchor.open().status(of: FilePlace(location).name)
  }

  /// Applies the changes whose conditions hold, with a single rewrite of the file.
  public func apply(_ changes: [LocalChange]) throws -> [LocalOutcome] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    guard !changes.isEmpty else { return [] }
    let place = FilePlace(location)
    let folder = try anchor.open()
    try folder.lock()
    defer { folder.unlock() }
    for _ in 0..<Self.attemptLimit {
      let before = try bytes(of: place, in: folder)
      var document = try document(of: before)
      let outcomes = changes.map { document.make($0) }
      guard document.isChanged else { return outcomes }
      let after = document.bytes()
      guard try write(after, to: place, in: folder, if: before) else { continue }
      try folder.synchronize()
      try anchor.check()
      return outcomes.map { document.resolved($0) }
    }
    return changes.map { _ in .conditionFailed }
  }

  /// The outcomes of changes, and the bytes of the file before and after them, without writing.
  ///
  /// It returns nil if nothing is changed.
  func outcomes(
    of changes: [LocalChange]
  ) throws -> (outcomes: [LocalOutcome], before: [UInt8]?, after: [UInt8])? {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    guard !changes.isEmpty else { return nil }
    let before = try bytes(of: FilePlace(location), in: try anchor.open())
    try anchor.check()
    var document = try document(of: before)
    let outcomes = changes.map { document.make($0) }
    return (outcomes, before, document.bytes())
  }

  /// The bytes of the file, or nil if it does not exist.
  private func bytes(
    of place: FilePlace, in folder: borrowing OpenFolder
  ) throws(StoreError) -> [UInt8]? {
    guard try folder.status(of: place.name) != nil else { return nil }
    return try folder.openFile(place.name).readAll(limit: Self.sizeLimit)
  }

  private func document(of bytes: [UInt8]?) throws(StoreError) -> CalendarDocument {
    guard let bytes else { return CalendarDocument() }
    do throws(ItemError) {
      return try CalendarDocument(parsing: bytes)
    } catch {
      throw StoreError(code: .notCalendar, path: location, message: error.description)
    }
  }

  /// Writes the file if its bytes have not changed since they were read.
  private func write(
    _ bytes: [UInt8], to place: FilePlace, in folder: borrowing OpenFolder, if before: [UInt8]?
  ) throws(StoreError) -> Bool {
    guard let before else {
      return try folder.create(place.name, with: bytes, permissions: .shared)
    }
    return try folder.replace(place.name, with: bytes, permissions: .shared) {
      (folder: borrowing OpenFolder) throws(StoreError) in
      try self.bytes(of: place, in: folder) == before
    }
  }
}
