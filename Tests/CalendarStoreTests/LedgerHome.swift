// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Synchronization
import TestSupport
import Testing

/// An empty place for a ledger, in one of the two databases.
struct LedgerHome {
  /// The kind of database.
  enum Kind: String, CaseIterable {
    case sqlite, postgreSQL

    /// The kind that the test at hand uses.
    @TaskLocal static var current = Kind.sqlite
  }

  private enum Place {
    case file(TemporaryFolder)
    case database(PostgreSQLPlace)
  }

  /// The database of all tests, each of which is a tenant: to make one takes longer than a test.
  private static let database = Result { try PostgreSQLServer.shared().makeDatabase() }
  private static let tenants = Atomic(0)

  private let place: Place

  init(_ kind: Kind = .current) throws {
    switch kind {
    case .sqlite: place = .file(try TemporaryFolder())
    case .postgreSQL:
      let database = try Self.database.get()
      let number = Self.tenants.wrappingAdd(1, ordering: .relaxed).newValue
      let address = try PostgreSQLAddress(PostgreSQLServer.shared().address(of: database))
      place = .database(PostgreSQLPlace(address: address, tenant: "tenant \(number)"))
    }
  }

  /// Opens the ledger for writing, with a lease where there is one.
  func open(historyDays: Int = 30) throws -> LedgerDatabase {
    switch place {
    case .file(let folder):
      try LedgerDatabase(path: folder.path(of: "ledger.sqlite"), historyDays: historyDays)
    case .database(let place):
      try LedgerDatabase(
        at: place, taking: LedgerLease(holder: "test"), historyDays: historyDays)
    }
  }

  /// Opens the ledger for writing, as a command that is no run of a sync does.
  func openWithoutLease() throws(StoreError) -> LedgerDatabase {
    switch place {
    case .file(let folder): try LedgerDatabase(path: folder.path(of: "ledger.sqlite"))
    case .database(let place): try LedgerDatabase(at: place, taking: nil)
    }
  }

  /// The database; nil for a file.
  var databasePlace: PostgreSQLPlace? {
    if case .database(let place) = place { place } else { nil }
  }

  /// Opens the ledger for reading.
  func reader() throws -> LedgerDatabase {
    switch place {
    case .file(let folder): try LedgerDatabase(reading: folder.path(of: "ledger.sqlite"))
    case .database(let place): try LedgerDatabase(reading: place)
    }
  }
}

/// Runs each test of a suite with each kind of database.
struct EachLedger: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for kind in LedgerHome.Kind.allCases {
      await LedgerHome.Kind.$current.withValue(kind) {
        do {
          try await function()
        } catch {
          Issue.record("\(kind): \(error)")
        }
      }
    }
  }
}

extension Trait where Self == EachLedger {
  static var eachLedger: EachLedger { EachLedger() }
}
