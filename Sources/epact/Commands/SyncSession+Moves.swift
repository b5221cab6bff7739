// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync

/// Items that were moved between the calendars of several syncs.
extension SyncSession {
  /// The items that left the calendar for that of another sync, and that this one knows no more.
  func departed() async throws -> Set<UID> {
    guard !isDryRun, !moved.isEmpty else { return [] }
    let binding = try SyncBinding(of: sync, in: configuration, context)
    return Set(moved.keys).subtracting(try await ledger.places(of: binding).map(\.uid))
  }

  /// The items that a cut-off run was about to add, and that a sync of another calendar knows.
  ///
  /// It is asked before any sync runs: what the other one deletes today, it knows no more afterwards.
  func knownElsewhere() async throws -> Set<UID> {
    guard let binding = try? SyncBinding(of: sync, in: configuration, context) else { return [] }
    return try await ledger.elsewhere(than: binding, in: bindingsOfOtherCalendars)
  }

  /// What the syncs of the other calendars are bound to, whether they run today or not.
  var bindingsOfOtherCalendars: [SyncBinding] {
    configuration.syncs.filter { $0.calendar != sync.calendar }
      .compactMap { try? SyncBinding(of: $0, in: configuration, context) }
  }

  /// What another sync knows of items that came from it; nothing unless the server may move them.
  ///
  /// That takes two calendars of one account, full access to both, and an item of which nothing waits there.
  func origins(of source: MoveSource) async throws -> [UID: MoveOrigin] {
    guard let here = configuration.remotes[sync.remote],
      let there = configuration.remotes[source.sync.remote], here.isOfAccount(of: there)
    else { return [:] }
    let identity = try RemoteFactory(machine: context.machine, log: context.log)
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
  /// Whether both are calendars of one server, asked for by the same user.
  fileprivate func isOfAccount(of other: RemoteSettings) -> Bool {
    guard case .calDAV(let mine) = kind, case .calDAV(let theirs) = other.kind else { return false }
    // Without a name of a user, the same way to tell who asks is what tells the account.
    let isSameUser =
      mine.server.username == nil
      ? mine.server == theirs.server : mine.server.username == theirs.server.username
    return mine.address.origin == theirs.address.origin && isSameUser
      && mine.invitations == theirs.invitations
  }
}
