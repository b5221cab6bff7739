// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A conflict that waits, and the sync it is of.
struct WaitingConflict: Sendable {
  /// The name of the sync.
  let sync: String
  /// What the sync is bound to.
  let binding: SyncBinding
  /// The versions.
  let stored: StoredConflict

  /// The item.
  var uid: UID { stored.uid }
}
