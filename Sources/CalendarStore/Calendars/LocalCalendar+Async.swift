// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

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
