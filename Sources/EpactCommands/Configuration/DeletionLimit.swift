// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Epact

/// A limit of deletions on a side.
package enum DeletionLimit: Sendable, Hashable {
  /// This number of items, or a quarter of all, whichever is greater.
  case items(Int)
  /// This percentage of all items, from 0 through 100; two are always allowed unless it is 0.
  case percent(Int)
}

extension SyncSettings {
  /// The configured safeguards against deletions.
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
