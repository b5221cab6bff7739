// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

/// A pending conflict and its sync.
struct WaitingConflict: Sendable {
  /// The name of the sync.
  let sync: String
  /// The binding of the sync.
  let binding: SyncBinding
  /// The stored versions.
  let stored: StoredConflict

  var uid: UID { stored.uid }
}
