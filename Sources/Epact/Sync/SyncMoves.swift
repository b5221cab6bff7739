// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarRemotes
import CalendarStore
import CalendarSync

/// An item that was moved from the calendar of one sync to that of another.
public struct CalendarMove: Sendable, Hashable {
  /// The UID of the item.
  public let uid: UID
  /// The title of the item.
  public let title: String
  /// The name of the source calendar's sync.
  public let departure: String
  /// The name of the destination calendar's sync.
  public let arrival: String
}

/// A sync, and the items that were moved from its calendar to another.
struct MoveSource: Sendable {
  let sync: SyncSettings
  let uids: Set<UID>
}

/// Finds items that were moved between the calendars of several syncs.
enum SyncMoves {
  /// The items added to and removed from each sync's local calendar; empty if it is inaccessible.
  static func traffic(of sessions: [SyncSession]) async throws -> [CalendarTraffic] {
    // Items cannot be moved if all syncs use the same calendar.
    let calendars = Set(sessions.map(\.sync.calendar))
    var traffic: [CalendarTraffic] = []
    for session in sessions {
      try Task.checkCancellation()
      let found = calendars.count < 2 ? nil : try? await session.traffic()
      traffic.append(found ?? CalendarTraffic())
    }
    return traffic
  }

  /// The items that left one calendar and entered another.
  static func moves(in results: [SyncResult]) -> [CalendarMove] {
    var moves: [CalendarMove] = []
    for departure in results {
      for arrival in results where arrival.name != departure.name {
        for uid in departure.departed.intersection(arrival.arrived.keys).sorted() {
          let title = arrival.arrived[uid] ?? uid.rawValue
          moves.append(
            CalendarMove(
              uid: uid, title: title, departure: departure.name, arrival: arrival.name))
        }
      }
    }
    return moves
  }
}

/// Items that were moved between the calendars of several syncs.
extension SyncSession {
  /// The items added to and removed from the local calendar; empty without full access.
  fileprivate func traffic() async throws -> CalendarTraffic {
    let binding = try SyncBinding(of: sync, in: configuration, machine)
    guard try await ledger.grant(for: binding.remote)?.tier == .full else {
      return CalendarTraffic()
    }
    let place = try CalendarLocation(
      sync.calendar, configuration: configuration, machine: machine)
    return try await CalendarTraffic(
      of: try place.open(for: .reading), ledger, binding, in: machine.normalForm,
      at: machine.now())
  }

  /// The items moved to another sync's calendar that are no longer in this sync's ledger.
  func departed() async throws -> Set<UID> {
    guard !options.isDryRun, !moved.isEmpty else { return [] }
    let binding = try SyncBinding(of: sync, in: configuration, machine)
    return Set(moved.keys).subtracting(try await ledger.places(of: binding).map(\.uid))
  }

  /// The items that an interrupted run was about to add and that another calendar's sync knows.
  ///
  /// It is called before any sync runs, because a sync forgets the items that it deletes.
  func knownElsewhere() async throws -> Set<UID> {
    guard let binding = try? SyncBinding(of: sync, in: configuration, machine) else { return [] }
    return try await ledger.elsewhere(than: binding, in: bindingsOfOtherCalendars)
  }

  /// The bindings of all configured syncs with other calendars, whether or not they run now.
  var bindingsOfOtherCalendars: [SyncBinding] {
    configuration.syncs.filter { $0.calendar != sync.calendar }
      .compactMap { try? SyncBinding(of: $0, in: configuration, machine) }
  }

  /// The ledger entries of moved items; empty unless the server can move them.
  ///
  /// The server can move an item if both calendars belong to one account with full access. Items
  /// with pending changes or conflicts are excluded.
  func origins(of source: MoveSource) async throws -> [UID: MoveOrigin] {
    guard let here = configuration.remotes[sync.remote],
      let there = configuration.remotes[source.sync.remote], here.isOfAccount(of: there)
    else { return [:] }
    let identity = try Remotes(machine: machine, log: log)
      .identity(of: there)
    let restriction = try AccessPolicyFile(machine: machine).load()
      .restriction(on: identity)
    let tier = try? AccessGate.tier(
      of: try await ledger.grant(for: identity), under: restriction, wanted: source.sync.access,
      remote: source.sync.remote)
    guard tier == .full else { return [:] }
    let binding = try SyncBinding(of: source.sync, in: configuration, machine)
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
