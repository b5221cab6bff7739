// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The items of a calendar in memory, of which only changed files are read again.
struct CalendarCache: Sendable {
  /// A file of a folder with its content.
  private struct File: Sendable {
    var version: FileVersion
    /// The item, or the reason why there is none.
    var content: Result<LocalEntry, Unreadable>
  }

  private struct Unreadable: Error {
    let reason: String
  }

  /// The number of items that one thread reads or examines at a time.
  private static let portion = 64

  private let path: String
  private let isFile: Bool
  /// The files of a folder, in order of their names.
  private var files: [File] = []
  /// The status of the single file.
  private var whole: FileVersion?
  private var undecodable: [UnreadableEntry] = []
  private(set) var entries: [UID: LocalEntry] = [:]
  private(set) var unreadable: [UnreadableEntry] = []
  private(set) var index = TimeIndex()
  /// The number of refreshes that changed an item; 0 before the first one.
  private(set) var generation = 0

  /// Creates a cache that has read nothing.
  init(of location: CalendarLocation) {
    path = location.path
    isFile = location.isFile
  }

  /// Reads the files that may have changed since the last call.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time: files changed in the last two seconds are read again next time.
  /// - Throws: `StoreError`.
  mutating func refresh(_ form: NormalForm, at now: Instant) throws {
    if isFile {
      try refreshFile(try FileCalendar(path: path, for: .reading), form, at: now)
    } else {
      try refreshFolder(try FolderCalendar(path: path, for: .reading), form, at: now)
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

  private mutating func refreshFolder(
    _ calendar: FolderCalendar, _ form: NormalForm, at now: Instant
  ) throws {
    let (versions, undecodable) = try calendar.files(at: now)
    var (kept, doubtful): ([File?], [Int]) = ([], [])
    kept.reserveCapacity(versions.count)
    var next = 0
    var isComplete = true
    for (place, version) in versions.enumerated() {
      while next < files.count, files[next].version.name.isOrdered(before: version.name) {
        next += 1
        isComplete = false
      }
      let known = next < files.count && files[next].version.name == version.name ? files[next] : nil
      if known != nil { next += 1 }
      kept.append(known)
      if known.map({ version.isCertainlySame(as: $0.version) }) != true { doubtful.append(place) }
    }
    if next < files.count { isComplete = false }
    let isSame = undecodable.map(\.name) == self.undecodable.map(\.name)
    guard !doubtful.isEmpty || !isComplete || !isSame else { return }
    let contents = try read(doubtful.map { versions[$0].name }, from: calendar, form)
    var isChanged = !isComplete || !isSame
    for place in doubtful {
      guard let content = contents[versions[place].name] else {
        isChanged = isChanged || kept[place] != nil
        kept[place] = nil
        continue
      }
      let isKnown = kept[place].map { Self.isSame($0.content, content) } ?? false
      isChanged = isChanged || !isKnown
      kept[place] = File(
        version: versions[place], content: isKnown ? kept[place]?.content ?? content : content)
    }
    files = kept.compactMap(\.self)
    self.undecodable = undecodable
    if isChanged || generation == 0 { collect() }
  }

  private static func isSame(
    _ left: Result<LocalEntry, Unreadable>, _ right: Result<LocalEntry, Unreadable>
  ) -> Bool {
    switch (left, right) {
    case (.success(let left), .success(let right)): left.isSame(as: right)
    case (.failure(let left), .failure(let right)): left.reason == right.reason
    default: false
    }
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

  /// Gives each UID to the first file that holds it.
  private mutating func collect() {
    var found: [UID: LocalEntry] = [:]
    found.reserveCapacity(files.count)
    var unreadable = undecodable
    for file in files {
      switch file.content {
      case .failure(let reason):
        unreadable.append(UnreadableEntry(name: file.version.name, reason: reason.reason))
      case .success(let entry):
        if let first = found[entry.item.uid] {
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
