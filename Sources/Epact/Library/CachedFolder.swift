// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The files of a calendar's folder in memory, of which only those are read that are needed.
///
/// ```swift
/// let calendar = try cache.survey(form, at: now, usesIndex: true)   // lists; reads no item
/// cache.want(names)                                                 // items that are needed
/// let changes = try cache.read(form, from: calendar, needsAll: false)   // what is not known
/// cache.saveIndex(form)
/// ```
///
/// The first survey takes the items of files that did not change from the index on disk. Later
/// surveys look only at the files whose changes the system reports, or else at the status of all.
struct CachedFolder: Sendable {
  /// The number of items that one thread reads at a time.
  static let portion = 64
  /// The minimum number of files that must be read before the index is written.
  private static let fewest = 32
  /// The maximum number of items of which all are kept in memory, if a query needs only some.
  private static let keptLimit = 20_000

  private let path: String
  private let watcher: FolderWatcher
  private let indexFile: FolderIndexFile?
  /// The changes in the folder since all of it was listed; nil if they are not known.
  private var events: FolderEvents?
  /// The files, in order of their names.
  private(set) var files: [CachedFile] = []
  private(set) var undecodable: [UnreadableEntry] = []
  /// The contents of files that are gone, until the next reading.
  private var removed: [CachedFile.Content] = []
  private var isListed = false
  /// Whether the items of some files may be known only by their summaries.
  private var hasSummaries = false
  /// Whether the names that are not UTF-8 differ from those at the last reading.
  private(set) var isUndecodableChanged = false
  private var staleCount = 0
  /// The number of files that were read and that the index on disk does not have.
  private var unsavedCount = 0

  /// Creates a folder that has read nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - watcher: The watcher that reports changes.
  ///   - indexFile: The index on disk; nil for none.
  init(_ path: String, watcher: FolderWatcher, indexFile: FolderIndexFile?) {
    self.path = path
    self.watcher = watcher
    self.indexFile = indexFile
  }

  /// Whether ``read(_:from:needsAll:)`` reads a few files at most.
  var isNearlyRead: Bool { hasSummaries && staleCount <= Self.portion }

  /// The names of the files with items that were not read.
  var unreadNames: [String] {
    hasSummaries ? files.filter(\.isUnread).map(\.version.name) : []
  }

  // MARK: Surveys

  /// Finds the files that may have changed since the last call, and reads none.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time: files changed in the last two seconds are doubted by the next call.
  ///   - usesIndex: Whether the first call takes items from the index on disk.
  /// - Returns: The folder for reading; nil if nothing changed.
  /// - Throws: `StoreError`.
  mutating func survey(
    _ form: NormalForm, at now: Instant, usesIndex: Bool
  ) throws -> FolderCalendar? {
    let change = events?.take() ?? .anything
    if change == .nothing { return nil }
    let known = events
    // After an error, the whole folder is listed again.
    events = nil
    let calendar = try FolderCalendar(path: path, for: .reading)
    if case .names(let names) = change {
      let isReported = try look(at: names, in: calendar, at: now)
      events = isReported ? known : nil
    } else {
      let new = FolderEvents(of: path, by: watcher)
      let isReported = try list(calendar, at: now) { [indexFile] versions in
        usesIndex ? indexFile?.items(of: versions, in: calendar, form) : nil
      }
      events = isReported ? new : nil
    }
    return calendar
  }

  /// Compares the status of all files with the known one.
  ///
  /// - Parameters:
  ///   - calendar: The folder.
  ///   - now: The current time.
  ///   - indexed: Returns the items that the index has; called by the first listing only.
  /// - Returns: Whether all changes after this are reported.
  /// - Throws: `StoreError` if the folder cannot be listed.
  private mutating func list(
    _ calendar: FolderCalendar, at now: Instant, _ indexed: ([FileVersion]) -> [ItemSummary?]?
  ) throws -> Bool {
    let (versions, undecodable) = try calendar.files(at: now)
    let isReported = undecodable.isEmpty && versions.allSatisfy(\.isReported)
    if undecodable.map(\.name) != self.undecodable.map(\.name) {
      self.undecodable = undecodable
      isUndecodableChanged = true
    }
    if isListed, files.count == versions.count,
      zip(versions, files).allSatisfy({ $0.isCertainlySame(as: $1.version) && !$1.isStale })
    {
      return isReported
    }
    let (kept, gone) = known(versions)
    let items = isListed ? nil : indexed(versions)
    if items != nil { hasSummaries = true }
    isListed = true
    files = versions.indices.map { place in
      let version = versions[place]
      if let file = kept[place], !file.isStale, version.isCertainlySame(as: file.version) {
        return file
      }
      if let item = items?[place] {
        return CachedFile(
          version: version, content: .success(CachedItem(name: version.name, item)))
      }
      return CachedFile(version: version, content: kept[place]?.content, .stale)
    }
    staleCount = files.count { $0.isStale }
    removed += gone.compactMap(\.content)
    return isReported
  }

