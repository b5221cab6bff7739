// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// Opens local calendars: a path that ends in `.ics` is a file, any other path is a folder.
public enum LocalCalendars {
  /// The purpose for which a calendar is opened.
  public enum Purpose: Hashable, Sendable {
    /// Nothing is written, leftover temporary files are kept, and every change is refused.
    case reading
    /// The folder must exist: a missing folder may be on a disk that is not mounted.
    case writing
    /// A missing folder is created with its parents.
    case creating
  }

  /// Opens a calendar.
  ///
  /// - Parameters:
  ///   - path: The path of the file or folder.
  ///   - purpose: The purpose for which it is opened.
  ///   - names: The names by which syncs know items, for files with the same UID.
  /// - Returns: A `FileCalendar`, a `FolderCalendar`, or the calendar in the ledger that knows the names.
  /// - Throws: `StoreError`; a missing file is an empty calendar instead of an error.
  public static func open(
    path: String, for purpose: Purpose, knowing names: KnownNames = .none
  ) throws(StoreError) -> any LocalCalendar {
    if let name = databaseName(at: path), let open = names.openStored { return open(name, purpose) }
    return try openEditable(path: path, for: purpose, knowing: names)
  }

  /// The beginning of the locations of calendars in a ledger, with which no absolute path begins.
  private static let scheme = "database:"

  /// The location of a calendar in a ledger.
  public static func location(inDatabase name: String) -> String { scheme + name }

  /// The name of the calendar in a ledger at a location; nil for a path.
  public static func databaseName(at location: String) -> String? {
    location.hasPrefix(scheme) ? String(location.dropFirst(scheme.count)) : nil
  }

  /// Whether a name ends in `.ics`, in any case, because an overlooked file would look deleted.
  static func hasItemEnding(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let ending = name.suffix(4)
    guard ending.count == 4 else { return false }
    // This sets the bit of lowercase letters, which a full stop already has.
    return zip(ending, ".ics".utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}

// The asynchronous ports of a sync. Each requirement calls the synchronous function of the same
// name, which a caller outside of a task uses directly.

/// Calls a synchronous function from an asynchronous one of the same name.
///
/// An asynchronous function prefers asynchronous overloads; a synchronous closure in it does not.
private func synchronously<Result>(_ body: () throws -> Result) rethrows -> Result {
  try body()
}

extension FolderCalendar: LocalCalendar {
  /// Reads all files, in order of their names.
  public func scan() async throws -> LocalListing {
    try synchronously { try scan() }
  }

  /// Returns the contents, and reads only the files whose status has changed.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    try synchronously { try survey(since: snapshot, in: form, at: now) }
  }

  /// Reads the files with these names; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    try synchronously { try read(names, in: form) }
  }

  /// Reads the files of these records; missing ones are skipped.
  public func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing {
    try synchronously { try read(records, in: form) }
  }

  /// Applies the changes, each on its own condition, and makes them durable together.
  public func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    try synchronously { try apply(changes) }
  }

  /// The store for the metadata files of the folder.
  public var properties: (any CollectionPropertyStore)? { folderProperties }
}

extension FileCalendar: LocalCalendar {
  /// Returns true, because all items are in one file.
  public var isHandledAsWhole: Bool { true }

  /// Reads all items, in file order.
  public func scan() async throws -> LocalListing {
    try synchronously { try scan() }
  }

  /// Returns the contents, and reads the file only if its status has changed.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    try synchronously { try survey(since: snapshot, in: form, at: now) }
  }

  /// Reads the items with these UIDs; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    try synchronously { try read(names, in: form) }
  }

  /// Applies the changes whose conditions hold, with a single rewrite of the file.
  public func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    try synchronously { try apply(changes) }
  }
}

extension FolderAppender: LocalAppender {
  /// Creates the file for an item durably, with its name from `ItemName`, unless it exists.
  public func append(_ item: CalendarItem) async throws -> AppendOutcome {
    try synchronously { try append(item) }
  }
}

extension FolderProperties: CollectionPropertyStore {
  /// Reads the existing files.
  public func collectionProperties() async throws -> CollectionProperties {
    try synchronously { try collectionProperties() }
  }

  /// Writes the file of a property, or removes it for nil.
  public func set(
    _ property: CollectionProperty, to value: String?
  ) async throws -> CollectionPropertyOutcome {
    try synchronously { try set(property, to: value) }
  }
}
