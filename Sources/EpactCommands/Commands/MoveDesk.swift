// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact

/// An item that was moved from the calendar of one sync to that of another.
struct CalendarMove: Sendable, Hashable {
  let uid: UID
  let title: String
  /// The name of the source calendar's sync.
  let departure: String
  /// The name of the destination calendar's sync.
  let arrival: String

  /// The JSON representation.
  var json: JSONValue {
    [
      "uid": .string(uid.rawValue), "title": .string(title), "from": .string(departure),
      "to": .string(arrival),
    ]
  }
}

/// Finds items that were moved between the calendars of several syncs.
struct MoveDesk: Sendable {
  let ledger: any LedgerStore
  let context: Context

  /// The items added to and removed from each sync's local calendar; empty if it is inaccessible.
  func traffic(of sessions: [SyncSession]) async throws -> [CalendarTraffic] {
    // Items cannot be moved if all syncs use the same calendar.
    let calendars = Set(sessions.map(\.sync.calendar))
    var traffic: [CalendarTraffic] = []
    for session in sessions {
      try Task.checkCancellation()
      let found = calendars.count < 2 ? nil : try? await self.traffic(of: session)
      traffic.append(found ?? CalendarTraffic())
    }
    return traffic
  }

  private func traffic(of session: SyncSession) async throws -> CalendarTraffic {
    let binding = try SyncBinding(of: session.sync, in: session.configuration, context)
    guard try await ledger.grant(for: binding.remote)?.tier == .full else {
      return CalendarTraffic()
    }
    let place = try CalendarLocation(
      session.sync.calendar, configuration: session.configuration, machine: context.machine)
    return try await CalendarTraffic(
      of: try place.open(for: .reading), ledger, binding, in: context.normalForm,
      at: context.machine.now())
  }

  /// Reports the moved items, and records them in the ledger.
  func tell(_ reports: [SyncReport], isSilent: Bool, isDryRun: Bool) async throws -> [CalendarMove]
  {
    var moves: [CalendarMove] = []
    for departure in reports {
      for arrival in reports where arrival.name != departure.name {
        for uid in departure.departed.intersection(arrival.arrived.keys).sorted() {
          let title = arrival.arrived[uid] ?? uid.rawValue
          moves.append(
            CalendarMove(
              uid: uid, title: title, departure: departure.name, arrival: arrival.name))
        }
      }
    }
    for move in moves {
      if !isDryRun {
        try await ledger.note(move.uid, movedFrom: move.departure, to: move.arrival)
      }
      guard !isSilent else { continue }
      let verb = isDryRun ? "would move" : "moved"
      let name: ConsoleText = "\"\(move.title)\" \("(\(move.uid))", .dim)"
      context.console.say("\(verb) \(name) from \(move.departure) to \(move.arrival).")
    }
    return moves
  }
}
