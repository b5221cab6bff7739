// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
package import CalendarSync

/// The settings of the sync of a whole account: a folder of folders, and all calendars of a user.
package struct AccountSyncSettings: Sendable, Hashable {
  /// The settings that the sync of each calendar inherits; the remote is the account.
  package let settings: SyncSettings
  /// The absolute path of the folder of folders.
  package let folder: String
  /// The calendars to sync.
  package let selection: CollectionSelection

  /// The name of the sync.
  package var name: String { settings.name }
  /// The name of the account.
  package var account: String { settings.remote }
}

/// The calendars of accounts, as ordinary calendars, remotes and syncs.
///
/// The calendar `work` of the sync `home` becomes a calendar, a remote and a sync of the name
/// `home/work`, so that all functions treat it like a configured one. Nothing else knows of
/// accounts.
extension Configuration {
  /// Replaces the calendars of an account's sync.
  package mutating func expand(_ sync: AccountSyncSettings, to pairs: [KnownCollection]) {
    for old in syncs where old.account == sync.name {
      calendars[old.calendar] = nil
      remotes[old.remote] = nil
    }
    syncs.removeAll { $0.account == sync.name }
    guard let account = accounts[sync.account] else { return }
    for pair in pairs.sorted(by: { $0.id < $1.id }) {
      guard let kind = account.calendar(at: pair.location) else { continue }
      let name = "\(sync.name)/\(pair.folder)"
      remotes[name] = RemoteSettings(name: name, kind: kind)
      calendars[name] = CalendarSettings(
        name: name, path: "\(sync.folder)/\(pair.folder)",
        kinds: Self.kinds(of: pair, sync.settings.filter),
        isReadOnly: pair.components?.isEmpty == true)
      syncs.append(sync.settings.applied(to: name))
    }
  }

  /// Adds the calendars of an account's sync that another version of the configuration knows, without
  /// syncs of them.
  ///
  /// A mirror reads and writes their folders, also if the server cannot list them.
  mutating func addCalendars(of sync: AccountSyncSettings, knownTo other: Configuration) {
    calendars.merge(other.calendars.filter { $0.key.hasPrefix(sync.name + "/") }) { own, _ in own }
  }

  /// The configuration as in its file, without the calendars that were found in accounts.
  package var withoutFoundCalendars: Configuration {
    accountSyncs.reduce(into: self) { $0.expand($1, to: []) }
  }

  /// The names of all syncs, those of accounts last.
  package var syncNames: [String] { syncs.map(\.name) + accountSyncs.map(\.name) }

  /// Whether there is anything to sync.
  package var hasSyncs: Bool { !syncs.isEmpty || !accountSyncs.isEmpty }

  /// The kinds of new items of a calendar.
  private static func kinds(of pair: KnownCollection, _ filter: ItemFilter) -> Set<ItemKind> {
    // A calendar that can only be read has none.
    let components = pair.components.flatMap { $0.isEmpty ? nil : $0 }
    let kinds = components.map { Set($0.compactMap(ItemKind.init)) }
    let allowed = filter.kinds ?? CalendarInfo.standardKinds
    let common = kinds.map { $0.intersection(allowed) } ?? allowed
    return common.isEmpty ? kinds ?? allowed : common
  }

  /// Adds the calendars that the ledger knows; a file that cannot be read has none.
  ///
  /// Who uses the file reports its error.
  ///
  /// - Throws: `StoreError` if the ledger is in a database that cannot be read: without its calendars,
  ///   views would be incomplete.
  package mutating func expand(from folder: LedgerFolder, _ machine: Machine) throws {
    guard !accountSyncs.isEmpty else { return }
    do {
      let ledger = try folder.openDatabase()
      expand(to: try knownCollections(machine) { try ledger.read($0) })
    } catch {
      if self.ledger != nil { throw error }
    }
  }

