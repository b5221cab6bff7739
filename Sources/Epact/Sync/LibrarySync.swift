// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension CalendarLibrary {
  /// Starts all syncs of the configuration in the background, unless some are running.
  ///
  /// Nothing is asked: a sync without access does nothing. The outcome of each sync is in the
  /// ledger.
  public func startSync() {
    let isFirst = isSyncing.withLock { isSyncing in
      defer { isSyncing = true }
      return !isSyncing
    }
    guard isFirst else { return }
    Task.detached { [self] in
      defer { isSyncing.withLock { $0 = false } }
      // Another process that syncs has the lock of the ledger.
      _ = try? await SyncSet(try configuration(), machine: machine).run()
    }
  }
}
