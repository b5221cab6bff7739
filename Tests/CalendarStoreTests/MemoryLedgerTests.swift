// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The double that the engine is tested with is held to what the database is held to.
@Suite struct MemoryLedgerTests {
  @Test(arguments: LedgerContract.clauses)
  func theContractIsKept(clause: LedgerContract.Clause) async throws {
    try await clause.check(MemoryLedger())
  }
}
