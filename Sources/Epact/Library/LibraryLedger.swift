// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Synchronization

/// A ledger that stays open for reading.
struct OpenLedger: Sendable {
  let database: LedgerDatabase
  let place: Place

  /// The opened file or database.
  enum Place: Sendable {
    case file(FileVersion)
    case database(LedgerSettings)
  }

  /// Whether this is the ledger of a place that was found now.
  func isAt(_ other: Place?) -> Bool {
    switch (place, other) {
    case (.file(let known), .file(let found)?): found.isSameFile(as: known)
    case (.database(let known), .database(let found)?): known == found
    default: false
    }
  }
}

extension CalendarLibrary {
  /// Reads the ledger by a connection that stays open until another file or database takes the place of
  /// the ledger.
  ///
  /// - Throws: `StoreError`; errors of the closure.
  func readLedger<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result
  ) throws -> Result {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    do {
      return try open(in: folder).read(body)
    } catch let error as StoreError where error.code == .interrupted {
      // Opening the ledger again repairs a write that was cut off.
      openLedger.withLock { $0 = nil }
      return try open(in: folder).read(body)
    }
  }

  private func open(in folder: LedgerFolder) throws -> LedgerDatabase {
    let place = try place(of: folder)
    return try openLedger.withLock { known in
      if let known, known.isAt(place) { return known.database }
      let database = try folder.openForViewing()
      // An empty ledger in the place of a missing one would stay empty.
      known = database.isStored ? place.map { OpenLedger(database: database, place: $0) } : nil
      return database
    }
  }

  /// The place of the ledger; nil for a file that is missing.
  private func place(of folder: LedgerFolder) throws -> OpenLedger.Place? {
    if let settings = try file.ledgerSettings() { return .database(settings) }
    return FileVersion(ofFileAt: folder.file, at: machine.now()).map { .file($0) }
  }

  /// Opens the ledger for writing.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid; `StoreError`.
  func writableLedger() throws -> LedgerDatabase {
    try LedgerFolder(machine: machine, isReadOnly: false)
      .openDatabase(historyDays: try configuration().historyDays)
  }
}
