// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// The calendars of accounts in the ledger, and in the double.
@Suite struct LedgerCollectionTests {
  private static let remote = RemoteIdentity(
    kind: "caldav", location: "https://dav.example.org/", user: "ada")
  private let account = AccountBinding(name: "home", local: "/cal", remote: remote)

  private static func collection(
    _ folder: String, at location: String? = nil, components: Set<String>? = nil,
    isGone: Bool = false
  ) throws -> KnownCollection {
    KnownCollection(
      try #require(CollectionID(folder: folder)), folder: folder,
      location: location ?? "https://dav.example.org/\(folder)/", components: components,
      isGone: isGone)
  }

  private func trying(
    _ body: (any AccountLedger & Ledger) async throws -> Void
  ) async throws {
    try await body(MemoryLedger())
    for kind in LedgerHome.Kind.allCases {
      let home = try LedgerHome(kind)
      try await body(try home.open())
      extendLifetime(home)
    }
  }

  @Test func `Calendars are stored, replaced and dropped by their names`() async throws {
    try await trying { ledger in
      #expect(try await ledger.collections(of: account) == [])
      let (work, odd) = (
        try Self.collection("work", components: ["VEVENT", "VTODO"]),
        try Self.collection("a%2Fb", at: "https://dav.example.org/a%2Fb/")
      )
      try await ledger.store(work, of: account, startingOver: false)
      try await ledger.store(odd, of: account, startingOver: true)
      #expect(Set(try await ledger.collections(of: account)) == [work, odd])
      let gone = try Self.collection("work", at: "https://dav.example.org/2/work/", isGone: true)
      try await ledger.store(gone, of: account, startingOver: false)
      #expect(Set(try await ledger.collections(of: account)) == [gone, odd])
      try await ledger.forget(odd.id, of: account)
      #expect(try await ledger.collections(of: account) == [gone])
    }
  }

  @Test func `Calendars of another folder, server or user are not those of an account`()
    async throws
  {
    let others = [
      AccountBinding(name: "home", local: "/cal2", remote: Self.remote),
      AccountBinding(
        name: "home", local: "/cal",
        remote: RemoteIdentity(kind: "caldav", location: Self.remote.location, user: "eve")),
    ]
    for other in others {
      try await trying { ledger in
        let work = try Self.collection("work")
        try await ledger.store(work, of: account, startingOver: false)
        #expect(try await ledger.collections(of: other) == [])
        let club = try Self.collection("club")
        try await ledger.store(club, of: other, startingOver: false)
        #expect(try await ledger.collections(of: other) == [club])
        #expect(try await ledger.collections(of: account) == [])
      }
    }
  }

  @Test
  func `A sync that starts over has no agreements, and that of another calendar keeps its own`()
    async throws
  {
    try await trying { ledger in
      var bindings: [SyncBinding] = []
      for name in ["work", "club"] {
        let binding = SyncBinding(
          name: "home/\(name)", local: "/cal/\(name)",
          remote: RemoteIdentity(
            kind: "caldav", location: "https://dav.example.org/\(name)/", user: "ada"))
        let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: 1))
        try await ledger.settle(
          [
            Settlement(
              uid: LedgerContract.entry("a").uid, change: .record(LedgerContract.entry("a")))
          ],
          in: run)
        bindings.append(binding)
      }
      try await ledger.store(try Self.collection("work"), of: account, startingOver: false)
      #expect(try await ledger.entries(of: bindings[0]).count == 1)
      try await ledger.store(try Self.collection("work"), of: account, startingOver: true)
      #expect(try await ledger.entries(of: bindings[0]) == [])
      #expect(try await ledger.entries(of: bindings[1]).count == 1)
    }
  }
}
