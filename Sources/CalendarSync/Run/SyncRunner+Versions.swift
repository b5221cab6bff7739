// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The remote versions of conflicts that wait.
extension SyncRunner {
  /// Remembers the versions that need not be fetched again, because their tags tell what they are.
  ///
  /// What a run was about to change when it was cut off is fetched, and so is what was sent and never
  /// read since: a server may have made something else of it.
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
