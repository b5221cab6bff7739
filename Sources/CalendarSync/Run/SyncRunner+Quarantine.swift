// SPDX-License-Identifier: Apache-2.0

/// What failed in runs before, and what fails in this one.
extension SyncRunner {
  /// Remembers what failed in runs before.
  func openQuarantine() async throws {
    quarantine = Quarantine(try await ledger.quarantine(of: binding), at: now())
  }

  /// Writes down which items failed.
  func keepQuarantine(_ summary: RunSummary, isCutShort: Bool, in run: RunID) async throws {
    let items = quarantine.items(hasChanges: summary.hasChanges, isCutShort: isCutShort)
    if items != quarantine.before { try await ledger.store(items, in: run) }
  }
}
