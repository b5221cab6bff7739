// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The items of a calendar in memory, of which only changed files are read again.
///
/// A query for some items of a folder reads only their files, if the index on disk has the others.
struct CalendarCache: Sendable {
  /// The maximum number of items of which all are kept in memory, if a query needs only some.
  private static let keptLimit = 20_000

  private let path: String
  private let isFile: Bool
  private var folder: IndexedFolder
  /// The items of a calendar in one file.
  private var fileItems = ItemTable()
  /// The version of the single file.
  private var whole: FileVersion?
  /// The items that were read, by their rows.
  private var entries: [Int: LocalEntry] = [:]
  /// The items of the last call of ``contents(_:at:of:)``; nil if some have changed.
  private var lastEntries: [UID: LocalEntry]?
  /// The files that the last refresh could not read as items.
  private(set) var unreadable: [UnreadableEntry] = []
  /// The number of refreshes that changed an item; 0 before the first one.
  private(set) var generation = 0

  /// Creates a cache that has read nothing.
  ///
  /// - Parameters:
  ///   - location: The calendar.
  ///   - watcher: The watcher that reports changes in a folder.
  ///   - indexFile: The index of a folder on disk; nil for none.
  ///   - names: The names by which syncs know items, for files with the same UID.
  init(
    of location: CalendarLocation, watcher: FolderWatcher, indexFile: FolderIndexFile?,
    knowing names: KnownNames
  ) {
    path = location.path
    isFile = location.isFile
    folder = IndexedFolder(
      location.path, watcher: watcher, indexFile: indexFile, knowing: names)
  }

  private var table: ItemTable { isFile ? fileItems : folder.table }

  // MARK: Queries

  /// Lists a folder and takes the items of unchanged files from the index, for the first query.
  ///
  /// It reads few files or none.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  /// - Returns: A number that differs after a change of a file's status, in this process.
  /// - Throws: `StoreError`.
  mutating func survey(_ form: NormalForm, at now: Instant) throws -> Int {
    if isFile { return try FileCalendar(path: path, for: .reading).file(at: now).hashValue }
    drop(try folder.survey(form, at: now, usesIndex: true))
    let isNearlyRead = folder.table.staleCount <= IndexedFolder.portion
    if generation > 0 || (folder.table.itemCount > 0 && isNearlyRead) {
      try settle(form, keepsItems: true)
    }
    return folder.table.statusHash
  }

  /// Finds the changes since the last call, and reads the files that may have changed.
  ///
  /// If the system reports all changes in a folder, only the reported files are looked at.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time: files changed in the last two seconds are read again next time.
  ///   - usesIndex: Whether the first call takes items from the index on disk.
  /// - Throws: `StoreError`.
  mutating func refresh(_ form: NormalForm, at now: Instant, usesIndex: Bool = false) throws {
    if isFile {
      return try refreshFile(try FileCalendar(path: path, for: .reading), form, at: now)
    }
    drop(try folder.survey(form, at: now, usesIndex: usesIndex))
    try settle(form, keepsItems: !usesIndex || folder.table.staleCount <= Self.keptLimit)
  }

  /// All items, and the files that are none.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  ///   - calendar: The calendar.
  /// - Returns: The contents.
  /// - Throws: `StoreError`.
  mutating func contents(
    _ form: NormalForm, at now: Instant, of calendar: CalendarInfo
  ) throws -> LibraryContents {
    try refresh(form, at: now)
    let known = try read(ItemSelection(), form)
    let all =
      lastEntries
      ?? Dictionary(known.map { ($0.item.uid, $0) }) { first, _ in first }
    lastEntries = all
    return LibraryContents(
      calendar: calendar, entries: all, unreadable: unreadable, generation: generation,
      items: table)
  }

  /// The items of some kinds that may have occurrences in a range of time, in the order of their
  /// start.
  ///
  /// - Parameters:
  ///   - query: The range and the kinds of the items.
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  /// - Returns: The items.
  /// - Throws: `StoreError`.
  mutating func entries(
    _ query: ItemSelection, _ form: NormalForm, at now: Instant
  ) throws -> [LocalEntry] {
    try refresh(form, at: now, usesIndex: true)
    let found = try read(query, form)
    if !isFile {
      folder.saveIndex(form)
      if lastEntries == nil, entries.count > Self.keptLimit { entries = [:] }
    }
    return found
  }

  /// The facts about some items, of which no unchanged file is read.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  ///   - isFitting: Whether an item is wanted, by the bytes of its UID or its titles.
  /// - Returns: The facts, in order of the files' names.
  /// - Throws: `StoreError`.
  mutating func summaries(
    _ form: NormalForm, at now: Instant, where isFitting: (Span<UInt8>) -> Bool
  ) throws -> [ItemSummary] {
    try refresh(form, at: now, usesIndex: true)
    if !isFile { folder.saveIndex(form) }
    let table = table
    return table.rows(in: nil).filter { table.hasName($0, where: isFitting) }.compactMap(
      table.summary)
  }

