// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
public import CivilTime

/// A calendar without a folder, whose items are rows of the ledger.
///
/// It is for accounts that many machines sync: each of them sees the same items, and a machine that lost
/// its lease changes none of them. Each item is stored byte for byte, and its name is its UID.
public struct DatabaseCalendar: LocalCalendar {
  /// The name of the calendar, which is unique in the ledger.
  public let name: String
  private let purpose: LocalCalendars.Purpose
  private let ledger: @Sendable () throws(StoreError) -> LedgerDatabase

  /// Takes a calendar; opens nothing.
  ///
  /// A calendar that is not stored is empty.
  ///
  /// - Parameters:
  ///   - name: The name of the calendar.
  ///   - purpose: The purpose for which it is opened.
  ///   - ledger: Returns the ledger.
  init(
    _ name: String, for purpose: LocalCalendars.Purpose,
    opening ledger: @escaping @Sendable () throws(StoreError) -> LedgerDatabase
  ) {
    (self.name, self.purpose, self.ledger) = (name, purpose, ledger)
  }

  /// The location, which is no path.
  public var location: String { LocalCalendars.location(inDatabase: name) }

  // MARK: Reading

  /// Reads all items, in order of their UIDs.
  public func scan() async throws -> LocalListing {
    let rows = try await ledger().read { [name] in try $0.storedItems(of: name) }
    return Self.listing(rows, in: NormalForm())
  }

  /// Lists all items, and reads only those that were never read in this form.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let ledger = try ledger()
    let key = form.cacheKey
    let (version, rows) = try await ledger.read { [name] transaction in
      (
        try transaction.version(ofStoredCalendar: name),
        try transaction.storedRecords(of: name, in: key)
      )
    }
    var (records, unknown): ([LocalRecord], [UID]) = ([], [])
    for row in rows {
      if let record = row.record { records.append(record) } else { unknown.append(row.uid) }
    }
    let read = try await read(unknown.map(\.rawValue), in: form)
    let new = read.entries.map { entry in
      LocalRecord(
        name: entry.name, revision: entry.revision, uid: entry.item.uid,
        fingerprint: entry.item.fingerprint)
    }
    if !new.isEmpty, purpose != .reading {
      try await ledger.write { [name] transaction in
        for record in new { try transaction.note(record, in: key, ofStoredCalendar: name) }
      }
    }
    let current = LocalSnapshot(Array("epact database 1 \(version) \(key)".utf8))
    return LocalSurvey(
      isUnchanged: snapshot == current && read.unreadable.isEmpty, unreadable: read.unreadable,
      snapshot: current
    ) { [records] in records + new }
  }

  /// Reads the items with these UIDs; missing ones are skipped.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    guard !names.isEmpty else { return LocalListing() }
    let rows = try await ledger().read { [name] transaction in
      try names.compactMap { try transaction.storedItem(UID($0), of: name) }
    }
    return Self.listing(rows, in: form)
  }

  private static func listing(_ rows: [StoredItem], in form: NormalForm) -> LocalListing {
    var listing = LocalListing()
    for row in rows {
      do throws(ItemError) {
        let item = try CalendarItem(parsing: row.content, normalForm: form)
        listing.entries.append(
          LocalEntry(name: row.uid.rawValue, revision: row.revision, item: item))
      } catch {
        listing.unreadable.append(
          UnreadableEntry(name: row.uid.rawValue, reason: error.description))
      }
    }
    return listing
  }

  // MARK: Writing

  /// Makes the changes whose conditions hold, in one transaction.
  public func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    guard purpose != .reading else { throw StoreError.readOnly(location) }
    guard !changes.isEmpty else { return [] }
    return try await ledger().write { [name] transaction in
      let outcomes = try changes.map { try Self.make($0, in: name, transaction) }
      let isChanged = outcomes.contains { outcome in
        if case .done = outcome { true } else { false }
      }
      if isChanged { try transaction.raiseVersion(ofStoredCalendar: name) }
      return outcomes
    }
  }

  private static func make(
    _ change: LocalChange, in calendar: String, _ transaction: borrowing LedgerTransaction
  ) throws -> LocalOutcome {
    switch change {
    case .create(let item):
      let row = StoredItem(uid: item.uid, content: item.serialized(forStorage: true))
      guard try transaction.add(row, to: calendar) else { return .conditionFailed }
      return .done(name: item.uid.rawValue, revision: row.revision)
    case .update(let name, let revision, let item):
      guard item.uid.rawValue == name else {
        return .failed(reason: "the new version has another UID")
      }
      let row = StoredItem(uid: item.uid, content: item.serialized(forStorage: true))
      return try replace(row, revision, in: calendar, transaction)
    case .putBack(let name, let revision, let bytes):
      return try replace(
        StoredItem(uid: UID(name), content: bytes), revision, in: calendar, transaction)
    case .delete(let name, let revision):
      let isDone = try transaction.removeStoredItem(UID(name), revision, of: calendar)
      return isDone ? .done(name: name, revision: nil) : .conditionFailed
    }
  }

  private static func replace(
    _ row: StoredItem, _ revision: Revision, in calendar: String,
    _ transaction: borrowing LedgerTransaction
  ) throws -> LocalOutcome {
    guard try transaction.replace(row, from: revision, of: calendar) else {
      return .conditionFailed
    }
    return .done(name: row.uid.rawValue, revision: row.revision)
  }
}
