// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("What an administrator decided about access")
struct AccessPolicyTests {
  private static func remote(_ location: String, kind: String = "caldav") -> RemoteIdentity {
    RemoteIdentity(kind: kind, location: location, user: "ada")
  }

  private static func cap(_ tier: AccessTier, line: Int = 3) -> AccessRestriction {
    AccessRestriction(tier: tier, decidedBy: "the club", place: "/etc/epact/policy.toml:\(line)")
  }

  private static func grant(_ tier: AccessTier) -> AccessGrant {
    AccessGrant(
      remote: remote("https://dav.example.org/"), tier: tier,
      purpose: "Adds the start of classes you book",
      grantedAt: Instant(secondsSinceEpoch: 0), grantedBy: "ada")
  }

  @Test(
    "The host is that of the address, without user and port",
    arguments: [
      ("https://DAV.example.org/cal/", "dav.example.org"), ("http://localhost.:5232/", "localhost"),
      ("http://localhost:5232/", "localhost"),
      ("https://ada:x@dav.example.org:443", "dav.example.org"), ("http://[::1]:80/", "[::1]"),
      ("https://dav.example.org?x#y", "dav.example.org"), ("/home/ada/cal", nil),
      ("https:///", nil),
    ] as [(String, String?)])
  func host(location: String, host: String?) {
    #expect(Self.remote(location).host == host)
  }

  @Test(
    "The first rule that is about a remote decides",
    arguments: [
      ("caldav", "https://dav.example.org/", nil), ("caldav", "https://example.org/", .writeOnly),
      ("caldav", "https://dav.example.org.evil.example/", .writeOnly),
      ("caldav", "https://evilexample.org/", .writeOnly),
      ("folder", "/home/ada/cal", AccessTier.none),
      ("webcal", "https://club.example/feed.ics", .writeOnly),
    ] as [(String, String, AccessTier?)])
  func firstRule(kind: String, location: String, tier: AccessTier?) {
    let policy = AccessPolicy(rules: [
      .init(kind: "folder", restriction: Self.cap(.none)),
      .init(kind: "caldav", host: "*.Example.org", restriction: Self.cap(.full)),
      .init(restriction: Self.cap(.writeOnly)),
    ])
    #expect(policy.restriction(on: Self.remote(location, kind: kind))?.tier == tier)
  }

  @Test("Of several policies the one that allows least counts")
  func least() {
    let policies = [AccessTier.full, .none, .writeOnly].enumerated().map { index, tier in
      AccessPolicy(rules: [.init(restriction: Self.cap(tier, line: index))])
    }
    let remote = Self.remote("https://dav.example.org/")
    #expect(policies.restriction(on: remote) == Self.cap(.none, line: 1))
    #expect([policies[0]].restriction(on: remote) == nil)
    #expect([AccessPolicy]().restriction(on: remote) == nil)
  }

  @Test("A sync runs under the least of what was granted, decided and wanted")
  func gate() throws {
    for granted in [AccessTier.writeOnly, .full] {
      for cap in [AccessTier.writeOnly, .full] {
        for wanted in [AccessTier.writeOnly, .full] {
          let tier = try AccessGate.tier(
            of: Self.grant(granted), under: Self.cap(cap), wanted: wanted, remote: "work")
          #expect(tier == [granted, cap, wanted].min())
        }
      }
    }
  }

  @Test("Nothing is opened against a decision, which is named with its place")
  func restricted() {
    for grant in [nil, Self.grant(.none), Self.grant(.full)] {
      #expect(throws: AccessError.restricted(remote: "work", Self.cap(.none))) {
        try AccessGate.tier(of: grant, under: Self.cap(.none), remote: "work")
      }
      #expect(AccessStatus(grant, under: Self.cap(.none)) == .restricted)
    }
    #expect(AccessStatus(Self.grant(.full), under: Self.cap(.writeOnly)) == .writeOnly)
    #expect(AccessStatus(Self.grant(.none), under: Self.cap(.writeOnly)) == .denied)
    #expect(AccessStatus(nil, under: Self.cap(.writeOnly)) == .notDetermined)
  }

  @Test("What is asked for is no more than wanted and decided")
  func wanted() {
    for (cap, wanted, tier) in [
      (nil, AccessTier.writeOnly, AccessTier.writeOnly), (nil, .full, .full),
      (Self.cap(.writeOnly), .full, .writeOnly),
    ] {
      #expect(throws: AccessError.notDetermined(remote: "work", needs: tier)) {
        try AccessGate.tier(of: nil, under: cap, wanted: wanted, remote: "work")
      }
    }
  }
}
