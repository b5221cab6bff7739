// SPDX-License-Identifier: Apache-2.0

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
      let password = passwords[pair.storage] ?? pair.storedPassword(beside: file.path)
      let plan = try await writer.carryOut(
        SetupPlan(
          entries: entries, user: pair.user, password: password, identity: pair.identity,
          access: access, purpose: purpose, requests: []))
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
}

extension VdirsyncerMigration.Pair {
  /// The password, in a new private file if the configuration contains it.
  fileprivate func storedPassword(beside configuration: String) -> SetupPlan.Password {
    guard case .new(let secret, _) = password else { return password }
    let path = SetupPlan.passwordPath(for: storage, configuration: configuration)
    return .new(secret, .file(path))
  }
}
