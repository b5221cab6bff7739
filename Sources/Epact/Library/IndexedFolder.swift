// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

extension Machine {
  /// The index of the folder of a calendar.
  func indexFile(of path: String) -> FolderIndexFile {
    let id = StableIdentifier(calendarAt: PathResolver.canonical(path)).text
    return FolderIndexFile(of: id, in: cacheFolder)
  }
}

/// The files of a calendar's folder, of which only those are read that are needed.
///
/// ```swift
/// let gone = try indexed.survey(form, at: now, usesIndex: true)   // lists; reads no item
/// let found = try indexed.read(indexed.table.staleRows, form, keepsItems: true)
/// indexed.saveIndex(form)
/// print(found, gone)
/// ```
///
/// The first survey takes the items of files that did not change from the index on disk. Later
/// surveys look only at the files whose changes the system reports, or else at the status of all.
struct IndexedFolder: Sendable {
  /// The number of items that one thread reads at a time.
  static let portion = 64
  /// The minimum number of files that must be read before the index is written.
  private static let fewest = 32

  private let path: String
  private let watcher: FolderWatcher
  private let indexFile: FolderIndexFile?
  private let knownNames: KnownNames
  /// The changes in the folder since all of it was listed; nil if they are not known.
  private var events: FolderEvents?
  private var isListed = false
  /// The files with what is known of their items.
  var table = ItemTable()
  /// The entries whose names are not UTF-8.
  private(set) var undecodable: [UnreadableEntry] = []
  /// The entries that are neither items nor hidden, of the last listing.
  private(set) var otherNames: [String] = []
  /// Whether the items or the unreadable files differ from those of the last call of
  /// ``takeChange()``.
  private var isChanged = true
  /// The number of files that were read and that the index on disk does not have.
  private var unsavedCount = 0

  /// Creates a folder that has read nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - watcher: The watcher that reports changes.
  ///   - indexFile: The index on disk; nil for none.
  ///   - names: The names by which syncs know items, for files with the same UID.
  init(
    _ path: String, watcher: FolderWatcher, indexFile: FolderIndexFile?, knowing names: KnownNames
  ) {
    self.path = path
    self.watcher = watcher
    self.indexFile = indexFile
    knownNames = names
  }

  // MARK: Surveys

  /// Finds the files that may have changed since the last call, and reads none.
  ///
  /// - Parameters:
  ///   - form: The normal form of the items.
  ///   - now: The current time: files changed in the last two seconds are doubted by the next call.
  ///   - usesIndex: Whether the first call takes items from the index on disk.
  /// - Returns: The rows of files that are gone.
  /// - Throws: `StoreError`.
  mutating func survey(_ form: NormalForm, at now: Instant, usesIndex: Bool) throws -> [Int] {
    let change = events?.take() ?? .anything
    if change == .nothing { return [] }
    let known = events
    // After an error, the whole folder is listed again.
    events = nil
    let calendar = try FolderCalendar(path: path, for: .reading)
    let gone: [Int]
    if case .names(let names) = change {
      let files = try calendar.files(named: names, at: now)
      gone = table.update(files)
      events = files.values.allSatisfy { $0?.isReported ?? true } ? known : nil
    } else {
      let new = FolderEvents(of: path, by: watcher)
      let listing = try calendar.listing(at: now)
      if !isListed, usesIndex, let indexed = indexFile?.table(of: calendar, form) {
        table = indexed
      }
      isListed = true
      gone = table.update(to: listing)
      if listing.undecodable.map(\.name) != undecodable.map(\.name) {
        (undecodable, isChanged) = (listing.undecodable, true)
      }
      otherNames = listing.otherNames
      events = listing.isReported ? new : nil
    }
    if !gone.isEmpty { isChanged = true }
    return gone
  }

  // MARK: Reading

  /// The outcome of reading a file.
  private enum Reading: Sendable {
    case item(ItemSummary, LocalEntry?)
    case unreadable(String)
    /// The file is gone, or is none any more.
    case gone
  }

  /// Reads files on all cores.
  ///
  /// - Parameters:
  ///   - rows: The files.
  ///   - form: The normal form of the items.
  ///   - keepsItems: Whether the items are returned, and not only noted.
  /// - Returns: The items in the order of the rows; nil where there is none, or it is not kept.
  /// - Throws: `StoreError`; the next survey then lists the folder, and nothing is forgotten.
  mutating func read(
    _ rows: [Int], _ form: NormalForm, keepsItems: Bool
  ) throws -> [LocalEntry?] {
    guard !rows.isEmpty else { return [] }
    let readings: [Reading]
    do {
      let calendar = try FolderCalendar(path: path, for: .reading)
      readings = try Self.read(rows.map(table.file), from: calendar, form, keepsItems)
    } catch {
      events = nil
      throw error
    }
    return zip(rows, readings).map { row, reading in
      let isNew = table.isStale(row)
      switch reading {
      case .item(let summary, let entry):
        if table.set(.item(summary), of: row) { isChanged = true }
        if isNew, table.isCertain(row) { unsavedCount += 1 }
        return entry
      case .unreadable(let reason):
        if table.set(.unreadable(reason), of: row) { isChanged = true }
      case .gone:
        table.remove(row)
        isChanged = true
      }
      return nil
    }
  }

  private static func read(
    _ files: [KnownFile], from calendar: FolderCalendar, _ form: NormalForm, _ keepsItems: Bool
  ) throws -> [Reading] {
    let portions = files.mapPortions(of: portion) { files in
      Result {
        let listing = try calendar.read(Array(files), in: form)
        // Both parts of the listing are in the order of the files.
        var (entries, unreadable) = (listing.entries[...], listing.unreadable[...])
        return files.map { file -> Reading in
          if entries.first?.name == file.name, let entry = entries.popFirst() {
            return .item(ItemSummary(entry), keepsItems ? entry : nil)
          }
          guard unreadable.first?.name == file.name else { return .gone }
          return unreadable.popFirst().map { .unreadable($0.reason) } ?? .gone
        }
      }
    }
    return try portions.flatMap { try $0.get() }
  }

  /// Whether items or unreadable files changed since the last call; determines the files that share
  /// a UID with the item in another file.
  ///
  /// A ledger that cannot be read does not prevent reading; an edit needs the ledger in any case.
  mutating func takeChange() -> Bool {
    guard isChanged else { return false }
    isChanged = false
    table.shadow { [path, knownNames] shared in
      let calendar = try? FolderCalendar(path: path, for: .reading, knowing: knownNames)
      if let names = try? calendar?.items(among: shared) { return names }
      return shared.compactMapValues { SharedUID.item(among: $0, known: []) }
    }
    return true
  }

  /// The entries that are no items.
  mutating func unreadable() -> [UnreadableEntry] { undecodable + table.unreadable() }

  // MARK: The index

  /// Writes the index of all files that were read, if it lacks a good part of them.
  ///
  /// A new process has to read the files that the index lacks. Writing takes about as long as
  /// reading one file in a hundred. It waits for that number, so that it takes at most as long as
  /// the reading did. Therefore it is not done in the background, where the end of a short process
  /// would prevent it.
  mutating func saveIndex(_ form: NormalForm) {
    guard let indexFile, unsavedCount >= max(Self.fewest, table.count / 100) else { return }
    // If it cannot be written now, it is tried again after as many files.
    unsavedCount = 0
    guard let calendar = try? FolderCalendar(path: path, for: .reading) else { return }
    indexFile.write(table, of: calendar, form)
  }
}
