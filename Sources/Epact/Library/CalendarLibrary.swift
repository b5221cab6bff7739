// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Glibc
import Synchronization

/// The calendars of the user's configuration, which are read and edited in place.
///
/// ```swift
/// let library = CalendarLibrary()
/// for calendar in try library.calendars() {
///   let contents = try library.contents(of: calendar)
///   for entry in contents.candidates(in: november) { print(calendar.title, entry.item.title) }
/// }
/// ```
///
/// All operations are synchronous, and can be called by any thread. The items of a calendar are
/// kept in memory; only changed files are read again. Edits write local files, and the next sync
/// sends them.
///
/// ## Topics
///
/// ### Reading
/// - ``sources()``
/// - ``calendars()``
/// - ``defaultCalendar(for:)``
/// - ``userAddresses()``
/// - ``contents(of:)``
///
/// ### Editing
/// - ``commit(_:)``
/// - ``append(_:)``
/// - ``append(_:to:)``
/// - ``newCalendar(titled:in:beside:)``
///
/// ### Changes by others
/// - ``watch(_:)``
/// - ``startSync()``
public final class CalendarLibrary: Sendable {
  /// The configuration with the status of its file.
  private struct Known: Sendable {
    let version: ConfigurationVersion
    /// The ledger, which has the calendars of accounts.
    let ledger: ConfigurationVersion
    let configuration: Configuration
  }

  /// The items of a calendar; a class, so that calendars are read concurrently.
  private final class Shelf: Sendable {
    let cache: Mutex<CalendarCache>

    init(_ location: CalendarLocation, _ watcher: FolderWatcher) {
      cache = Mutex(CalendarCache(of: location, watcher: watcher))
    }
  }

  let machine: Machine
  let file: ConfigurationFile
  private let known = Mutex<Known?>(nil)
  private let shelves = Mutex<[String: Shelf]>([:])
  private let isSyncing = Mutex(false)
  /// Whether the batches of processes that died were completed or undone.
  private let isRecovered = Mutex(false)

  /// Takes a configuration; reads nothing yet.
  ///
  /// - Parameters:
  ///   - machine: The machine with the folders and the time zones.
  ///   - configuration: The path of the configuration; nil for the user's.
  public init(machine: Machine = .live(), configuration: String? = nil) {
    self.machine = machine
    file = ConfigurationFile(configuration, machine: machine)
  }

  /// The batch that makes all changes, in the folder that all processes of the user share.
  var batch: FileBatch { FileBatch(of: machine) }

  // MARK: Calendars

  /// The sources: this computer first, then the others by title.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func sources() throws -> [CalendarSource] { try catalogue().sources }

  /// The calendars whose folder exists, by their name in the configuration.
  ///
  /// The configuration is read again when its file changed.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func calendars() throws -> [CalendarInfo] { try catalogue().calendars }

  /// The calendar for new items of a kind: the configured one, or else the first writable one.
  ///
  /// - Parameter kind: The kind of the items.
  /// - Returns: The calendar; nil if there is none, or if the configured one is read-only or its
  ///   folder is missing.
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func defaultCalendar(for kind: ItemKind) throws -> CalendarInfo? {
    try catalogue().defaultCalendar(for: kind)
  }

