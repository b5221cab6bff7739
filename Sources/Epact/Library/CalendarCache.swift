// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The items of a calendar in memory, of which only changed files are read again.
///
/// A query for some items of a folder reads only their files, if the index on disk has the others.
struct CalendarCache: Sendable {
  private let path: String
  private let isFile: Bool
  private let knownNames: KnownNames
  private var folder: CachedFolder
  /// The status of the single file.
  private var whole: FileVersion?
  /// Whether several files hold the same UID.
  private var hasDoubles = false
  private var items: [UID: CachedItem] = [:]
  /// The items of the last call of ``contents(_:at:)``; nil if some have changed.
  private var lastEntries: [UID: LocalEntry]?
  /// The files that the last refresh could not read as items.
  private(set) var unreadable: [UnreadableEntry] = []
  private var index = TimeIndex()
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
    knownNames = names
    path = location.path
    isFile = location.isFile
    folder = CachedFolder(location.path, watcher: watcher, indexFile: indexFile)
  }

  // MARK: Queries

  /// Lists a folder and takes the items of unchanged files from the index, for the first query.
  ///
  /// It reads few files or none.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  /// - Returns: The files.
  /// - Throws: `StoreError`.
  mutating func survey(_ form: NormalForm, at now: Instant) throws -> [FileVersion] {
    if isFile {
      return [try FileCalendar(path: path, for: .reading).file(at: now)].compactMap(\.self)
    }
    let calendar = try folder.survey(form, at: now, usesIndex: true)
    if generation > 0 || folder.isNearlyRead { try settle(form, calendar, needsAll: false) }
    return folder.files.map(\.version)
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
      try refreshFile(try FileCalendar(path: path, for: .reading), form, at: now)
    } else {
      let calendar = try folder.survey(form, at: now, usesIndex: usesIndex)
      try settle(form, calendar, needsAll: !usesIndex)
    }
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
    while case let names = folder.unreadNames, !names.isEmpty { try read(names, form) }
    let entries = lastEntries ?? items.compactMapValues(\.entry)
    lastEntries = entries
    return LibraryContents(
      calendar: calendar, entries: entries, unreadable: unreadable, generation: generation,
      index: index)
  }

  /// The items of some kinds that may have occurrences in a range of time, in the order of their
  /// start.
  ///
  /// - Parameters:
  ///   - range: The range of time; nil for all items, in any order.
  ///   - kinds: The kinds; empty for all.
  ///   - isWanted: The UIDs of the items.
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  /// - Returns: The items.
  /// - Throws: `StoreError`.
  mutating func entries(
    in range: Range<Instant>?, of kinds: Set<ItemKind>, where isWanted: (UID) -> Bool,
    _ form: NormalForm, at now: Instant
  ) throws -> [LocalEntry] {
    try refresh(form, at: now, usesIndex: true)
    while true {
      let uids = range.map { index.items(in: $0) } ?? Array(items.keys)
      let found = uids.compactMap { items[$0] }
        .filter { kinds.isEmpty || kinds.contains($0.summary.kind) }
        .filter { isWanted($0.summary.uid) }
      let unread = found.filter { $0.entry == nil }
      guard !unread.isEmpty else {
        if !isFile { folder.saveIndex(form) }
        return found.compactMap(\.entry)
      }
      // A file may have changed since the survey, so that other items are found next.
      try read(unread.map(\.name), form)
    }
  }

  /// The item with a UID.
  mutating func entry(_ uid: UID, _ form: NormalForm, at now: Instant) throws -> LocalEntry? {
    try refresh(form, at: now, usesIndex: true)
    while let item = items[uid], item.entry == nil { try read([item.name], form) }
    if !isFile { folder.saveIndex(form) }
    return items[uid]?.entry
  }

  /// The facts about all items, of which no unchanged file is read.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time.
  /// - Returns: The facts, in any order.
  /// - Throws: `StoreError`.
  mutating func summaries(_ form: NormalForm, at now: Instant) throws -> [ItemSummary] {
    try refresh(form, at: now, usesIndex: true)
    if !isFile { folder.saveIndex(form) }
    return items.values.map(\.summary)
  }

  /// Whether the last refresh found an item.
  func contains(_ uid: UID) -> Bool { items[uid] != nil }

  // MARK: One file

  private mutating func refreshFile(
    _ calendar: FileCalendar, _ form: NormalForm, at now: Instant
  ) throws {
    let version = try calendar.file(at: now)
    if generation > 0 {
      if let version, let whole, version.isCertainlySame(as: whole) { return }
      if version == nil, whole == nil { return }
    }
    let listing = try calendar.scan()
    whole = version
    let work = ThreadedWork<[LocalEntry], [CachedItem]> { [items] entries in
      entries.map { entry in
        if let known = items[entry.item.uid], known.name == entry.name,
          known.summary.revision == entry.revision
        {
          return known
        }
        return CachedItem(
          LocalEntry(
            name: entry.name, revision: entry.revision, item: entry.item.normalized(by: form)))
      }
    }
    var found: [UID: CachedItem] = [:]
    let read = work.run(listing.entries, inPortionsOf: CachedFolder.portion)
    for item in read.joined() { found[item.summary.uid] = item }
    take(found, listing.unreadable)
  }

  // MARK: A folder

  /// Reads files whose items the index had.
  private mutating func read(_ names: [String], _ form: NormalForm) throws {
    folder.want(names)
    try settle(form, nil, needsAll: true)
  }

  /// Reads the files that a survey doubted or a query wants, and takes their changes.
  private mutating func settle(
    _ form: NormalForm, _ calendar: FolderCalendar?, needsAll: Bool
  ) throws {
    let isRelisted = folder.isUndecodableChanged
    let read = try folder.read(form, from: calendar, needsAll: needsAll)
    let changes = read.filter { !$0.isNone }
    if generation == 0 || isRelisted || (!changes.isEmpty && !apply(changes)) {
      collect()
    }
    for case .success(let item)? in read.map(\.current) where item.entry != nil {
      // Of files with the same UID, the other one may be the item.
      guard let known = items[item.summary.uid], known.entry == nil, known.isSame(as: item) else {
        continue
      }
      items[item.summary.uid] = item
      lastEntries = nil
    }
  }

  /// Applies changes of a few files, or returns false if two files have the same UID.
  private mutating func apply(_ changes: [FileContentChange]) -> Bool {
    guard !hasDoubles, !changes.contains(where: \.concernsUnreadable) else { return false }
    let removed = Set(changes.compactMap { try? $0.old?.get().summary.uid })
    let added = changes.compactMap { try? $0.new?.get() }
    guard Set(added.map(\.summary.uid)).count == added.count,
      added.allSatisfy({ removed.contains($0.summary.uid) || items[$0.summary.uid] == nil })
    else { return false }
    index.replace(removed, by: added.map(\.summary))
    for uid in removed { items[uid] = nil }
    for item in added { items[item.summary.uid] = item }
    lastEntries = nil
    generation += 1
    return true
  }

  /// Gives each UID to one file, which is the item also for syncs.
  private mutating func collect() {
    var found: [UID: CachedItem] = [:]
    found.reserveCapacity(folder.files.count)
    var shared: [UID: [String]] = [:]
    for case .success(let item)? in folder.files.lazy.map(\.content) {
      let uid = item.summary.uid
      if let first = found[uid] {
        shared[uid, default: [first.name]].append(item.name)
      } else {
        found[uid] = item
      }
    }
    hasDoubles = !shared.isEmpty
    let names = hasDoubles ? chosenNames(among: shared) : [:]
    var unreadable = folder.undecodable
    for file in folder.files {
      switch file.content {
      case nil: break
      case .failure(let reason)?:
        unreadable.append(UnreadableEntry(name: file.version.name, reason: reason.reason))
      case .success(let item)?:
        let uid = item.summary.uid
        guard let chosen = names[uid] else { break }
        if item.name == chosen {
          found[uid] = item
        } else {
          unreadable.append(UnreadableEntry(item.name, sharing: uid, with: chosen))
        }
      }
    }
    take(found, unreadable)
  }

  /// The names of the files that are the items.
  ///
  /// A ledger that cannot be read does not prevent reading; an edit needs the ledger in any case.
  private func chosenNames(among shared: [UID: [String]]) -> [UID: String] {
    let calendar = try? FolderCalendar(path: path, for: .reading, knowing: knownNames)
    if let names = try? calendar?.items(among: shared) { return names }
    return shared.compactMapValues { SharedUID.item(among: $0, known: []) }
  }

  // MARK: Items

  /// Replaces all items, and updates the index of those that differ.
  private mutating func take(_ found: [UID: CachedItem], _ unreadable: [UnreadableEntry]) {
    var changed: Set<UID> = []
    var added: [ItemSummary] = []
    for (uid, item) in found {
      let known = items[uid]
      if let known, known.isSame(as: item) { continue }
      if known != nil { changed.insert(uid) }
      added.append(item.summary)
    }
    if found.count - added.count + changed.count < items.count {
      for uid in items.keys where found[uid] == nil { changed.insert(uid) }
    }
    let isSame = changed.isEmpty && added.isEmpty && self.unreadable == unreadable
    guard !isSame || generation == 0 else { return }
    index.replace(changed, by: added)
    items = found
    lastEntries = nil
    self.unreadable = unreadable
    generation += 1
  }
}