  /// The calendars of each account's sync that the ledger knows, which `read` reads.
  func knownCollections(
    _ machine: Machine,
    _ read: ((borrowing LedgerTransaction) throws -> [KnownCollection]) throws -> [KnownCollection]
  ) throws -> [String: [KnownCollection]] {
    var known: [String: [KnownCollection]] = [:]
    for sync in accountSyncs {
      guard let binding = try? binding(of: sync, machine) else { continue }
      known[sync.name] = try read { try $0.collections(of: binding) }
    }
    return known
  }

  /// Replaces the calendars of accounts' syncs, by the names of the syncs.
  mutating func expand(to known: [String: [KnownCollection]]) {
    for sync in accountSyncs {
      guard let pairs = known[sync.name] else { continue }
      expand(
        sync, to: pairs.filter { sync.selection.contains($0.id, isHere: true, isThere: true) })
    }
  }

  /// The binding of an account's sync in the ledger.
  ///
  /// - Throws: `EpactError` if there is no such account.
  package func binding(
    of sync: AccountSyncSettings, _ machine: Machine
  ) throws -> AccountBinding {
    AccountBinding(
      name: sync.name, local: sync.folder,
      remote: try Remotes(machine: machine).identity(of: try account(of: sync)))
  }

  /// The account of a sync.
  ///
  /// - Throws: `EpactError` if there is no such account.
  package func account(of sync: AccountSyncSettings) throws(EpactError) -> RemoteSettings {
    guard let account = accounts[sync.account] else {
      throw EpactError.unknown(
        sync.account, what: "account", known: accounts.keys.sorted())
    }
    return account
  }

  /// The syncs of accounts with these names, or all of them.
  package func accountSyncs(named names: [String]) -> [AccountSyncSettings] {
    names.isEmpty ? accountSyncs : accountSyncs.filter { names.contains($0.name) }
  }

  // MARK: Access

  /// The names of everything to which access is granted: remotes and accounts.
  package var grantNames: [String] {
    (remotes.values.filter { $0.account == nil && $0.needsGrant }.map(\.name) + accounts.keys)
      .sorted()
  }

  /// The remote or the account to which access is granted under a name.
  ///
  /// The name of a calendar of an account denotes the account.
  package func grantee(_ name: String) -> RemoteSettings? {
    guard let remote = remotes[name] else { return accounts[name] }
    return remote.needsGrant ? accounts[remote.grantName] ?? remote : nil
  }

  /// The syncs that use a grant.
  package func syncs(grantedBy name: String) -> [SyncSettings] {
    accounts[name] == nil
      ? syncs.filter { $0.remote == name }
      : accountSyncs.filter { $0.account == name }.map(\.settings)
  }
}

extension SyncSettings {
  /// The same settings for a calendar of the account.
  fileprivate func applied(to name: String) -> SyncSettings {
    var settings = SyncSettings(
      name: name, calendar: name, remote: name, maxDelete: maxDelete, verifyDays: verifyDays,
      policies: policies, filter: filter, direction: direction, access: access,
      purpose: purpose)
    settings.account = self.name
    return settings
  }
}

extension RemoteSettings {
  /// The settings of a calendar of this account; nil if the place is not one of the account.
  fileprivate func calendar(at place: String) -> Kind? {
    switch kind {
    case .calDAV(let server):
      let own = CalDAVAccount(
        address: server.address, credentials: nil, transport: NoTransport())
      // The ledger may be older than the address of the account.
      guard let address = try? RemoteURL(parsing: place), own.isOwn(address) else { return nil }
      var settings = CalDAVSettings(
        address: address, collection: nil, server: server.server, invitations: server.invitations)
      settings.account = FoundAccount(name: name, address: server.address)
      return .calDAV(settings)
    case .vendor(let vendor):
      var settings = VendorSettings(
        vendor.vendor, address: vendor.address, calendar: place, server: vendor.server,
        invitations: vendor.invitations)
      settings.account = FoundAccount(name: name, address: vendor.address)
      return .vendor(settings)
    case .webcal, .folder, .file, .mirror, .birthdays: return nil
    }
  }
}