  /// The addresses of the user: those of the configuration, and the user names of accounts that are
  /// e-mail addresses.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  public func userAddresses() throws -> Set<CalendarAddress> {
    try configuration().knownAddresses
  }

  func catalogue() throws(LibraryError) -> LibraryCatalogue {
    LibraryCatalogue(try configuration())
  }

  /// The configuration, which is read again when its file changed.
  func configuration() throws(LibraryError) -> Configuration {
    let now = machine.now().secondsSinceEpoch
    let version = ConfigurationVersion(file.path, at: now)
    let ledger = ConfigurationVersion(machine.stateFolder + "/ledger.sqlite", at: now)
    if let known = known.withLock(\.self), version.isCertainlySame(as: known.version),
      known.configuration.accountSyncs.isEmpty || ledger.isCertainlySame(as: known.ledger)
    {
      return known.configuration
    }
    let configuration = try LibraryError.describing(file.path) { try file.load() }
    known.withLock { $0 = Known(version: version, ledger: ledger, configuration: configuration) }
    return configuration
  }

  // MARK: Items

  /// The items of a calendar.
  ///
  /// Only the files that changed since the last call are read. All changes by any process before
  /// the call are seen. Where the system does not report them, the status of all files is compared
  /// with that of the last call.
  ///
  /// - Parameter calendar: The calendar.
  /// - Returns: The items by UID and by time.
  /// - Throws: `LibraryError`; with the code `noCalendar` if its folder does not exist.
  public func contents(of calendar: CalendarInfo) throws -> LibraryContents {
    recover()
    let shelf = shelf(of: calendar)
    return try LibraryError.describing(calendar.id) {
      try shelf.cache.withLock { cache in
        try cache.refresh(machine.normalForm, at: machine.now())
        return LibraryContents(
          calendar: calendar, entries: cache.entries, unreadable: cache.unreadable,
          generation: cache.generation, index: cache.index)
      }
    }
  }

  /// The item that ``contents(of:)`` found last; reads nothing.
  func lastEntry(_ uid: UID, in calendar: CalendarInfo) -> LocalEntry? {
    shelves.withLock { $0[calendar.id] }?.cache.withLock { $0.entries[uid] }
  }

  /// The generation of the items that were read; nil if none were.
  func generation(of calendar: CalendarInfo, isRefreshed: Bool) throws -> Int? {
    guard let shelf = shelves.withLock({ $0[calendar.id] }) else { return nil }
    return try shelf.cache.withLock { cache in
      guard cache.generation > 0 else { return nil }
      if isRefreshed { try cache.refresh(machine.normalForm, at: machine.now()) }
      return cache.generation
    }
  }

  /// Completes or undoes the batches of processes that died, once.
  private func recover() {
    isRecovered.withLock { isRecovered in
      guard !isRecovered else { return }
      isRecovered = true
      // An error concerns files of another batch; `commit` and syncs try again.
      try? batch.recover()
    }
  }

  private func shelf(of calendar: CalendarInfo) -> Shelf {
    shelves.withLock { shelves in
      if let shelf = shelves[calendar.id] { return shelf }
      let shelf = Shelf(calendar.location, machine.folderWatcher)
      shelves[calendar.id] = shelf
      return shelf
    }
  }

  // MARK: Syncs

  /// Starts all syncs of the configuration in the background, unless some are running.
  ///
  /// Nothing is asked: a sync without access does nothing. The outcome of each sync is in the
  /// ledger.
  public func startSync() {
    let isFirst = isSyncing.withLock { isSyncing in
      defer { isSyncing = true }
      return !isSyncing
    }
    guard isFirst else { return }
    Task.detached { [self] in
      defer { isSyncing.withLock { $0 = false } }
      // Another process that syncs has the lock of the ledger.
      _ = try? await SyncSet(try configuration(), machine: machine).run()
    }
  }
}

/// The status of the configuration's file, which changes with its content.
struct ConfigurationVersion: Hashable, Sendable {
  private struct Stamp: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let times: [Int64]
  }

  /// The time in seconds within which a file system may not distinguish two versions.
  private static let doubt: Int64 = 2

  /// The status; nil if there is no file.
  private let stamp: Stamp?
  private let isCertain: Bool

  /// Reads the status at a time, in seconds since 1970.
  init(_ path: String, at now: Int64) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      (stamp, isCertain) = (nil, true)
      return
    }
    stamp = Stamp(
      device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
      times: [
        Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
        Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
      ])
    isCertain = Int64(status.st_ctim.tv_sec) < now - Self.doubt
  }

  /// Whether the file certainly has the content that it had at an earlier time.
  func isCertainlySame(as earlier: ConfigurationVersion) -> Bool {
    earlier.isCertain && stamp == earlier.stamp
  }
}

extension FileBatch {
  /// Creates a batch in the user's state folder.
  init(of machine: Machine) {
    self.init(journal: machine.stateFolder + "/batches")
  }
}
