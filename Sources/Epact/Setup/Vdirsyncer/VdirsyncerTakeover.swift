// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
package import CalendarSync

/// Takes over the syncs of a migration, one pair after another.
package struct VdirsyncerTakeover: Sendable {
  /// The result of a takeover.
  package struct Result: Sendable {
    /// The names of the new syncs.
    package fileprivate(set) var names: [String] = []
    /// For each new sync with a status, what was learned from it.
    package fileprivate(set) var seeds: [VdirsyncerSeed.Result] = []
  }

  private let migration: VdirsyncerMigration
  private let file: ConfigurationFile
  private let machine: Machine

  /// Creates a takeover into a configuration.
  package init(_ migration: VdirsyncerMigration, addingTo file: ConfigurationFile, machine: Machine)
  {
    self.migration = migration
    self.file = file
    self.machine = machine
  }

  /// Writes the configuration and the grants, and then what the status says into the ledger.
  ///
  /// With full access, the servers are asked for which kinds of items the calendars are, and whether they
  /// may only be read. The configuration of vdirsyncer does not say so.
  ///
  /// - Parameters:
  ///   - access: The tier to grant to each remote.
  ///   - purpose: The purpose of the access.
  ///   - writer: Writes the configuration.
  /// - Returns: The new syncs.
  /// - Throws: The errors of the writer, of the ledger and of the remotes.
  package func carryOut(
    access: AccessTier, purpose: Purpose, by writer: SetupWriter
  ) async throws -> Result {
    var result = Result()
    // The files of passwords that several pairs share.
    var passwords: [String: SetupPlan.Password] = [:]
    for pair in migration.pairs {
      let configuration = try file.load()
      var entries: [SetupPlan.Entry] = []
      for collection in pair.collections {
        entries.append(
          SetupPlan.Entry(
            title: collection.title, kind: collection.kind, location: collection.location,
            path: collection.path, policy: pair.policy, in: configuration, beside: entries))
      }
      var requests: [AccessRequest] = []
      if access == .full {
        await limit(&entries, of: pair, noting: &requests)
      }
      let password = passwords[pair.storage] ?? pair.storedPassword(beside: file.path)
      let plan = try await writer.carryOut(
        SetupPlan(
          entries: entries, user: pair.user, password: password, identity: pair.identity,
          access: access, purpose: purpose, requests: requests))
      if !plan.entries.isEmpty, case .new(_, .file(let path)) = password {
        passwords[pair.storage] = .file(path)
      }
      result.names += plan.entries.map(\.name)
      guard access == .full else { continue }
      let added = Set(plan.entries.map(\.name))
      let extended = try file.load()
      for (entry, collection) in zip(entries, pair.collections) where added.contains(entry.name) {
        let seed = try VdirsyncerSeed(collection, to: entry.name, in: extended, machine: machine)
        if let found = try await seed?.store() { result.seeds.append(found) }
      }
    }
    return result
  }

  /// Gives entries the kinds of items and the permission that their server states.
  ///
  /// A server that does not answer states nothing; the first sync reports why.
  private func limit(
    _ entries: inout [SetupPlan.Entry], of pair: VdirsyncerMigration.Pair,
    noting requests: inout [AccessRequest]
  ) async {
    guard let first = entries.first(where: { $0.kind == "caldav" }) else { return }
    let search = CalendarSearch(
      account: SetupAccount(text: first.location), user: pair.user ?? "", identity: pair.identity,
      machine: machine)
    let found = try? await search.calendars(with: pair.password, noting: &requests) { _ in false }
    func key(_ address: String) -> String? {
      (try? RemoteURL(parsing: address))?.asCollection.normalized
    }
    let stated = Dictionary(
      (found ?? []).compactMap { calendar in key(calendar.address).map { ($0, calendar) } }
    ) { first, _ in first }
    for place in entries.indices {
      guard let calendar = key(entries[place].location).flatMap({ stated[$0] }) else { continue }
      (entries[place].kinds, entries[place].isReadOnly) = (calendar.kinds, calendar.isReadOnly)
    }
  }
}

extension VdirsyncerMigration.Pair {
  /// The password, in a new private file if the configuration contains it.
  fileprivate func storedPassword(beside configuration: String) -> SetupPlan.Password {
    guard case .new(let secret, _) = password else { return password }
    let path = SetupPlan.passwordPath(for: storage, configuration: configuration)
    return .new(secret, .file(path))
  }
}
