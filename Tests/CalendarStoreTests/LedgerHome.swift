// SPDX-License-Identifier: Apache-2.0

import CalendarStore
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

  private let place: Place

  init(_ kind: Kind = .current) throws {
    switch kind {
    case .sqlite: place = .file(try TemporaryFolder())
    case .postgreSQL:
      let server = try PostgreSQLServer.shared()
      let address = server.address(of: try server.makeDatabase())
      place = .database(
        PostgreSQLPlace(address: try PostgreSQLAddress(address), tenant: "ada"))
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
