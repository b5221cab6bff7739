// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// An item of a local calendar that was restored from a backup, and the last agreed version.
struct RolledBackItem {
  /// The item in the calendar.
  let held: CalendarItem
  /// The last agreed version; nil if it was deleted on both sides.
  let agreed: CalendarItem?
  /// The change that restores the agreed version.
  let change: LocalChange

  /// The items that a restored calendar holds, except those that are missing.
  ///
  /// - Throws: Errors of the ledger.
  static func find(
    _ rollback: LocalRollback, in listing: LocalListing, of binding: SyncBinding,
    _ form: NormalForm, _ ledger: any Ledger
  ) async throws -> [RolledBackItem] {
    let uids = Set(rollback.items.keys)
    let entries = Dictionary(
      try await ledger.entries(of: binding, for: uids.inOrder()).map { ($0.uid, $0) }
    ) { first, _ in first }
    return listing.entries.filter { uids.contains($0.item.uid) }.sorted {
      $0.item.uid < $1.item.uid
    }.compactMap { held in
      guard let entry = entries[held.item.uid] else {
        return RolledBackItem(
          held: held.item, agreed: nil, change: .delete(name: held.name, from: held.revision))
      }
      guard let base = entry.base, let item = try? CalendarItem(parsing: base, normalForm: form)
      else { return nil }
      return RolledBackItem(
        held: held.item, agreed: item,
        change: .update(name: held.name, from: held.revision, to: item))
    }
  }

  /// The item in the result of the restoration.
  var restored: Restoration.Item {
    Restoration.Item(
      uid: held.uid, title: agreed?.title ?? held.title,
      action: agreed == nil ? .deleted : .replaced, source: .ledger)
  }

  /// The change for the history.
  func intent(in calendar: String) -> Intent {
    Intent(
      uid: held.uid, action: agreed == nil ? .deleteLocal : .updateLocal,
      content: agreed?.serialized(), fingerprint: nil, before: held.serialized(),
      href: Href(calendar), etag: nil)
  }
}
