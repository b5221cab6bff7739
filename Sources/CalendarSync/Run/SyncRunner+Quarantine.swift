// SPDX-License-Identifier: Apache-2.0

/// The quarantine of a run.
extension SyncRunner {
  /// Loads the failures of earlier runs.
  func openQuarantine() async throws {
    quarantine = Quarantine(try await ledger.quarantine(of: binding), at: now())
  }

  /// Stores the failed items.
  func keepQuarantine(_ summary: RunSummary, isCutShort: Bool, in run: RunID) async throws {
    let items = quarantine.items(hasChanges: summary.hasChanges, isCutShort: isCutShort)
    if items != quarantine.before { try await ledger.store(items, in: run) }
  }
}
