// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
package import CalendarSync

/// Takes over the syncs of a migration, one pair after another.
///
/// A pair whose server cannot be asked is left out as a whole. Without the status, its first sync would
/// bring back deleted items, and would take edits of one side for edits of both. For the same reason,
/// the status is also taken over for a sync that the configuration has already, until its first run.
package struct VdirsyncerTakeover: Sendable {
  /// The result of a takeover.
  package struct Result: Sendable {
    /// The names of the syncs that are new, or whose status was taken over.
    package fileprivate(set) var names: [String] = []
    /// For each of these syncs with a status, what was learned from it.
    package fileprivate(set) var seeds: [VdirsyncerSeed.Result] = []
    /// The pairs of which nothing was taken over, with the errors.
    package fileprivate(set) var leftPairs: [Failed] = []
    /// The syncs whose status was not taken over, with the errors.
    package fileprivate(set) var leftSyncs: [Failed] = []
  }

  /// A pair or a sync that could not be taken over.
  package struct Failed: Sendable {
    /// The name.
    package let name: String
    /// The reason.
    package let error: EpactError
  }

  private let migration: VdirsyncerMigration
  private let file: ConfigurationFile
  private let machine: Machine
  private let access: AccessTier
  private let purpose: Purpose

  /// Creates a takeover into a configuration.
  ///
  /// - Parameters:
  ///   - migration: The syncs.
  ///   - file: The configuration.
  ///   - machine: The machine with the ledger.
  ///   - access: The tier to grant to each remote.
  ///   - purpose: The purpose of the access.
  package init(
    _ migration: VdirsyncerMigration, addingTo file: ConfigurationFile, machine: Machine,
    access: AccessTier, purpose: Purpose
  ) {
    self.migration = migration
    self.file = file
    self.machine = machine
    self.access = access
    self.purpose = purpose
  }

  /// Writes the configuration and the grants, and then what the status says into the ledger.
  ///
  /// With full access, the servers are asked for which kinds of items the calendars are, and whether they
  /// may only be read. The configuration of vdirsyncer does not say so.
  ///
  /// - Parameter writer: Writes the configuration.
  /// - Returns: The syncs, and what could not be taken over.
  /// - Throws: The errors of the writer and of the ledger.
  package func carryOut(by writer: SetupWriter) async throws -> Result {
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
        do throws(EpactError) {
          try await limit(&entries, of: pair, noting: &requests)
        } catch {
          result.leftPairs.append(Failed(name: pair.name, error: error))
          continue
        }
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
      for (entry, collection) in zip(entries, pair.collections) {
        try await seed(collection, of: plan.known[entry.name] ?? entry.name, noting: &result)
      }
    }
    return result
  }

  /// Takes over the status of a collection whose sync has not run yet.
  private func seed(
    _ collection: VdirsyncerMigration.Collection, of remote: String, noting result: inout Result
  ) async throws {
    let configuration = try file.load()
    let sync = try configuration.syncs.first { sync in
      try sync.remote == remote
        && SyncBinding(of: sync, in: configuration, machine).local == collection.path
    }
    guard let sync, try await isNew(sync, in: configuration),
      let seed = try VdirsyncerSeed(collection, to: sync.name, in: configuration, machine: machine)
    else { return }
    do {
      result.seeds.append(try await seed.store())
      if !result.names.contains(sync.name) { result.names.append(sync.name) }
    } catch {
      result.leftSyncs.append(Failed(name: sync.name, error: EpactError(describing: error)))
    }
  }

  /// Whether the sides of a sync have agreed on no item yet.
  private func isNew(_ sync: SyncSettings, in configuration: Configuration) async throws -> Bool {
    let ledger = try LedgerFolder(machine: machine, isReadOnly: false)
      .openLedger(historyDays: configuration.historyDays)
    let binding = try SyncBinding(of: sync, in: configuration, machine)
    return try await ledger.places(of: binding).isEmpty
  }

  /// Gives entries the kinds of items and the permission that their server states.
  ///
  /// A server without a list of its calendars states nothing.
  ///
  /// - Throws: `EpactError` if the server does not answer, or rejects the credentials.
  private func limit(
    _ entries: inout [SetupPlan.Entry], of pair: VdirsyncerMigration.Pair,
    noting requests: inout [AccessRequest]
  ) async throws(EpactError) {
    guard let first = entries.first(where: { $0.kind == "caldav" }) else { return }
    let search = CalendarSearch(
      account: SetupAccount(text: first.location), user: pair.user ?? "", identity: pair.identity,
      machine: machine)
    var found: [CalendarSearch.Found] = []
    do {
      found = try await search.calendars(with: pair.password, noting: &requests) { _ in false }
    } catch {
      let error = EpactError(describing: error)
      guard ![.unavailable, .noAccess, .interrupted].contains(error.code) else { throw error }
    }
    func key(_ address: String) -> String? {
      (try? RemoteURL(parsing: address))?.asCollection.normalized
    }
    let stated = Dictionary(
      found.compactMap { calendar in key(calendar.address).map { ($0, calendar) } }
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
