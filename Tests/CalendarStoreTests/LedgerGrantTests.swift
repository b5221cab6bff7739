// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite(.eachLedger) struct LedgerGrantTests {
  let home: LedgerHome
  let ledger: LedgerDatabase

  init() throws {
    home = try LedgerHome()
    ledger = try home.open()
  }

  private func grant(_ user: String, _ tier: AccessTier = .full) -> AccessGrant {
    AccessGrant(
      remote: RemoteIdentity(kind: "caldav", location: "https://dav.example.org/", user: user),
      tier: tier, purpose: "Keeps the work calendar in step with the phone",
      grantedAt: Instant(secondsSinceEpoch: 1_800_000_000), grantedBy: "alice")
  }

  @Test func nobodyWasAskedAtFirst() async throws {
    #expect(try await ledger.grant(for: grant("alice").remote) == nil)
    #expect(try await ledger.grants() == [])
  }

  @Test(arguments: AccessTier.allCases) func aGrantIsKept(tier: AccessTier) async throws {
    try await ledger.store(grant("alice", tier))
    #expect(try await ledger.grant(for: grant("alice").remote) == grant("alice", tier))
    let reader = try home.reader()
    #expect(try await reader.grants() == [grant("alice", tier)])
  }

  @Test func aLaterGrantReplacesAnEarlierOneOfTheSameRemoteAlone() async throws {
    try await ledger.store(grant("bob"))
    try await ledger.store(grant("alice", .full))
    try await ledger.store(grant("alice", .none))
    #expect(try await ledger.grants() == [grant("alice", .none), grant("bob")])
  }

  @Test func aRevokedGrantIsGoneAndWhatWasAddedIsStillKnown() async throws {
    let remote = grant("alice").remote
    try await ledger.store(grant("alice"))
    try await ledger.store(grant("bob"))
    let binding = SyncBinding(name: "work", local: "/x", remote: remote)
    let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: 0))
    try await ledger.settle(
      [Settlement(uid: LedgerContract.entry("a").uid, change: .record(LedgerContract.entry("a")))],
      in: run)
    try await ledger.revoke(remote, at: Instant(secondsSinceEpoch: 9), by: "ada")
    try await ledger.revoke(grant("nobody").remote, at: Instant(secondsSinceEpoch: 9), by: "ada")
    #expect(try await ledger.grants() == [grant("bob")])
    #expect(try await ledger.entries(of: binding).count == 1)
  }

  @Test(arguments: [nil, AccessTier.none, .writeOnly])
  func aRaiseToFullForgetsWhichVersionsAreThere(earlier: AccessTier?) async throws {
    let remote = grant("alice").remote
    if let earlier { try await ledger.store(grant("alice", earlier)) }
    let binding = SyncBinding(name: "work", local: "/x", remote: remote)
    let run = try await ledger.beginRun(of: binding, at: Instant(secondsSinceEpoch: 0))
    let entry = LedgerContract.entry("a")
    let added = AppendRecord(
      uid: entry.uid, href: entry.href, etag: entry.etag, fingerprint: entry.localBase)
    try await ledger.settle(
      [
        Settlement(uid: entry.uid, change: .record(entry)),
        Settlement(uid: entry.uid, change: .appended(added)),
      ], in: run)
    try await ledger.store(grant("bob"))
    #expect(try await ledger.entries(of: binding).map(\.etag) == [entry.etag])
    try await ledger.store(grant("alice", .full))
    #expect(try await ledger.entries(of: binding).map(\.etag) == [nil])
    #expect(try await ledger.entries(of: binding).map(\.href) == [entry.href])
    #expect(try await ledger.appended(to: remote).map(\.etag) == [nil])
    // What is read afterwards counts, and a further answer of the same kind changes nothing.
    try await ledger.settle([Settlement(uid: entry.uid, change: .record(entry))], in: run)
    try await ledger.store(grant("alice", .full))
    #expect(try await ledger.entries(of: binding).map(\.etag) == [entry.etag])
  }

  @Test func everyDecisionIsKeptInOrder() async throws {
    let nine = Instant(secondsSinceEpoch: 9)
    let alice = grant("alice").remote
    func decision(_ user: String, _ tier: AccessTier) -> AccessDecision {
      let grant = grant(user, tier)
      return AccessDecision(
        about: .remote(grant.remote), tier: tier, purpose: grant.purpose, at: grant.grantedAt,
        by: "alice")
    }
    try await ledger.store(grant("alice", .writeOnly))
    try await ledger.store(grant("bob", .none))
    try await ledger.store(grant("alice", .full))
    try await ledger.revoke(alice, at: nine, by: "ada")
    // A revocation of no grant is none.
    try await ledger.revoke(alice, at: nine, by: "ada")
    #expect(
      try await home.reader().decisions() == [
        decision("alice", .writeOnly), decision("bob", .none), decision("alice", .full),
        .revocation(of: .remote(alice), at: nine, by: "ada"),
      ])
  }

  @Test func requestsOfOneClassUnderOneGrantAreAddedUp() async throws {
    func entry(_ tier: AccessTier, _ action: String, count: Int, at time: Int64) -> AccessLogEntry {
      let time = Instant(secondsSinceEpoch: time)
      return AccessLogEntry(
        remote: grant("alice").remote, tier: tier, grantedAt: grant("alice").grantedAt,
        request: AccessRequest(tier == .full ? .read : .add, action, of: "item"), count: count,
        firstAt: time, lastAt: time)
    }
    try await ledger.log([entry(.full, "GET", count: 1, at: 5)])
    try await ledger.log([
      entry(.full, "GET", count: 2, at: 9), entry(.writeOnly, "PUT", count: 1, at: 7),
    ])
    let lines = try await home.reader().logEntries()
    #expect(lines.map(\.request.action) == ["GET", "PUT"])
    #expect(lines.map(\.count) == [3, 1])
    #expect(lines[0].firstAt == Instant(secondsSinceEpoch: 5))
    #expect(lines[0].lastAt == Instant(secondsSinceEpoch: 9))
    // A clock that ran ahead once leaves no mark.
    try await ledger.log([entry(.full, "GET", count: 1, at: 4_070_995_200)])
    try await ledger.log([entry(.full, "GET", count: 1, at: 11)])
    let later = try await ledger.logEntries()[0]
    #expect(later.lastAt == Instant(secondsSinceEpoch: 11))
    #expect(later.firstAt == Instant(secondsSinceEpoch: 5))
    // The log outlives the grant.
    try await ledger.store(grant("alice"))
    try await ledger.revoke(
      grant("alice").remote, at: Instant(secondsSinceEpoch: 9), by: "ada")
    #expect(try await ledger.logEntries().map(\.count) == [5, 1])
  }
}
