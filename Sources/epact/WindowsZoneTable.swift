// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICUServices
import Synchronization

/// The names that Windows has for time zones, for the country of the person.
///
/// The zone for all the world is that of `WindowsZoneNames`, which is newer than ICU's table on most
/// systems. ICU knows the zones of single countries, and is asked where it agrees on the world. Its table
/// is read when a name is first asked for: most files have none, and reading it takes longer than
/// reading most files.
///
/// It is a class, because all who ask share the table.
final class WindowsZoneTable: Sendable {
  private struct State {
    var zones: WindowsZones?
    var isRead = false
  }

  private let state = Mutex(State())

  /// The zone that a name of Windows means, or nil if it is none.
  func zone(for name: String, territory: String?) -> String? {
    let known = WindowsZoneNames.zone(named: name)
    guard known == nil || territory != nil else { return known }
    guard let zones, let zone = zones.zone(for: name) else { return known }
    return known == nil || known == zone ? zones.zone(for: name, territory: territory) : known
  }

  /// ICU's table, or nil if it cannot be read.
  private var zones: WindowsZones? {
    state.withLock { state in
      if !state.isRead {
        state.isRead = true
        state.zones = try? WindowsZones()
      }
      return state.zones
    }
  }
}