  /// The number of items, of which no unchanged file is read.
  ///
  /// - Throws: `StoreError`.
  mutating func count(_ form: NormalForm, at now: Instant) throws -> Int {
    try note(form, at: now)
    return table.itemCount
  }

  /// Calls a function with the index of a folder, in which all changes are noted.
  ///
  /// - Throws: `StoreError`.
  mutating func withFolder<Result>(
    _ form: NormalForm, at now: Instant, _ body: (inout IndexedFolder) -> Result
  ) throws -> Result {
    try note(form, at: now)
    return body(&folder)
  }

  /// Finds the changes since the last call, and notes them without keeping items.
  ///
  /// - Throws: `StoreError`.
  mutating func note(_ form: NormalForm, at now: Instant) throws {
    if isFile {
      return try refreshFile(try FileCalendar(path: path, for: .reading), form, at: now)
    }
    drop(try folder.survey(form, at: now, usesIndex: true))
    try settle(form, keepsItems: false)
    folder.saveIndex(form)
  }

  /// Whether the last refresh found an item.
  mutating func contains(_ uid: UID) -> Bool { row(of: uid) != nil }

  private mutating func row(of uid: UID) -> Int? {
    isFile ? fileItems.row(of: uid) : folder.table.row(of: uid)
  }

  // MARK: Items

  /// The items of a query; reads those that the index had.
  private mutating func read(_ query: ItemSelection, _ form: NormalForm) throws -> [LocalEntry] {
    while true {
      let rows = isFile ? query.rows(in: &fileItems) : query.rows(in: &folder.table)
      let unread = rows.filter { entries[$0] == nil }
      guard !unread.isEmpty, !isFile else { return rows.compactMap { entries[$0] } }
      // A file may have changed since the survey, so that other items are found next.
      take(unread, try folder.read(unread, form, keepsItems: true))
    }
  }

  /// Reads the files that a survey doubted.
  private mutating func settle(_ form: NormalForm, keepsItems: Bool) throws {
    let stale = folder.table.staleRows
    take(stale, try folder.read(stale, form, keepsItems: keepsItems))
  }

  private mutating func drop(_ rows: [Int]) {
    for row in rows { entries[row] = nil }
  }

  private mutating func take(_ rows: [Int], _ read: [LocalEntry?]) {
    for (row, entry) in zip(rows, read) { entries[row] = entry }
    guard folder.takeChange() || generation == 0 else { return }
    unreadable = folder.unreadable()
    lastEntries = nil
    generation += 1
  }

  // MARK: One file

  private mutating func refreshFile(
    _ calendar: FileCalendar, _ form: NormalForm, at now: Instant
  ) throws {
    let version = try calendar.file(at: now)
    if generation > 0, version.isCertainlySame(as: whole) { return }
    let listing = try calendar.scan()
    whole = version
    let known = Dictionary(entries.values.map { ($0.name, $0) }) { first, _ in first }
    let read = listing.entries.mapPortions(of: IndexedFolder.portion) { found in
      found.map { entry -> (LocalEntry, ItemSummary) in
        if let old = known[entry.name], old.revision == entry.revision {
          return (old, ItemSummary(old))
        }
        let item = entry.item.normalized(by: form)
        let entry = LocalEntry(name: entry.name, revision: entry.revision, item: item)
        return (entry, ItemSummary(entry))
      }
    }.flatMap(\.self)
    let isSame =
      read.count == known.count && listing.unreadable == unreadable
      && read.allSatisfy { known[$0.0.name]?.revision == $0.0.revision }
    guard !isSame || generation == 0 else { return }
    fileItems = ItemTable(read.map { ($0.0.name, $0.1) })
    entries = Dictionary(
      read.compactMap { entry, _ in fileItems.row(of: entry.item.uid).map { ($0, entry) } }
    ) { first, _ in first }
    unreadable = listing.unreadable
    lastEntries = nil
    generation += 1
  }
}

/// The items that a query of a calendar wants.
struct ItemSelection {
  /// The range of time in which they may have occurrences; nil for all.
  var range: Range<Instant>?
  /// The kinds; empty for all.
  var kinds: Set<ItemKind> = []
  /// The UIDs; nil for all.
  var uids: Set<UID>?
  /// Whether reminders that are closed and have no relation to others are left out.
  var omitsSettled = false
  /// A further condition on the UID.
  var isWanted: ((UID) -> Bool)?

  /// The rows of the items.
  func rows(in table: inout ItemTable) -> [Int] {
    if let uids {
      return uids.sorted().compactMap { table.row(of: $0) }
    }
    let found = table.rows(in: range, of: kinds)
    guard omitsSettled || isWanted != nil else { return found }
    return found.filter { row in
      !(omitsSettled && table.isSettled(row)) && isWanted?(table.uid(row)) ?? true
    }
  }
}
