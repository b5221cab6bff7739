// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Runs that go wrong.
extension SyncScene {
  /// Runs the sync and ends the process before a call; the sides and the ledger stay as they are.
  func crash(
    before call: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await crash(call, .crashBefore, sourceLocation)
  }

  /// Runs the sync and ends the process after a call.
  func crash(
    after call: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await crash(call, .crashAfter, sourceLocation)
  }

  private func crash(
    _ call: String, _ fault: FaultPlan.Fault, _ sourceLocation: SourceLocation
  ) async throws {
    faults.restart(named: [call: fault])
    await #expect(throws: FaultPlan.Crash.self, sourceLocation: sourceLocation) { try await sync() }
    faults.restart()
  }
}
