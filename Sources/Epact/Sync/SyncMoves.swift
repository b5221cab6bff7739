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

extension CalendarMove {
  /// The items that left one calendar and entered another.
  static func find(in results: [SyncResult]) -> [CalendarMove] {
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

/// The part of a session that detects moves between calendars.
extension SyncSession {
  /// The sync as a member of a group; no item is moved to or from the only member.
  func member(isAlone: Bool) async -> SyncGroup.Member {
    let binding = try? SyncBinding(of: sync, in: configuration, machine)
    guard !isAlone else { return SyncGroup.Member(binding, local: nil, sides: sides) }
    return SyncGroup.Member(
      binding, local: await movableCalendar(of: binding), account: try? await account(),
      direction: sync.direction, sides: sides)
  }

  /// The local calendar; nil if it is inaccessible, or without access to the remote.
  private func movableCalendar(of binding: SyncBinding?) async -> (any LocalCalendar)? {
    guard binding != nil, let granted = try? configuration.grantIdentity(of: sync, machine),
      let grant = try? await ledger.grant(for: granted), grant.tier != .none
    else { return nil }
    let place = try? configuration.location(of: sync.calendar)
    return try? place?.open(for: .reading, knowing: knownNames)
  }

  /// The account of the remote; nil unless the sync has full access to a calendar on a server.
  private func account() async throws -> String? {
    guard let remote = configuration.remotes[sync.remote], let account = remote.accountKey else {
      return nil
    }
    let identity = try Remotes(machine: machine, log: log).grantIdentity(of: remote)
    let restriction = try AccessPolicyFile(machine: machine).load().restriction(on: identity)
    let tier = try AccessGate.tier(
      of: try await ledger.grant(for: identity), under: restriction, wanted: sync.access,
      remote: sync.remote)
    return tier == .full ? account : nil
  }
}

extension RemoteSettings {
  /// The server, the user and the handling of meetings; nil if the remote is not on a server.
  fileprivate var accountKey: String? {
    guard case .calDAV(let settings) = kind else { return nil }
    // Without a user name, equal server settings identify the account.
    let user = settings.server.username ?? "\(settings.server)"
    return "\(settings.address.origin) \(user) \(settings.invitations)"
  }
}
