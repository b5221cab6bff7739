// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// How many deletions on one side are believed.
package enum DeletionLimit: Sendable, Hashable {
  /// So many items, or a quarter of all, whichever is more.
  case items(Int)
  /// So much of all items, from 0 through 100; two may always go, unless it is 0.
  case percent(Int)
}

extension SyncSettings {
  /// What stands against deletions, as it is configured.
  var safeguards: Safeguards {
    var safeguards = Safeguards()
    switch maxDelete {
    case .items(let number)?: safeguards.deletions = number
    case .percent(0)?: (safeguards.deletions, safeguards.percent) = (0, 0)
    case .percent(let share)?: safeguards.percent = share
    case nil: break
    }
    return safeguards
  }
}
