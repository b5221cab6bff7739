// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("Name, colour, description and order are synced")
struct CollectionSyncTests {
  private let here: MemoryProperties
  private let there: MemoryProperties
  private var scene: SyncScene

  init() {
    let faults = FaultPlan()
    here = MemoryProperties("here", faults: faults)
    there = MemoryProperties("there", faults: faults)
    scene = SyncScene(here, there)
  }

  @Test("Of two sides that never agreed, one that says nothing takes what the other says")
  func first() async throws {
    (here[.name], there[.color]) = ("Home", "#102030")
    var summary = RunSummary()
    summary.properties = 2
    #expect(try await scene.sync().summary == summary)
    #expect(await scene.ledger.summaries == [summary])
    for side in [here, there] {
      #expect(side[.name] == "Home")
      #expect(side[.color] == "#102030")
    }
    #expect(here.writes == ["color=#102030"])
    #expect(there.writes == ["name=Home"])
  }

  @Test("A side that lost all its properties at once gets them back", arguments: MergeSide.allCases)
  mutating func emptied(_ side: MergeSide) async throws {
    (here[.name], here[.color]) = ("Home", "#102030")
    try await scene.sync()
    scene.wait()
    let lost = side == .local ? here : there
    (lost[.name], lost[.color]) = (nil, nil)
    let outcome = try await scene.sync()
    #expect(outcome.summary.properties == 2)
    for side in [here, there] {
      #expect(side[.name] == "Home")
      #expect(side[.color] == "#102030")
    }
  }

  @Test(
    "Of an empty calendar, even the only property is not removed, nor the only name by a server",
    arguments: MergeSide.allCases)
  mutating func emptiedOfOne(_ side: MergeSide) async throws {
    here[.name] = "Home"
    try await scene.sync()
    for hasItem in [false, true] {
      if hasItem { try await scene.agree(on: ["a": "Lunch"]) }
      scene.wait()
      (side == .local ? here : there)[.name] = nil
      try await scene.sync()
      let isRemoved = hasItem && side == .local
      #expect(here[.name] == (isRemoved ? nil : "Home"))
      #expect(there[.name] == (isRemoved ? nil : "Home"))
    }
  }

  @Test("What is spelled differently is not written")
  func spelling() async throws {
    (here[.color], there[.color]) = ("#ff8800\n", "#FF8800FF")
    try await scene.sync()
    #expect(here.writes + there.writes == [])
  }

  @Test("Edits and removals travel both ways")
  mutating func edits() async throws {
    (here[.name], here[.order]) = ("Home", "1")
    try await scene.sync()
    here[.name] = "At home"
    there[.order] = "2"
    try await scene.sync()
    #expect(there[.name] == "At home")
    #expect(here[.order] == "2")
    scene.wait()
    (here[.order], there[.name]) = (nil, nil)
    try await scene.sync()
    #expect(there[.order] == nil)
    #expect(here[.name] == nil)
    scene.wait()
    let written = (here.writes, there.writes)
    try await scene.sync()
    #expect(here.writes == written.0)
    #expect(there.writes == written.1)
  }

  @Test("The same edit on both sides is neither written nor reported")
  mutating func sameEdit() async throws {
    scene.merge = ThreeWayMerge(policies: MergePolicies(.local))
    here[.name] = "base"
    try await scene.sync()
    let written = (here.writes, there.writes)
    (here[.name], there[.name]) = ("same", "same")
    let outcome = try await scene.sync()
    #expect(!outcome.events.contains { if case .property = $0 { true } else { false } })
    #expect(here.writes == written.0)
    #expect(there.writes == written.1)
  }

