// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A sync, and the items that left its calendar for that of another.
struct MoveSource: Sendable {
  let sync: SyncSettings
  let uids: Set<UID>
}
