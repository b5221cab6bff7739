// SPDX-License-Identifier: Apache-2.0

import ICUServices
import Synchronization

/// ICU's table of the names that Windows has for time zones, which is read when a name is first asked
/// for: most files have none, and reading it takes longer than reading most files.
///
/// It is a class, because all who ask share the table.
final class WindowsZoneTable: Sendable {
  private struct State {
    var zones: WindowsZones?
    var isRead = false
  }

  private let state = Mutex(State())

  /// The zone that a name of Windows means, or nil if it is none, or ICU has no table.
  func zone(for name: String, territory: String?) -> String? {
    let zones = state.withLock { state in
      if !state.isRead {
        state.isRead = true
        state.zones = try? WindowsZones()
      }
      return state.zones
    }
    return zones?.zone(for: name, territory: territory)
  }
}
