// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("What an administrator decided about programs")
struct ProgramPolicyTests {
  private static func cap(_ tier: AccessTier) -> AccessRestriction {
    AccessRestriction(tier: tier, decidedBy: "the club", place: "/etc/epact/policy.toml:3")
  }

  private static func grant(_ tier: AccessTier, _ entity: ProgramEntity) -> ProgramGrant {
    ProgramGrant(
      program: "org.example.booker", name: "Booker", entity: entity, tier: tier,
      purpose: "Adds the classes you book", grantedAt: Instant(secondsSinceEpoch: 0),
      grantedBy: "ada")
  }

  @Test(
    "The first rule that matches the program and the kind of items decides",
    arguments: [
      ("org.example.booker", .events, .writeOnly), ("org.example.booker", .reminders, nil),
      ("org.example.agenda", .events, AccessTier.none), ("org.example.", .reminders, nil),
      ("org.example", .events, nil), ("org.examples.agenda", .events, nil),
      ("/apps/tool", .events, nil), ("/apps/tool", .reminders, AccessTier.none),
    ] as [(String, ProgramEntity, AccessTier?)])
  func firstRule(program: String, entity: ProgramEntity, tier: AccessTier?) {
    let policy = AccessPolicy(
      rules: [.init(restriction: Self.cap(.none))],
      programs: [
        .init(
          identifier: "org.example.booker", entity: .events, restriction: Self.cap(.writeOnly)),
        .init(identifier: "org.example.*", entity: .events, restriction: Self.cap(.none)),
        .init(identifier: "org.*", entity: .reminders, restriction: Self.cap(.full)),
        .init(identifier: "*", entity: .reminders, restriction: Self.cap(.none)),
      ])
    #expect(policy.restriction(onProgram: program, for: entity)?.tier == tier)
  }

  @Test("Of several policies the one that allows least counts")
  func least() {
    let policies = [AccessTier.writeOnly, .none, .full].map {
      AccessPolicy(rules: [], programs: [.init(identifier: "*", restriction: Self.cap($0))])
    }
    #expect(policies.restriction(onProgram: "a", for: .events)?.tier == AccessTier.none)
    #expect(policies.prefix(0).restriction(onProgram: "a", for: .events) == nil)
  }

  @Test(
    "A restriction lowers the status, and leaves nothing of reminders below full",
    arguments: [
      (.events, nil, nil, .notDetermined), (.events, nil, .writeOnly, .notDetermined),
      (.events, .full, nil, .full), (.events, .full, .writeOnly, .writeOnly),
      (.events, .writeOnly, nil, .writeOnly), (.events, AccessTier.none, nil, .denied),
      (.events, AccessTier.none, .writeOnly, .denied),
      (.events, .full, AccessTier.none, .restricted),
      (.events, nil, AccessTier.none, .restricted), (.reminders, .full, nil, .full),
      (.reminders, .full, .writeOnly, .restricted), (.reminders, nil, .writeOnly, .restricted),
    ] as [(ProgramEntity, AccessTier?, AccessTier?, ProgramStatus)])
  func status(
    entity: ProgramEntity, granted: AccessTier?, limit: AccessTier?, expected: ProgramStatus
  ) {
    let status = ProgramStatus(
      granted.map { Self.grant($0, entity) }, for: entity, under: limit.map(Self.cap))
    #expect(status == expected)
  }
}