  /// Doubts some files, and returns whether all changes after this are reported.
  private mutating func look(
    at names: Set<String>, in calendar: FolderCalendar, at now: Instant
  ) throws -> Bool {
    let versions = try calendar.files(named: names, at: now)
    for name in names {
      let place = place(of: name)
      let known = file(name, at: place)
      if known?.isStale == true { staleCount -= 1 }
      var new: [CachedFile] = []
      if let version = versions[name] {
        new = [CachedFile(version: version, content: known?.content, .stale)]
        staleCount += 1
      } else if let content = known?.content {
        removed.append(content)
      }
      files.replaceSubrange(place..<(known == nil ? place : place + 1), with: new)
    }
    return versions.values.allSatisfy(\.isReported)
  }

  /// Makes the next reading read some files.
  mutating func want(_ names: [String]) {
    for name in names {
      let place = place(of: name)
      guard let file = file(name, at: place), !file.isStale else { continue }
      files[place] = file.wanted
      staleCount += 1
    }
  }

  private func file(_ name: String, at place: Int) -> CachedFile? {
    place < files.count && files[place].version.name == name ? files[place] : nil
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
  private func known(_ versions: [FileVersion]) -> (kept: [CachedFile?], gone: [CachedFile]) {
    var (kept, gone): ([CachedFile?], [CachedFile]) = ([], [])
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

  // MARK: Reading

  /// Reads the files that may have changed or are needed.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - calendar: The folder as the survey found it; nil if nothing changed.
  ///   - needsAll: Whether all items are needed; otherwise those of very many files are dropped, and
  ///     their summaries stay.
  /// - Returns: The contents before and after, of files that are gone and of those that were read.
  /// - Throws: `StoreError`; the next survey then lists the folder, and nothing is forgotten.
  mutating func read(
    _ form: NormalForm, from calendar: FolderCalendar?, needsAll: Bool
  ) throws -> [FileContentChange] {
    var changes: [FileContentChange] = []
    if staleCount > 0 {
      let places = files.indices.filter { files[$0].isStale }
      let contents: [CachedFile.Content?]
      let keepsItems = needsAll || places.count <= Self.keptLimit
      if !keepsItems { hasSummaries = true }
      do {
        let calendar = try calendar ?? FolderCalendar(path: path, for: .reading)
        contents = try Self.read(
          places.map { files[$0] }, from: calendar, form, keepsItems: keepsItems)
      } catch {
        events = nil
        throw error
      }
      for (place, content) in zip(places, contents).reversed() {
        let file = files[place]
        let change = FileContentChange(old: file.content, new: content)
        changes.append(change)
        if let content = change.current {
          files[place] = CachedFile(version: file.version, content: content)
          let isSaved = change.isNone && file.isUnread
          if file.version.isCertain, !isSaved, case .success = content { unsavedCount += 1 }
        } else {
          files.remove(at: place)
        }
      }
      staleCount = 0
    }
    changes += removed.map { FileContentChange(old: $0, new: nil) }
    removed = []
    isUndecodableChanged = false
    return changes
  }

  /// Reads files on all cores.
  ///
  /// - Returns: The content of each file; nil for one that is gone.
  private static func read(
    _ files: [CachedFile], from calendar: FolderCalendar, _ form: NormalForm, keepsItems: Bool
  ) throws -> [CachedFile.Content?] {
    let work = ThreadedWork<[CachedFile], Result<[CachedFile.Content?], any Error>> { files in
      Result {
        let listing = try calendar.read(
          files.map { KnownFile($0.version, revision: $0.summary?.revision) }, in: form)
        // Both parts of the listing are in the order of the files.
        var (entries, unreadable) = (listing.entries[...], listing.unreadable[...])
        return files.map { file in
          if entries.first?.name == file.version.name, let entry = entries.popFirst() {
            let item = CachedItem(entry, known: file.summary)
            return .success(keepsItems ? item : item.withoutEntry)
          }
          guard unreadable.first?.name == file.version.name else { return nil }
          return unreadable.popFirst().map { .failure(.init(reason: $0.reason)) }
        }
      }
    }
    return try work.run(files, inPortionsOf: portion).flatMap { try $0.get() }
  }

  // MARK: The index

  /// Writes the index of all files that were read, if it lacks a good part of them.
  ///
  /// A new process has to read the files that the index lacks. Writing takes about as long as
  /// reading one file in a hundred. It waits for that number, so that it takes at most as long as
  /// the reading did. Therefore it is not done in the background, where the end of a short process
  /// would prevent it.
  mutating func saveIndex(_ form: NormalForm) {
    guard let indexFile, unsavedCount >= max(Self.fewest, files.count / 100) else { return }
    // If it cannot be written now, it is tried again after as many files.
    unsavedCount = 0
    guard let calendar = try? FolderCalendar(path: path, for: .reading) else { return }
    let rows = files.compactMap { file -> (file: FileVersion, item: ItemSummary)? in
      guard !file.isStale, case .success(let item)? = file.content else { return nil }
      return (file.version, item.summary)
    }
    indexFile.write(rows, of: calendar, form)
  }
}

extension String {
  /// Whether the bytes of this name come before those of another one.
  fileprivate func isOrdered(before other: String) -> Bool {
    let (bytes, others) = (utf8.span, other.utf8.span)
    for place in 0..<min(bytes.count, others.count) where bytes[place] != others[place] {
      return bytes[place] < others[place]
    }
    return bytes.count < others.count
  }
}
