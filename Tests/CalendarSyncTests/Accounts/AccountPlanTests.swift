// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import TestSupport
import Testing

@Suite("What is planned for the calendars of an account")
struct AccountPlanTests {
  private static func id(_ name: String) -> CollectionID {
    guard let id = CollectionID(folder: name) else { fatalError("\(name) is no name of a folder") }
    return id
  }

  private static func here(_ name: String) -> AccountCollection {
    AccountCollection(id(name), at: name)
  }

  private static func there(_ name: String, _ place: String? = nil) -> AccountCollection {
    AccountCollection(id(name), at: place ?? "https://dav.example.org/\(name)/", title: "T \(name)")
  }

  private static func known(_ name: String, isGone: Bool = false) -> KnownCollection {
    KnownCollection(
      id(name), folder: name, location: "https://dav.example.org/\(name)/", isGone: isGone)
  }

  /// The action for the calendar `x` beside one that is synced.
  private static func action(
    isHere: Bool, isThere: Bool, _ known: KnownCollection?, _ selection: CollectionSelection
  ) throws -> String {
    let plan = try AccountPlan(
      here: [here("k")] + (isHere ? [here("x")] : []),
      there: [there("k")] + (isThere ? [there("x")] : []),
      known: [Self.known("k")] + (known.map { [$0] } ?? []), selection: selection)
    let entry = try #require(plan.entries.first { $0.id == id("x") } ?? plan.entries.last)
    switch entry.action {
    case .pair(_, let isNew): return entry.id == id("x") ? isNew ? "new pair" : "pair" : "nothing"
    case .createHere: return "create here"
    case .createThere: return "create there"
    case .gone(_, let side): return "gone \(side == .local ? "here" : "there")"
    case .forget: return "forget"
    case .leave: return entry.id == id("x") ? "leave" : "nothing"
    case .ambiguous: return "ambiguous"
    case .missing: return "missing"
    case .unlisted: return "unlisted"
    }
  }

  /// A calendar at a vendor, whose title is its name.
  private static func titled(_ title: String, _ place: String) -> AccountCollection {
    AccountCollection(
      id(title), at: place, title: title, distinctID: id("\(title)-\(place)"))
  }

  private static func names(
    here: [AccountCollection], _ there: [AccountCollection], _ known: [KnownCollection]
  ) throws -> [String: String] {
    let plan = try AccountPlan(
      here: here, there: AccountList(collections: there), known: known, selection: .all)
    return Dictionary(
      uniqueKeysWithValues: plan.entries.map { entry in
        let words =
          switch entry.action {
          case .pair(let pair, let isNew): "\(isNew ? "new " : "")pair at \(pair.location)"
          case .createHere(let theirs): "create here \(theirs.place)"
          case .createThere: "create there"
          case .ambiguous: "ambiguous"
          case .gone(_, let side): "gone \(side.rawValue)"
          default: "other"
          }
        return (entry.id.rawValue, words)
      })
  }

