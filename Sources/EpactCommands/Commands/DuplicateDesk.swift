// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact

/// Finds items that are in two calendars of one account.
///
/// RFC 4791 §4.1 requires UIDs to be unique only within a calendar. However, servers that send
/// invitations keep one item of a UID for each user (RFC 6638 §3.2.4.1), and some reject a second
/// one in any calendar.
struct DuplicateDesk: Sendable {
  /// The maximum number of items that are reported.
  private static let limit = 10

  private struct Place {
    let sync: String
    let href: Href
  }

  let ledger: any LedgerStore
  let context: Context

  /// Warns about items in two calendars of one account, after a run that changed something.
  func warn(_ sessions: [SyncSession], after reports: [SyncReport]) async throws {
    let changed = Set(reports.filter { $0.counts.contains { $0.number > 0 } }.map(\.name))
    guard !changed.isEmpty, sessions.count > 1 else { return }
    let bindings = sessions.compactMap { session in
      try? SyncBinding(of: session.sync, in: session.configuration, context)
    }
    for (_, group) in Dictionary(grouping: bindings, by: Self.account).sorted(by: {
      $0.key < $1.key
    })
    where group.count > 1 && group.contains(where: { changed.contains($0.name) }) {
      // Two syncs of the same calendar have the same items.
      guard Set(group.map(\.remote)).count > 1 else { continue }
      try await warn(group)
    }
  }

  private func warn(_ bindings: [SyncBinding]) async throws {
    var known: [UID: (place: Place, remote: RemoteIdentity)] = [:]
    var found: [(uid: UID, first: Place, second: Place)] = []
    for binding in bindings {
      for place in try await ledger.places(of: binding) {
        let here = Place(sync: binding.name, href: place.href)
        guard let other = known.updateValue((here, binding.remote), forKey: place.uid),
          other.remote != binding.remote
        else { continue }
        found.append((place.uid, other.place, here))
      }
    }
    found.sort { ($0.uid, $0.second.sync) < ($1.uid, $1.second.sync) }
    for (uid, first, second) in found.prefix(Self.limit) {
      let places = "\(first.href) (\(first.sync)) and \(second.href) (\(second.sync))"
      context.console.warn(
        "the UID \("\(uid)") is in two calendars of one account, \(places): some servers refuse that"
      )
    }
    if found.count > Self.limit {
      context.console.warn(
        "so are \(Count.grouped(found.count - Self.limit)) more items")
    }
  }

  /// The account of a remote; a remote without an account gets a value of its own.
  private static func account(_ binding: SyncBinding) -> String {
    let remote = binding.remote
    guard remote.kind == "caldav" else { return "\(remote)" }
    let origin = remote.location.split(separator: "/", maxSplits: 2).prefix(2)
    return "\(remote.user)@\(origin.joined(separator: "//"))"
  }
}
