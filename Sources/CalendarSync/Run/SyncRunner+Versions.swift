// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The remote versions of unresolved conflicts.
extension SyncRunner {
  /// Caches the stored versions of conflicts, which need not be fetched while their ETags match.
  ///
  /// Exceptions are items of an interrupted run, and content that was sent but not read back,
  /// because the server may have altered it.
  func keepVersions(of conflicts: [StoredConflict], _ intents: [Intent]) async throws {
    guard !conflicts.isEmpty else { return }
    let entries = try await ledger.entries(of: binding, for: conflicts.map(\.uid))
    let unseen = Set(entries.filter(\.isUnseen).map(\.uid)).union(intents.map(\.uid))
    for conflict in conflicts where !unseen.contains(conflict.uid) {
      guard let href = conflict.href, let etag = conflict.etag, let bytes = conflict.remote,
        let item = try? CalendarItem(parsing: bytes, normalForm: merge.normalForm)
      else { continue }
      versions[RemoteEntry(href: href, etag: etag)] = item
    }
  }
}