  @Test("Where the title is the name, it is that of a folder, and a known calendar keeps its own")
  func titles() throws {
    let mine = AccountCollection(Self.id("work"), at: "work", title: "My Work")
    // The folder has the title of the calendar, or its name.
    #expect(
      try Self.names(here: [mine], [Self.titled("My Work", "1")], [])
        == ["work": "new pair at 1"])
    #expect(
      try Self.names(here: [Self.here("work")], [Self.titled("work", "1")], [])
        == ["work": "new pair at 1"])
    #expect(
      try Self.names(here: [], [Self.titled("My Work", "1")], [])
        == ["My Work": "create here 1"])
    // Two new ones with one title are two calendars.
    #expect(
      try Self.names(here: [], [Self.titled("a", "1"), Self.titled("a", "2")], [])
        == ["a-1": "create here 1", "a-2": "create here 2"])
    #expect(
      try Self.names(here: [Self.here("a")], [Self.titled("a", "1"), Self.titled("a", "2")], [])
        == ["a": "ambiguous"])
    // A calendar that is known keeps its name after it was renamed, also if a new one takes that.
    let known = KnownCollection(Self.id("work"), folder: "work", location: "1")
    #expect(
      try Self.names(here: [Self.here("work")], [Self.titled("Job", "1")], [known])
        == ["work": "pair at 1"])
    #expect(
      try Self.names(
        here: [Self.here("work")], [Self.titled("Job", "1"), Self.titled("work", "2")], [known])
        == ["work": "pair at 1", "work-2": "create here 2"])
    // One that is gone and made again there is paired anew.
    #expect(
      try Self.names(here: [Self.here("work")], [Self.titled("work", "2")], [known])
        == ["work": "new pair at 2"])
  }

  @Test("The components and the rights of a pair are stored again when the server changed them")
  func outdatedPairs() throws {
    func plan(_ stored: Set<String>?, _ stated: Set<String>?) throws -> AccountPlan {
      let location = "https://dav.example.org/x/"
      return try AccountPlan(
        here: [Self.here("x")],
        there: [AccountCollection(Self.id("x"), at: location, components: stated)],
        known: [
          KnownCollection(Self.id("x"), folder: "x", location: location, components: stored)
        ], selection: .all)
    }
    #expect(try plan(["VEVENT"], ["VEVENT"]).outdated.isEmpty)
    for (stored, stated): (Set<String>?, Set<String>?) in [(nil, []), ([], nil), (nil, ["VTODO"])] {
      let plan = try plan(stored, stated)
      #expect(plan.outdated == [Self.id("x")])
      guard case .pair(let pair, isNew: false)? = plan.entries.first?.action else {
        Issue.record("the pair starts over")
        continue
      }
      #expect(pair.components == stated)
    }
  }

  @Test(
    "The table",
    arguments: [
      (true, true, false, ["new pair", "new pair", "new pair", "new pair"]),
      (true, false, false, ["create there", "create there", "create there", "leave"]),
      (false, true, false, ["create here", "create here", "leave", "create here"]),
      (false, false, false, ["nothing", "missing", "nothing", "nothing"]),
      (true, true, true, ["pair", "pair", "pair", "pair"]),
      (true, false, true, ["gone there", "gone there", "gone there", "gone there"]),
      (false, true, true, ["gone here", "gone here", "gone here", "gone here"]),
      (false, false, true, ["forget", "forget", "forget", "forget"]),
    ])
  func table(_ isHere: Bool, _ isThere: Bool, _ isKnown: Bool, _ expected: [String]) throws {
    let selections: [CollectionSelection] = [
      .all, .named([Self.id("x"), Self.id("k")]), .fromHere, .fromThere,
    ]
    let found = try selections.map {
      try Self.action(isHere: isHere, isThere: isThere, isKnown ? Self.known("x") : nil, $0)
    }
    #expect(found == expected)
  }

  @Test("A one-way sync creates no calendar on the side that it does not write")
  func directions() throws {
    for (direction, expected): (SyncDirection, [AccountPlan.Action]) in [
      (.both, [.createThere(Self.here("x")), .createHere(Self.there("y"))]),
      (.pull, [.leave(isKnown: false), .createHere(Self.there("y"))]),
      (.push, [.createThere(Self.here("x")), .leave(isKnown: false)]),
    ] {
      let plan = try AccountPlan(
        here: [Self.here("x")], there: AccountList(collections: [Self.there("y")]), known: [],
        selection: .all, direction: direction)
      #expect(plan.entries.map(\.action) == expected)
    }
  }

  @Test("A calendar that is not selected any more is left, and its record dropped")
  func unselected() throws {
    let plan = try AccountPlan(
      here: [Self.here("x")], there: [Self.there("x")], known: [Self.known("x")],
      selection: .named([Self.id("y")]))
    #expect(plan.entries.map(\.action) == [.leave(isKnown: true), .missing])
  }

  @Test("A calendar that was gone, or has another place, starts over")
  func startsOver() throws {
    for known in [
      Self.known("x", isGone: true),
      KnownCollection(Self.id("x"), folder: "x", location: "https://dav.example.org/other/"),
      KnownCollection(Self.id("x"), folder: "%78", location: Self.known("x").location),
    ] {
      let plan = try AccountPlan(
        here: [Self.here("x")], there: [Self.there("x")], known: [known], selection: .all)
      #expect(plan.entries.map(\.action) == [.pair(Self.known("x"), isNew: true)])
    }
  }

  @Test("Two calendars of one name on one side are not synced")
  func ambiguous() throws {
    let plan = try AccountPlan(
      here: [Self.here("x")],
      there: [Self.there("x"), Self.there("x", "https://dav.example.org/2/x/")],
      known: [Self.known("x")], selection: .all)
    #expect(
      plan.entries.map(\.action) == [
        .ambiguous(["https://dav.example.org/2/x/", "https://dav.example.org/x/"])
      ])
  }

  @Test("A side without any calendar is taken for one that is not there")
  func empty() throws {
    let known = [Self.known("x"), Self.known("y")]
    #expect(throws: AccountPlan.EmptySide(side: .local, known: 2)) {
      try AccountPlan(here: [], there: [Self.there("x")], known: known, selection: .all)
    }
    #expect(throws: AccountPlan.EmptySide(side: .remote, known: 2)) {
      try AccountPlan(here: [Self.here("x")], there: [], known: known, selection: .all)
    }
    // Without known calendars, it is simply empty.
    #expect(
      try AccountPlan(here: [], there: [Self.there("x")], known: [], selection: .all).entries.count
        == 1)
  }

  @Test("A calendar that the server does not list is neither created nor gone")
  func gaps() throws {
    func actions(
      _ gap: AccountList.Gap, here: [String], known: [String]
    ) throws -> [AccountPlan.Action] {
      let there = AccountList(collections: [Self.there("k")], gaps: [gap])
      let plan = try AccountPlan(
        here: (["k"] + here).map(Self.here), there: there,
        known: (["k"] + known).map { Self.known($0) }, selection: .all)
      #expect(plan.isSettled || !here.isEmpty)
      return plan.entries.filter { $0.id != Self.id("k") }.map(\.action)
    }
    let member = AccountList.Gap(
      place: "https://dav.example.org/x/", id: Self.id("x"), reason: "status 403")
    let left = AccountPlan.Action.unlisted("status 403")
    #expect(try actions(member, here: ["x"], known: ["x"]) == [left])
    #expect(try actions(member, here: [], known: ["x"]) == [left])
    #expect(try actions(member, here: ["x"], known: []) == [left])
    // Nobody asked for what is only there.
    #expect(try actions(member, here: [], known: []).isEmpty)
    #expect(try actions(member, here: ["y"], known: []) == [.createThere(Self.here("y"))])
    for mayHoldMore in [true, false] {
      let home = AccountList.Gap(
        place: "https://dav.example.org/", id: nil, reason: "status 403", mayHoldMore: mayHoldMore)
      #expect(try actions(home, here: ["x"], known: ["x"]) == [left])
      #expect(
        try actions(home, here: ["x"], known: [])
          == [mayHoldMore ? left : .createThere(Self.here("x"))])
    }
  }

  @Test("Only the calendar that is not listed is left if it is the only one")
  func onlyGap() throws {
    let gap = AccountList.Gap(
      place: "https://dav.example.org/x/", id: Self.id("x"), reason: "status 403")
    let plan = try AccountPlan(
      here: [Self.here("x")], there: AccountList(collections: [], gaps: [gap]),
      known: [Self.known("x")], selection: .all)
    #expect(plan.entries.map(\.action) == [.unlisted("status 403")])
  }

  @Test("A calendar that the server stored at another address is paired by it")
  func otherAddress() throws {
    let place = "https://dav.example.org/1234/"
    let known = KnownCollection(Self.id("x"), folder: "x", location: place)
    let plan = try AccountPlan(
      here: [Self.here("x")], there: [Self.there("1234")], known: [known], selection: .all)
    #expect(plan.entries.map(\.action) == [.pair(known, isNew: false)])
  }

  @Test("The order of the lists does not matter, and a plan that was carried out is settled")
  func laws() async throws {
    for seed in 0..<UInt64(200 * iterationFactor) {
      var random = SeededGenerator(seed: seed)
      let names = ["a", "b", "c", "d", "e"]
      func some() -> [String] { names.filter { _ in Bool.random(using: &random) } }
      let (mine, theirs, both) = (some(), some(), some())
      let selection: CollectionSelection =
        [.all, .named([Self.id("a"), Self.id("b")]), .fromHere, .fromThere]
        .randomElement(using: &random) ?? .all
      let here = mine.map(Self.here)
      let there = theirs.map { Self.there($0) }
      let known = both.map { Self.known($0, isGone: Bool.random(using: &random)) }
      guard
        let plan = try? AccountPlan(here: here, there: there, known: known, selection: selection)
      else { continue }
      #expect(
        plan
          == (try AccountPlan(
            here: here.shuffled(using: &random), there: there.shuffled(using: &random),
            known: known.shuffled(using: &random), selection: selection)),
        "seed \(seed)")
      try await expectSettled(here, there, known, selection, seed)
    }
  }

  private func expectSettled(
    _ here: [AccountCollection], _ there: [AccountCollection], _ known: [KnownCollection],
    _ selection: CollectionSelection, _ seed: UInt64
  ) async throws {
    let local = MemoryAccount(count: { _ in 0 }, make: { _ in 0 })
    let remote = MemoryAccount("https://dav.example.org/", count: { _ in 0 }, make: { _ in 0 })
    here.forEach { local.add($0.id) }
    there.forEach { remote.add($0.id) }
    let ledger = MemoryLedger()
    let binding = AccountBinding(
      name: "acc", local: "/calendars", remote: RemoteIdentity(kind: "memory", location: "there"))
    for known in known { try await ledger.store(known, of: binding, startingOver: false) }
    let run = AccountRun(
      binding, between: (local, remote), over: ledger, selection: selection)
    let before = (Set(local.calendars.keys), Set(remote.calendars.keys))
    let outcome = try await run.run()
    #expect(before.0.isSubset(of: local.calendars.keys), "nothing is removed; seed \(seed)")
    #expect(before.1.isSubset(of: remote.calendars.keys), "nothing is removed; seed \(seed)")
    do {
      let again = try await run.plan()
      #expect(again.isSettled, "seed \(seed): \(again.entries.map(\.action))")
      let pairs = try await run.run().pairs.map(\.id)
      #expect(pairs == outcome.pairs.map(\.id), "seed \(seed)")
    } catch is AccountPlan.EmptySide {
      // All known calendars of a side are gone.
    }
  }

  @Test("The double keeps the promises of an account")
  func double() async throws {
    final class Box: Sendable { let items = FaultPlan() }
    let account = MemoryAccount("there/", count: { (box: Box) in box.items.calls.count }) { _ in
      Box()
    }
    account.add(Self.id("other"))
    try await AccountConformance(account) { collection in
      try account.calendars[collection.id]?.items.perform("item") {}
    }.run()
  }
}

extension AccountPlan {
  /// A plan for a list of the server without gaps.
  fileprivate init(
    here: [AccountCollection], there: [AccountCollection], known: [KnownCollection],
    selection: CollectionSelection
  ) throws(EmptySide) {
    try self.init(
      here: here, there: AccountList(collections: there), known: known, selection: selection)
  }
}
