// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact

/// A sync, and the items that were moved from its calendar to another.
struct MoveSource: Sendable {
  let sync: SyncSettings
  let uids: Set<UID>
}
