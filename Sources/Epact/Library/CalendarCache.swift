// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The items of a calendar in memory, of which only changed files are read again.
struct CalendarCache: Sendable {
  /// A file of a folder with its content.
  ///
  /// It is a class, because lists of thousands of files are copied after each change.
  private final class File: Sendable {
    let version: FileVersion
    /// The item, or the reason why there is none.
    let content: Result<LocalEntry, Unreadable>

    init(version: FileVersion, content: Result<LocalEntry, Unreadable>) {
      self.version = version
      self.content = content
    }
  }

  /// The content of a file before and after a change; nil if there is no file.
  private struct Change {
    let old: Result<LocalEntry, Unreadable>?
    let new: Result<LocalEntry, Unreadable>?

    /// Whether both contents are the same.
    var isNone: Bool {
      switch (old, new) {
      case (.success(let old)?, .success(let new)?): old.isSame(as: new)
      case (.failure(let old)?, .failure(let new)?): old.reason == new.reason
      case (nil, nil): true
      default: false
      }
    }

    /// The content after the change: the known one if it is the same.
    var current: Result<LocalEntry, Unreadable>? { isNone ? old : new }

    /// Whether one of the contents is not an item.
    var concernsUnreadable: Bool {
      [old, new].contains { if case .failure? = $0 { true } else { false } }
    }
  }

  private struct Unreadable: Error {
    let reason: String
  }

  /// The number of items that one thread reads or examines at a time.
  private static let portion = 64

  private let path: String
  private let isFile: Bool
  private let watcher: FolderWatcher
  /// The changes in the folder since all of it was read; nil if they are not known.
  private var events: FolderEvents?
  /// The files of a folder, in order of their names.
  private var files: [File] = []
  /// The status of the single file.
  private var whole: FileVersion?
  private var undecodable: [UnreadableEntry] = []
  /// Whether several files hold the same UID.
  private var hasDoubles = false
  private(set) var entries: [UID: LocalEntry] = [:]
  private(set) var unreadable: [UnreadableEntry] = []
  private(set) var index = TimeIndex()
  /// The number of refreshes that changed an item; 0 before the first one.
  private(set) var generation = 0

  /// Creates a cache that has read nothing.
  init(of location: CalendarLocation, watcher: FolderWatcher) {
    path = location.path
    isFile = location.isFile
    self.watcher = watcher
  }