  @Test(
    "What both sides changed follows the policy of the sync",
    arguments: [
      (.keepBoth, "mine", "theirs"), (.newest, "mine", "theirs"), (.local, "mine", "mine"),
      (.remote, "theirs", "theirs"),
    ] as [(MergePolicy, String, String)])
  mutating func policy(_ policy: MergePolicy, _ local: String, _ remote: String) async throws {
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    here[.name] = "base"
    try await scene.sync()
    (here[.name], there[.name]) = ("mine", "theirs")
    let outcome = try await scene.sync()
    #expect(here[.name] == local)
    #expect(there[.name] == remote)
    let told = outcome.events.filter { if case .property = $0 { true } else { false } }
    #expect(told.count == 1)
    // Each keeps its own from now on, until one of them is edited again.
    scene.wait()
    #expect(
      try await !scene.sync().events.contains { if case .property = $0 { true } else { false } })
    #expect(here[.name] == local)
    #expect(there[.name] == remote)
    there[.name] = "last word"
    scene.wait()
    try await scene.sync()
    #expect(here[.name] == "last word")
  }

  @Test("What a side refuses is told once, and tried again when it was edited")
  mutating func refused() async throws {
    there.refuse(.color, because: "no colours here")
    (here[.color], here[.name]) = ("#102030", "Home")
    #expect(try await scene.sync().summary.failed == 1)
    #expect(there[.name] == "Home")
    scene.wait()
    #expect(try await scene.sync().summary.failed == 0)
    here[.color] = "#ffffff"
    #expect(try await scene.sync().summary.failed == 1)
    #expect(there[.color] == nil)
  }

  @Test("Of a remote that can only be read edits here stay here, and are no failure")
  mutating func readOnly() async throws {
    there.canBeSet = false
    there[.name] = "Holidays"
    try await scene.sync()
    #expect(here[.name] == "Holidays")
    (here[.name], here[.color]) = ("Days off", "#102030")
    #expect(try await scene.sync().summary.failed == 0)
    #expect(there.writes == [])
    #expect(here[.name] == "Days off")
    scene.wait()
    there[.name] = "Bank holidays"
    try await scene.sync()
    #expect(here[.name] == "Days off")
    #expect(here[.color] == "#102030")
  }

  @Test("The name that a subscription was given stays")
  mutating func namedSubscription() async throws {
    there.canBeSet = false
    (there[.name], there[.color]) = ("School holidays of Berlin", "#102030")
    here[.name] = "Holidays"
    try await scene.sync()
    #expect(here[.name] == "Holidays")
    #expect(here[.color] == "#102030")
    scene.wait()
    try await scene.sync()
    #expect(here[.name] == "Holidays")
  }

  @Test("The remote is asked after a change here, at a verification, and else once in an hour")
  mutating func politeness() async throws {
    here[.name] = "Home"
    try await scene.sync()
    #expect(there.reads == 1)
    scene.now += 3_600 - 1
    try await scene.sync()
    #expect(there.reads == 1)
    here[.name] = "At home"
    try await scene.sync()
    #expect(there.reads == 2)
    scene.now += 3_600
    try await scene.sync()
    #expect(there.reads == 3)
    // A clock that was set back keeps nobody waiting.
    scene.now = 0
    try await scene.sync()
    #expect(there.reads == 4)
    scene.options.isVerifying = true
    try await scene.sync()
    #expect(there.reads == 5)
  }

  @Test("What goes wrong is counted, and keeps no item")
  mutating func failure() async throws {
    for call in ["read properties there", "read properties here", "set name there"] {
      here[.name] = "Home after \(call)"
      scene.local.write(TestItem.make(uid: call))
      scene.faults.restart(named: [call: .fail])
      #expect(try await scene.sync().summary.failed == 1, "\(call)")
      #expect(scene.remote.items[call] != nil)
      scene.faults.restart()
      #expect(try await scene.sync().summary.failed == 0)
      #expect(there[.name] == here[.name], "\(call)")
    }
  }

  @Test("An answer that is lost does no harm, and nor does a crash")
  mutating func crashes() async throws {
    for fault in [FaultPlan.Fault.loseAnswer, .crashBefore, .crashAfter] {
      for call in ["set name there", "store agreement", "agreement"] {
        here[.name] = "\(fault) \(call)"
        scene.faults.restart(named: [call: fault])
        _ = try? await scene.sync()
        scene.faults.restart()
        scene.wait()
        try await scene.sync()
        #expect(there[.name] == "\(fault) \(call)")
        #expect(here[.name] == there[.name])
      }
    }
  }

  @Test("A dry run tells and sets nothing; a run that a guard stopped does not even ask")
  mutating func untouched() async throws {
    here[.name] = "Home"
    scene.options.isDryRun = true
    let outcome = try await scene.sync()
    #expect(there[.name] == nil)
    #expect(
      outcome.events.contains { event in
        if case .property(_, .planned) = event { true } else { false }
      })
    scene.options.isDryRun = false
    for uid in 1...4 { scene.local.write(TestItem.make(uid: "\(uid)")) }
    try await scene.sync()
    for uid in 1...4 { scene.local.remove("\(uid)") }
    here[.name] = "Elsewhere"
    #expect(try await scene.sync().summary.stoppedByGuard)
    #expect(there[.name] == "Home")
  }

  @Test("Another binding starts over, and takes nothing away")
  mutating func anotherBinding() async throws {
    (here[.name], there[.name]) = ("Home", "Home")
    try await scene.sync()
    here[.name] = nil
    scene.options.filter.past = 30
    try await scene.sync()
    #expect(here[.name] == "Home")
    #expect(there[.name] == "Home")
  }
}
