// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact

extension SyncBinding {
  /// Creates the binding of a configured sync; contacts no server.
  ///
  /// - Throws: `Failure` or `StoreError` if a side does not exist.
  init(of sync: SyncSettings, in configuration: Configuration, _ context: Context) throws {
    guard let remote = configuration.remotes[sync.remote] else {
      throw Failure(.configuration, "there is no remote \"\(sync.remote)\"")
    }
    let place = try CalendarLocation(
      sync.calendar, configuration: configuration, machine: context.machine)
    let factory = Remotes(machine: context.machine, log: context.log)
    self.init(
      name: sync.name, local: try place.open(for: .reading).location,
      remote: try factory.identity(of: remote), filter: sync.filter.text)
  }
}