  /// Reads the files that may have changed since the last call.
  ///
  /// If the system reports all changes in a folder, only the reported files are looked at.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time: files changed in the last two seconds are read again next time.
  /// - Throws: `StoreError`.
  mutating func refresh(_ form: NormalForm, at now: Instant) throws {
    if isFile {
      try refreshFile(try FileCalendar(path: path, for: .reading), form, at: now)
    } else {
      try refreshFolder(form, at: now)
    }
    if generation == 0 { generation = 1 }
  }

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
    var found: [UID: LocalEntry] = [:]
    for entry in listing.entries { found[entry.item.uid] = same(entry, form) }
    take(found, listing.unreadable)
  }

  /// The entry that is known already, or else this one.
  private func same(_ entry: LocalEntry, _ form: NormalForm) -> LocalEntry {
    if let known = entries[entry.item.uid], known.isSame(as: entry) { return known }
    return LocalEntry(
      name: entry.name, revision: entry.revision, item: entry.item.normalized(by: form))
  }

  // MARK: A folder

  private mutating func refreshFolder(_ form: NormalForm, at now: Instant) throws {
    let change = events?.take() ?? .anything
    if change == .nothing { return }
    let known = events
    // After an error, the whole folder is read again.
    events = nil
    let calendar = try FolderCalendar(path: path, for: .reading)
    let isReported: Bool
    if case .names(let names) = change {
      isReported = try refresh(names, of: calendar, form, at: now)
      events = isReported ? known : nil
    } else {
      let new = FolderEvents(of: path, by: watcher)
      isReported = try refreshAll(of: calendar, form, at: now)
      events = isReported ? new : nil
    }
  }

  /// Reads the files that may have changed, by the status of all files.
  ///
  /// It returns whether all changes after this are reported.
  private mutating func refreshAll(
    of calendar: FolderCalendar, _ form: NormalForm, at now: Instant
  ) throws -> Bool {
    let (versions, undecodable) = try calendar.files(at: now)
    let isReported = undecodable.isEmpty && versions.allSatisfy(\.isReported)
    let isSame = undecodable.map(\.name) == self.undecodable.map(\.name)
    if isSame, files.count == versions.count,
      zip(versions, files).allSatisfy({ $0.isCertainlySame(as: $1.version) })
    {
      return isReported
    }
    var (kept, gone) = known(versions)
    let doubtful = versions.indices.filter { place in
      kept[place].map { versions[place].isCertainlySame(as: $0.version) } != true
    }
    let contents = try read(doubtful.map { versions[$0].name }, from: calendar, form)
    var changes = gone.map { Change(old: $0.content, new: nil) }
    for place in doubtful {
      let change = Change(old: kept[place]?.content, new: contents[versions[place].name])
      if !change.isNone { changes.append(change) }
      kept[place] = change.current.map { File(version: versions[place], content: $0) }
    }
    files = kept.compactMap(\.self)
    self.undecodable = undecodable
    guard !changes.isEmpty || !isSame || generation == 0 else { return isReported }
    if generation == 0 || !isSame || !apply(changes) { collect() }
    return isReported
  }

  /// Reads some files again, and returns whether all changes after this are reported.
  private mutating func refresh(
    _ names: Set<String>, of calendar: FolderCalendar, _ form: NormalForm, at now: Instant
  ) throws -> Bool {
    let versions = try calendar.files(named: names, at: now)
    let contents = try read(versions.keys.sorted(), from: calendar, form)
    var changes: [Change] = []
    for name in names {
      let place = place(of: name)
      let isKnown = place < files.count && files[place].version.name == name
      let change = Change(old: isKnown ? files[place].content : nil, new: contents[name])
      if !change.isNone { changes.append(change) }
      var new: [File] = []
      if let version = versions[name], let content = change.current {
        new = [File(version: version, content: content)]
      }
      files.replaceSubrange(place..<(isKnown ? place + 1 : place), with: new)
    }
    if !changes.isEmpty, !apply(changes) { collect() }
    return versions.values.allSatisfy(\.isReported)
  }

  /// The index of the file with a name, or the one at which it would be.
  private func place(of name: String) -> Int {
    var (lower, upper) = (0, files.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if files[middle].version.name.isOrdered(before: name) {
        lower = middle + 1
      } else {
        upper = middle
      }
    }
    return lower
  }

  /// The known files for the versions in a listing, and the files that are not in it.
  private func known(_ versions: [FileVersion]) -> (kept: [File?], gone: [File]) {
    var (kept, gone): ([File?], [File]) = ([], [])
    kept.reserveCapacity(versions.count)
    var next = 0
    for version in versions {
      var isFound = false
      while next < files.count, !isFound {
        isFound = files[next].version.name == version.name
        guard isFound || files[next].version.name.isOrdered(before: version.name) else { break }
        if isFound { kept.append(files[next]) } else { gone.append(files[next]) }
        next += 1
      }
      if !isFound { kept.append(nil) }
    }
    return (kept, gone + files[next...])
  }

  /// Reads files on all cores.
  private func read(
    _ names: [String], from calendar: FolderCalendar, _ form: NormalForm
  ) throws -> [String: Result<LocalEntry, Unreadable>] {
    let portions = stride(from: 0, to: names.count, by: Self.portion).map {
      Array(names[$0..<min($0 + Self.portion, names.count)])
    }
    let work = ThreadedWork<[String], Result<LocalListing, any Error>> { names in
      Result { try calendar.read(names, in: form) }
    }
    var contents: [String: Result<LocalEntry, Unreadable>] = [:]
    contents.reserveCapacity(names.count)
    for listing in work.run(portions) {
      let listing = try listing.get()
      for entry in listing.entries { contents[entry.name] = .success(entry) }
      for entry in listing.unreadable {
        contents[entry.name] = .failure(Unreadable(reason: entry.reason))
      }
    }
    return contents
  }

  /// Applies changes of a few files, or returns false if two files have the same UID.
  private mutating func apply(_ changes: [Change]) -> Bool {
    guard !hasDoubles, !changes.contains(where: \.concernsUnreadable) else { return false }
    let removed = Set(changes.compactMap { try? $0.old?.get().item.uid })
    let added = changes.compactMap { try? $0.new?.get() }
    guard Set(added.map(\.item.uid)).count == added.count,
      added.allSatisfy({ removed.contains($0.item.uid) || entries[$0.item.uid] == nil })
    else { return false }
    index.replace(removed, by: Self.spans(of: added))
    for uid in removed { entries[uid] = nil }
    for entry in added { entries[entry.item.uid] = entry }
    generation += 1
    return true
  }

  /// Gives each UID to the first file that holds it.
  private mutating func collect() {
    hasDoubles = false
    var found: [UID: LocalEntry] = [:]
    found.reserveCapacity(files.count)
    var unreadable = undecodable
    for file in files {
      switch file.content {
      case .failure(let reason):
        unreadable.append(UnreadableEntry(name: file.version.name, reason: reason.reason))
      case .success(let entry):
        if let first = found[entry.item.uid] {
          hasDoubles = true
          let reason = "holds the UID '\(entry.item.uid)', which \(first.name) holds already"
          unreadable.append(UnreadableEntry(name: entry.name, reason: reason))
        } else {
          found[entry.item.uid] = entry
        }
      }
    }
    take(found, unreadable)
  }

  // MARK: Items

  /// Replaces all items, and updates the index of those that differ.
  private mutating func take(_ found: [UID: LocalEntry], _ unreadable: [UnreadableEntry]) {
    var changed: Set<UID> = []
    var added: [LocalEntry] = []
    for (uid, entry) in found {
      let known = entries[uid]
      if let known, known.isSame(as: entry) { continue }
      if known != nil { changed.insert(uid) }
      added.append(entry)
    }
    if found.count - added.count + changed.count < entries.count {
      for uid in entries.keys where found[uid] == nil { changed.insert(uid) }
    }
    let isSame = changed.isEmpty && added.isEmpty && self.unreadable == unreadable
    guard !isSame || generation == 0 else { return }
    index.replace(changed, by: Self.spans(of: added))
    entries = found
    self.unreadable = unreadable
    generation += 1
  }

  /// The ranges of time of items, on all cores.
  private static func spans(of entries: [LocalEntry]) -> [(uid: UID, span: Range<Instant>)] {
    let portions = stride(from: 0, to: entries.count, by: portion).map {
      Array(entries[$0..<min($0 + portion, entries.count)])
    }
    let work = ThreadedWork<[LocalEntry], [Range<Instant>?]> { entries in entries.map(\.item.span) }
    return zip(portions, work.run(portions)).flatMap { entries, spans in
      zip(entries, spans).compactMap { entry, span in span.map { (entry.item.uid, $0) } }
    }
  }
}

extension LocalEntry {
  /// Whether both entries are the same bytes under the same name.
  fileprivate func isSame(as other: LocalEntry) -> Bool {
    name == other.name && revision == other.revision
  }
}

extension String {
  /// Whether the bytes of this name come before those of another one.
  fileprivate func isOrdered(before other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
