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
    let place = try CalendarPlace(
      sync.calendar, configuration: configuration, machine: context.machine)
    let factory = RemoteFactory(machine: context.machine, log: context.log)
    self.init(
      name: sync.name, local: try place.open(for: .reading).location,
      remote: try factory.identity(of: remote), filter: sync.filter.text)
  }
}

extension Configuration {
  /// The syncs with these names, or all of them.
  ///
  /// - Throws: `Failure` if a name is unknown.
  func syncs(named names: [String]) throws(Failure) -> [SyncSettings] {
    guard !names.isEmpty else { return syncs }
    var found: [SyncSettings] = []
    for name in names {
      guard let sync = syncs.first(where: { $0.name == name }) else {
        let near = Suggestion.nearest(to: name, among: syncs.map(\.name))
        throw Failure(
          .configuration,
          near.map { "there is no sync \"\(name)\" in the configuration; did you mean \"\($0)\"?" }
            ?? "there is no sync \"\(name)\" in the configuration")
      }
      found.append(sync)
    }
    return found
  }
}
