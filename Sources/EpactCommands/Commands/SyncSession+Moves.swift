// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync
import Epact

/// Items that were moved between the calendars of several syncs.
extension SyncSession {
  /// The items moved to another sync's calendar that are no longer in this sync's ledger.
  func departed() async throws -> Set<UID> {
    guard !isDryRun, !moved.isEmpty else { return [] }
    let binding = try SyncBinding(of: sync, in: configuration, context)
    return Set(moved.keys).subtracting(try await ledger.places(of: binding).map(\.uid))
  }

  /// The items that an interrupted run was about to add and that another calendar's sync knows.
  ///
  /// It is called before any sync runs, because a sync forgets the items that it deletes.
  func knownElsewhere() async throws -> Set<UID> {
    guard let binding = try? SyncBinding(of: sync, in: configuration, context) else { return [] }
    return try await ledger.elsewhere(than: binding, in: bindingsOfOtherCalendars)
  }

  /// The bindings of all configured syncs with other calendars, whether or not they run now.
  var bindingsOfOtherCalendars: [SyncBinding] {
    configuration.syncs.filter { $0.calendar != sync.calendar }
      .compactMap { try? SyncBinding(of: $0, in: configuration, context) }
  }

  /// The ledger entries of moved items; empty unless the server can move them.
  ///
  /// The server can move an item if both calendars belong to one account with full access. Items
  /// with pending changes or conflicts are excluded.
  func origins(of source: MoveSource) async throws -> [UID: MoveOrigin] {
    guard let here = configuration.remotes[sync.remote],
      let there = configuration.remotes[source.sync.remote], here.isOfAccount(of: there)
    else { return [:] }
    let identity = try Remotes(machine: context.machine, log: context.log)
      .identity(of: there)
    let restriction = try AccessPolicyFile(machine: context.machine).load()
      .restriction(on: identity)
    let tier = try? AccessGate.tier(
      of: try await ledger.grant(for: identity), under: restriction, wanted: source.sync.access,
      remote: source.sync.remote)
    guard tier == .full else { return [:] }
    let binding = try SyncBinding(of: source.sync, in: configuration, context)
    let waiting =
      try await ledger.pendingIntents(of: binding).map(\.uid)
      + ledger.conflicts(of: binding).map(\.uid)
    let entries = try await ledger.entries(
      of: binding, for: source.uids.subtracting(waiting).sorted())
    return Dictionary(
      entries.filter { $0.base != nil }.map { ($0.uid, MoveOrigin(binding: binding, entry: $0)) }
    ) { first, _ in first }
  }
}

extension RemoteSettings {
  /// Whether both remotes are calendars of one server with the same user.
  fileprivate func isOfAccount(of other: RemoteSettings) -> Bool {
    guard case .calDAV(let mine) = kind, case .calDAV(let theirs) = other.kind else { return false }
    // Without user names, equal server settings identify the account.
    let isSameUser =
      mine.server.username == nil
      ? mine.server == theirs.server : mine.server.username == theirs.server.username
    return mine.address.origin == theirs.address.origin && isSameUser
      && mine.invitations == theirs.invitations
  }
}
