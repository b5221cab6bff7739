// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite(.eachLedger) struct LedgerProgramTests {
  let home: LedgerHome
  let ledger: LedgerDatabase

  init() throws {
    home = try LedgerHome()
    ledger = try home.open()
  }

  private func grant(
    _ program: String = "org.example.booker", _ entity: ProgramEntity = .events,
    _ tier: AccessTier = .full, calendar: String? = nil, refusesMore: Bool = false
  ) -> ProgramGrant {
    ProgramGrant(
      program: program, name: "Booker", entity: entity, tier: tier,
      purpose: "Adds\nthe \u{1B}[31mclasses\0 you book", grantedAt: Self.time, grantedBy: "alice",
      calendar: calendar, refusesMore: refusesMore)
  }

  private let nine = Instant(secondsSinceEpoch: 9)
  private static let time = Instant(secondsSinceEpoch: 1_800_000_000)

  private func use(
    _ use: ProgramUse, _ entity: ProgramEntity = .events, count: Int = 1, at seconds: Int64 = 0
  ) -> ProgramLogEntry {
    ProgramLogEntry(
      use, under: grant("org.example.booker", entity), tier: .full, count: count,
      at: Instant(secondsSinceEpoch: seconds))
  }

  @Test(
    "A grant is stored with all that was displayed",
    arguments: [
      (.events, .none), (.events, .writeOnly), (.events, .full), (.reminders, .none),
      (.reminders, .full),
    ] as [(ProgramEntity, AccessTier)])
  func stored(entity: ProgramEntity, tier: AccessTier) throws {
    let one = grant("/apps/\u{7}book er", entity, tier, calendar: "Büro", refusesMore: true)
    try ledger.write { try $0.store(one) }
    let reader = try home.reader()
    #expect(try reader.read { try $0.grant(toProgram: one.program, for: entity) } == one)
    #expect(try reader.read { try $0.programGrants() } == [one])
  }

  @Test func remindersHaveNoWriteOnlyTier() throws {
    let error = try #require(throws: StoreError.self) {
      try ledger.write { try $0.store(grant("a", .reminders, .writeOnly)) }
    }
    #expect(error.code == .failed)
  }

  @Test("A grant is of one program and one kind of items, byte by byte")
  func separate() throws {
    let all = [
      grant("org.example.a", .events), grant("org.example.a", .reminders, .none),
      grant("org.example.a\0b", .events, .writeOnly), grant("org.example.b"),
    ]
    try ledger.write { for grant in all.reversed() { try $0.store(grant) } }
    #expect(try ledger.read { try $0.programGrants() } == all)
    try ledger.write { try $0.store(grant("org.example.a", .events, .none)) }
    #expect(
      try ledger.write {
        try $0.revoke(program: "org.example.a\0b", for: .events, at: nine, by: "ada")
      })
    #expect(
      try !ledger.write {
        try $0.revoke(program: "org.example.b", for: .reminders, at: nine, by: "ada")
      })
    let rest = try ledger.read { try $0.programGrants() }
    #expect(rest == [grant("org.example.a", .events, .none), all[1], all[3]])
    #expect(try ledger.read { try $0.grant(toProgram: "org.example", for: .events) } == nil)
  }

  @Test("Uses are counted by class and grant, and survive a revocation")
  func log() throws {
    try ledger.write { try $0.store(grant()) }
    try ledger.write { try $0.log([use(.addItem, count: 2, at: 20), use(.readItems, at: 30)]) }
    try ledger.write { try $0.log([use(.addItem, count: 3, at: 10), use(.addItem, .reminders)]) }
    #expect(
      try ledger.write {
        try $0.revoke(program: "org.example.booker", for: .events, at: nine, by: "ada")
      })
    let entries = try ledger.read { try $0.programLog() }
    #expect(entries.map(\.count) == [5, 1, 1])
    #expect(entries.map(\.use) == [.addItem, .readItems, .addItem])
    #expect(entries.map(\.entity) == [.events, .events, .reminders])
    #expect(entries[0].firstAt == Instant(secondsSinceEpoch: 10))
    #expect(entries[0].lastAt == Instant(secondsSinceEpoch: 20))
    #expect(entries[0].grantedAt == Self.time)
  }

  @Test("A refusal to raise the tier is no new grant in the history of decisions")
  func decisions() throws {
    let subject = AccessDecision.Subject.program("org.example.booker", .events)
    try ledger.write { try $0.store(grant()) }
    try ledger.write { try $0.store(grant(refusesMore: true)) }
    try ledger.write { try $0.store(grant("org.example.booker", .events, .writeOnly)) }
    try ledger.write {
      _ = try $0.revoke(program: "org.example.booker", for: .events, at: nine, by: "ada")
    }
    let decisions = try ledger.read { try $0.decisions() }
    #expect(decisions.map(\.subject) == [subject, subject, subject])
    #expect(decisions.map(\.tier) == [.full, .writeOnly, nil])
    #expect(decisions[0].purpose == grant().purpose)
    #expect(decisions.last == .revocation(of: subject, at: nine, by: "ada"))
  }
}
