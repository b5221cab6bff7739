// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync
public import CivilTime
import Synchronization

/// The calendars of the user's configuration, which are read and edited in place.
///
/// ```swift
/// let library = CalendarLibrary()
/// for calendar in try library.calendars() {
///   for entry in try library.entries(of: calendar, in: november) {
///     print(calendar.title, entry.item.title)
///   }
/// }
/// ```
///
/// All operations are synchronous, and can be called by any thread. The items of a calendar are
/// kept in memory; only changed files are read again. A new process reads only the files of the
/// items that it asks for, with the help of an index in the user's folder for caches. Edits write
/// local files, and the next sync sends them.
///
/// ## Topics
///
/// ### Reading
/// - ``sources()``
/// - ``calendars()``
/// - ``defaultCalendar(for:)``
/// - ``userAddresses()``
/// - ``entries(of:in:kinds:where:)``
/// - ``entry(_:of:)``
/// - ``contents(of:)``
/// - ``unreadable(of:)``
/// - ``isCurrent(_:of:)``
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
    /// The number of times that it was read.
    let generation: Int
    let version: FileVersion?
    /// The ledger, which has the calendars of accounts, if it is a file.
    let ledger: FileVersion?
    /// The calendars of accounts that the ledger has, if it is in a database.
    let collections: [String: [KnownCollection]]
    let configuration: Configuration
  }

  /// The items of a calendar; a class, so that calendars are read concurrently.
  private final class Shelf: Sendable {
    let cache: Mutex<CalendarCache>

    init(_ location: CalendarLocation, _ machine: Machine, usesCache: Bool) {
      let indexFile = usesCache ? machine.indexFile(of: location.path) : nil
      cache = Mutex(
        CalendarCache(
          of: location, watcher: machine.folderWatcher, indexFile: indexFile,
          knowing: machine.knownNames))
    }
  }

  package let machine: Machine
  package let file: ConfigurationFile
  private let known = Mutex<Known?>(nil)
  private let shelves = Mutex<[String: Shelf]>([:])
  /// Whether the syncs of ``startSync()`` run.
  let isSyncing = Mutex(false)
  /// Whether the batches of processes that died were completed or undone.
  private let isRecovered = Mutex(false)
  /// The ledger that is open for reading.
  let openLedger = Mutex<OpenLedger?>(nil)

  /// Takes a configuration; reads nothing yet.
  ///
  /// - Parameters:
  ///   - machine: The machine with the folders and the time zones.
  ///   - configuration: The path of the configuration; nil for the user's.
  public init(machine: Machine = .live(), configuration: String? = nil) {
    var machine = machine
    if let configuration { machine.ledger = .configured(machine.paths.absolute(configuration)) }
    self.machine = machine
    file = ConfigurationFile(machine: machine)
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

  /// The only calendar for new items of a kind.
  ///
  /// - Throws: `EpactError` if there is none, or several and none is configured; `LibraryError`.
  func standardCalendar(for kind: ItemKind) throws -> CalendarInfo {
    let candidates = try catalogue().defaultCandidates(for: kind)
    guard let calendar = candidates.first else { throw try noCandidate() }
    guard candidates.count == 1 else {
      let names = candidates.map(\.name)
      let shown = names.prefix(Self.candidateLimit).joined(separator: ", ")
      let rest = names.count > Self.candidateLimit ? " and other calendars" : ""
      throw EpactError(
        .argument, "\(shown)\(rest) accept it, and none of them is the default",
        remedy: .chooseCalendar(key: kind == .reminder ? "default-reminders" : "default-calendar"))
    }
    return calendar
  }

  /// The error if no calendar can be chosen for a new item.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid.
  func noCandidate() throws -> EpactError {
    let (message, configuration) = (
      "no calendar of the configuration accepts it", try configuration()
    )
    let unknown = configuration.accountSyncs.first { account in
      !configuration.syncs.contains { $0.account == account.name }
    }
    guard let name = unknown?.name else {
      return EpactError(.configuration, message, remedy: .configure)
    }
    return EpactError(
      .configuration, "\(message); those of \(name) are known after its first sync",
      subject: name, remedy: .sync(name))
  }

  /// The maximum number of calendars that are named in an error.
  private static var candidateLimit: Int { 10 }

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
    let now = machine.now()
    let version = FileVersion(ofFileAt: file.path, at: now)
    let ledger = FileVersion(ofFileAt: machine.stateFolder + "/ledger.sqlite", at: now)
    if let known = known.withLock(\.self), version.isCertainlySame(as: known.version) {
      let isSame =
        if known.configuration.ledger != nil {
          try collections(of: known.configuration) == known.collections
        } else {
          known.configuration.accountSyncs.isEmpty || ledger.isCertainlySame(as: known.ledger)
        }
      if isSame { return known.configuration }
    }
    var configuration = try LibraryError.describing(file.path) { try file.load() }
    let collections = try collections(of: configuration)
    configuration.expand(to: collections)
    known.withLock { [configuration] in
      $0 = Known(
        generation: ($0?.generation ?? 0) + 1, version: version, ledger: ledger,
        collections: collections, configuration: configuration)
    }
    return configuration
  }

  /// The calendars of accounts that a ledger in a database knows; empty for a file, whose version says
  /// whether they are others.
  private func collections(
    of configuration: Configuration
  ) throws(LibraryError) -> [String: [KnownCollection]] {
    guard configuration.ledger != nil, !configuration.accountSyncs.isEmpty else { return [:] }
    return try LibraryError.describing(file.path) {
      try configuration.knownCollections(machine) { try readLedger($0) }
    }
  }

  /// The number of times that the configuration was read.
  var configurationGeneration: Int { known.withLock { $0?.generation ?? 0 } }

  // MARK: Items

  /// All items of a calendar.
  ///
  /// Only the files that changed since the last call are read. All changes by any process before
  /// the call are seen. Where the system does not report them, the status of all files is compared
  /// with that of the last call.
  ///
  /// - Parameter calendar: The calendar.
  /// - Returns: The items by UID and by time.
  /// - Throws: `LibraryError`; with the code `noCalendar` if its folder does not exist.
  public func contents(of calendar: CalendarInfo) throws -> LibraryContents {
    try reading(calendar) { try $0.contents(machine.normalForm, at: machine.now(), of: calendar) }
  }

  /// Some items of a calendar, of which no others have to be read.
  ///
  /// They are those that ``contents(of:)`` would return at the same time. The files of other items
  /// are not read if they have not changed since a process wrote the index of the calendar.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - range: The range of time in which the items may have occurrences, in every time zone of a
  ///     viewer, as of ``LibraryContents/candidates(in:)``; nil for all items, in any order.
  ///   - kinds: The kinds of the items; empty for all.
  ///   - isWanted: Whether an item with a UID is wanted, in addition; it may be called more than
  ///     once for a UID.
  /// - Returns: The items.
  /// - Throws: `LibraryError`; with the code `noCalendar` if the folder does not exist.
  public func entries(
    of calendar: CalendarInfo, in range: Range<Instant>? = nil, kinds: Set<ItemKind> = [],
    where isWanted: (UID) -> Bool = { _ in true }
  ) throws -> [LocalEntry] {
    // The condition is called before this function returns.
    try withoutActuallyEscaping(isWanted) { isWanted in
      try entries(
        of: calendar, ItemSelection(range: range, kinds: kinds, isWanted: isWanted))
    }
  }

  /// Some items of a calendar, of which no others have to be read.
  ///
  /// - Throws: `LibraryError`; with the code `noCalendar` if the folder does not exist.
  func entries(of calendar: CalendarInfo, _ query: ItemSelection) throws -> [LocalEntry] {
    try reading(calendar) { try $0.entries(query, machine.normalForm, at: machine.now()) }
  }

  /// The item of a calendar with a UID; nil if there is none.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - calendar: The calendar.
  /// - Returns: The item.
  /// - Throws: `LibraryError`; with the code `noCalendar` if the folder does not exist.
  public func entry(_ uid: UID, of calendar: CalendarInfo) throws -> LocalEntry? {
    try entries(of: calendar, ItemSelection(uids: [uid])).first
  }

  /// The facts about some items of a calendar, of which no unchanged file is read.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - isFitting: Whether an item is wanted, by the bytes of its UID or its titles.
  /// - Returns: The facts, in order of the files' names.
  /// - Throws: `LibraryError`; with the code `noCalendar` if the folder does not exist.
  func summaries(
    of calendar: CalendarInfo, where isFitting: (Span<UInt8>) -> Bool
  ) throws -> [ItemSummary] {
    try reading(calendar) {
      try $0.summaries(machine.normalForm, at: machine.now(), where: isFitting)
    }
  }

  /// The number of items of a calendar, of which no unchanged file is read.
  ///
  /// - Throws: `LibraryError`; with the code `noCalendar` if the folder does not exist.
  func itemCount(of calendar: CalendarInfo) throws -> Int {
    try reading(calendar) { try $0.count(machine.normalForm, at: machine.now()) }
  }

  /// Whether the file of an entry still has the same bytes; other files are not looked at.
  ///
  /// - Parameters:
  ///   - entry: An entry of a calendar that is a folder.
  ///   - calendar: The calendar.
  /// - Returns: True if it is certain; false also for a calendar in one file.
  public func isCurrent(_ entry: LocalEntry, of calendar: CalendarInfo) -> Bool {
    guard !calendar.location.isFile,
      let folder = try? FolderCalendar(path: calendar.location.path, for: .reading)
    else { return false }
    return (try? folder.isUnchanged(entry.name, since: entry.revision)) ?? false
  }

  /// The files that the last reading of a calendar could not take as items; reads nothing.
  ///
  /// - Parameter calendar: The calendar.
  /// - Returns: The files with the reasons; of two files with the same UID, the second one.
  public func unreadable(of calendar: CalendarInfo) -> [UnreadableEntry] {
    shelves.withLock { $0[calendar.id] }?.cache.withLock { $0.unreadable } ?? []
  }

  /// The maximum number of files that ``unreadableFiles(of:)`` names.
  private static var unreadableLimit: Int { 5 }

  /// The files that the last reading of some calendars could not take as items, as `work/a.ics: reason`, without
  /// copies of other files; reads nothing.
  package func unreadableFiles(of calendars: [CalendarInfo]) -> [String] {
    let files = calendars.flatMap { calendar in
      unreadable(of: calendar).filter { $0.sharedUID == nil }
        .map { "\(calendar.name)/\($0.name): \($0.reason)" }
    }
    let rest = files.count - Self.unreadableLimit
    return files.prefix(Self.unreadableLimit)
      + (rest > 0 ? ["\(Count(rest, "other file")) cannot be read"] : [])
  }

  /// Reads from the cache of a calendar.
  func reading<Result>(
    _ calendar: CalendarInfo, _ body: (inout sending CalendarCache) throws -> sending Result
  ) throws -> Result {
    recover()
    let shelf = shelf(of: calendar.location, calendar.id)
    return try LibraryError.describing(calendar.id) { try shelf.cache.withLock(body) }
  }

  /// Calls a function with the index of a calendar's folder, in which all changes are noted.
  ///
  /// - Throws: `StoreError`.
  func withFolder<Result: Sendable>(
    of location: CalendarLocation, _ body: (inout IndexedFolder) -> Result
  ) throws -> Result {
    let shelf = shelf(of: location, StableIdentifier(calendarAt: location.path).text)
    return try shelf.cache.withLock {
      try $0.withFolder(machine.normalForm, at: machine.now(), body)
    }
  }

  /// Whether the last reading found an item; reads nothing.
  package func hasItem(_ uid: UID, in calendar: CalendarInfo) -> Bool {
    shelves.withLock { $0[calendar.id] }?.cache.withLock { $0.contains(uid) } ?? false
  }

  /// A number that differs after a change of a file's status, and the generation of the items as of
  /// ``generation(of:isRefreshed:)``.
  ///
  /// The first query after this need not list the folder again.
  func survey(of calendar: CalendarInfo) throws -> (status: Int, generation: Int?) {
    try shelf(of: calendar.location, calendar.id).cache.withLock { cache in
      let status = try cache.survey(machine.normalForm, at: machine.now())
      return (status, cache.generation > 0 ? cache.generation : nil)
    }
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

  private func shelf(of location: CalendarLocation, _ id: String) -> Shelf {
    shelves.withLock { shelves in
      if let shelf = shelves[id] { return shelf }
      let usesCache = (try? configuration().usesCache) ?? true
      let shelf = Shelf(location, machine, usesCache: usesCache)
      shelves[id] = shelf
      return shelf
    }
  }
}

extension FileBatch {
  /// Creates a batch in the user's state folder.
  init(of machine: Machine) {
    self.init(journal: machine.stateFolder + "/batches")
  }
}
