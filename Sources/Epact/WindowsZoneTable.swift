// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICUServices
import Synchronization

/// The Windows names of time zones, for the user's country.
///
/// `WindowsZoneNames` has the worldwide zones, and is newer than ICU's table on most systems. ICU
/// also has the zones of countries, which are used where its worldwide zone is the same. Its table
/// is loaded on demand: most files have no Windows names, and loading takes longer than reading
/// most files.
///
/// It is a class so that all users share the table.
final class WindowsZoneTable: Sendable {
  private struct State {
    var zones: WindowsZones?
    var isRead = false
  }

  private let state = Mutex(State())

  /// The zone for a Windows name, or nil if the name is unknown.
  func zone(for name: String, territory: String?) -> String? {
    let known = WindowsZoneNames.zone(named: name)
    guard known == nil || territory != nil else { return known }
    guard let zones, let zone = zones.zone(for: name) else { return known }
    return known == nil || known == zone ? zones.zone(for: name, territory: territory) : known
  }

  /// ICU's table, or nil if it cannot be loaded.
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
