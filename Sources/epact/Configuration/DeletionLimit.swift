// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// How many deletions on one side are believed.
package enum DeletionLimit: Sendable, Hashable {
  /// So many items, or a quarter of all, whichever is more.
  case items(Int)
  /// So much of all items, from 0 through 100.
  case percent(Int)
}

extension SyncSettings {
  /// What stands against deletions, as it is configured.
  var safeguards: Safeguards {
    var safeguards = Safeguards()
    switch maxDelete {
    case .items(let number)?: safeguards.deletions = number
    case .percent(let share)?: (safeguards.deletions, safeguards.percent) = (0, share)
    case nil: break
    }
    return safeguards
  }
}
