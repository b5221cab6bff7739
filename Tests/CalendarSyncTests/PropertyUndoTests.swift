// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("Name, colour, description and order are taken back")
struct PropertyUndoTests {
  private let here: MemoryProperties
  private let there: MemoryProperties
  private var scene: SyncScene

  init() {
    let faults = FaultPlan()
    here = MemoryProperties("here", faults: faults)
    there = MemoryProperties("there", faults: faults)
    scene = SyncScene(here, there)
  }

  /// The same sides, with nothing on them and nothing known of them.
  private static func fresh() -> PropertyUndoTests { PropertyUndoTests() }

  /// Both sides agree on a name, a colour and an order, and then each side changes one of them and a third
  /// is removed there.
  private mutating func edit() async throws {
    (here[.name], here[.color], here[.order]) = ("Home", "#102030", "1")
    try await scene.sync()
    here[.name] = "At home"
    (there[.color], there[.order]) = ("#FFFFFFFF", nil)
    #expect(try await scene.sync().summary.properties == 3)
    #expect(there[.name] == "At home")
    #expect(here[.color] == "#FFFFFFFF")
    #expect(here[.order] == nil)
  }

  /// After both agreed on a name each side gave itself another one, and then the remote got a third, which
  /// came here.
  private mutating func spoilBoth() async throws {
    here[.name] = "Home"
    try await scene.sync()
    (here[.name], there[.name]) = ("mine", "theirs")
    try await scene.sync()
    there[.name] = "spoilt"
    scene.wait()
    try await scene.sync()
    expectNames("spoilt", "spoilt")
  }

  private func expectNames(
    _ local: String, _ remote: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect([here, there].map { $0[.name] } == [local, remote], sourceLocation: sourceLocation)
  }

  /// What both sides say, by property.
  private var values: [[String?]] {
    [here, there].map { side in CollectionProperty.allCases.map { side[$0] } }
  }

  /// Expects further runs to set nothing, whether or not the remote is asked.
  private mutating func expectRest(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let before = (values, here.writes.count, there.writes.count)
    for _ in 1...2 {
      #expect(try await scene.sync().summary == RunSummary(), sourceLocation: sourceLocation)
      scene.wait()
    }
    #expect(values == before.0, sourceLocation: sourceLocation)
    #expect(here.writes.count == before.1, sourceLocation: sourceLocation)
    #expect(there.writes.count == before.2, sourceLocation: sourceLocation)
  }

  @Test("What a run changed goes back on both sides, and the next sync leaves it so")
  mutating func all() async throws {
    try await edit()
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    #expect(outcome.summary.properties == 6)
    for side in [here, there] {
      #expect(side[.name] == "Home")
      #expect(side[.color] == "#102030")
      #expect(side[.order] == "1")
    }
    try await expectRest()
  }

  @Test("What a run set where nothing was is taken away there, and stays where it was before")
  mutating func firstValues() async throws {
    (here[.name], there[.color]) = ("Home", "#102030")
    try await scene.sync()
    try await scene.undoLast()
    #expect(values == [["Home", nil, nil, nil], [nil, "#102030", nil, nil]])
    try await expectRest()
    // An edit of what was left alone is synced as any.
    there[.color] = "#ffffff"
    scene.wait()
    try await scene.sync()
    #expect(here[.color] == "#ffffff")
  }

  @Test("What was taken back can be taken back")
  mutating func twice() async throws {
    try await edit()
    let before = values
    try await scene.undoLast()
    try await scene.undoLast()
    #expect(values == before)
    try await expectRest()
    let runs = await scene.ledger.runs(of: "home")
    #expect(runs.compactMap(\.undoes).count == 2)
  }

  @Test("What was set where nothing was and taken away is set again there alone")
  mutating func firstValuesTwice() async throws {
    here[.name] = "Home"
    try await scene.sync()
    try await scene.undoLast()
    #expect(there[.name] == nil)
    try await scene.undoLast()
    #expect(there[.name] == "Home")
    #expect(here.writes == [])
    try await expectRest()
  }

  @Test("Items and properties of one run are taken back together")
  mutating func withItems() async throws {
    try await scene.agree(on: ["a": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    here[.name] = "Home"
    try await scene.sync()
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.uploaded == 1)
    #expect(outcome.summary.properties == 1)
    #expect(scene.titles.local == ["a": "edited"])
    #expect(scene.titles.remote == ["a": "base"])
    #expect(there[.name] == nil)
    #expect(await scene.ledger.summaries.last == outcome.summary)
  }

  @Test("What changed since, on either side, is left alone and told; the rest goes back")
  mutating func changedSince() async throws {
    for isHere in [true, false] {
      self = Self.fresh()
      try await edit()
      let side = isHere ? here : there
      (side[.name], side[.color]) = ("Mine", "#000000")
      let outcome = try await scene.undoLast()
      #expect(outcome.summary.failed == 2)
      #expect(outcome.summary.properties == 2)
      let reasons = outcome.events.compactMap { event in
        if case .property(_, .failed(let reason)) = event { reason } else { nil }
      }
      #expect(reasons == Array(repeating: ItemObstacle.notUndone(.changedSince), count: 2))
      #expect(values.map(\.last) == ["1", "1"])
      #expect((isHere ? there : here)[.name] == "At home")
      #expect(side[.name] == "Mine")
      // Nor is what somebody changed since lost for the sync.
      scene.wait()
      try await scene.sync()
      expectNames("Mine", "Mine")
      #expect(here[.color] == there[.color])
      try await expectRest()
    }
  }

  @Test("Where each side had kept its own, each gets its own back")
  mutating func eachItsOwn() async throws {
    try await spoilBoth()
    try await scene.undoLast()
    expectNames("mine", "theirs")
    try await expectRest()
    try await scene.undoLast()
    expectNames("spoilt", "spoilt")
    try await expectRest()
  }

  @Test("Cut off after each side got its own back, no policy decides between them")
  mutating func eachItsOwnCutOff() async throws {
    try await spoilBoth()
    scene.merge = ThreeWayMerge(policies: MergePolicies(.local))
    scene.faults.restart(named: ["settle name remote": .crashAfter])
    _ = try? await scene.undoLast()
    scene.faults.restart()
    scene.wait()
    try await scene.sync()
    expectNames("mine", "theirs")
    try await expectRest()
  }

  @Test("What somebody put back already needs nothing")
  mutating func putBackAlready() async throws {
    here[.name] = "Home"
    try await scene.sync()
    there[.name] = "Office"
    scene.wait()
    try await scene.sync()
    (here[.name], there[.name]) = ("Home", "Home")
    let outcome = try await scene.undoLast()
    #expect(outcome.summary == RunSummary())
    expectNames("Home", "Home")
    try await expectRest()
  }

  @Test("What a side refuses is told, the rest goes back, and nothing is done over")
  mutating func refused() async throws {
    try await edit()
    there.refuse(.color, because: "no colours here")
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 1)
    #expect(outcome.summary.properties == 5)
    // What the run wrote is taken back; the server keeps its own.
    #expect(here[.color] == "#102030")
    #expect(there[.color] == "#FFFFFFFF")
    #expect(here[.name] == "Home")
    #expect(there[.order] == "1")
    try await expectRest()
  }

  @Test("Where a side cannot be read, that is one failure, and nothing is set")
  mutating func unreadable() async throws {
    try await edit()
    let before = values
    there.faults.restart(named: ["read properties there": .fail])
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 1)
    #expect(
      outcome.events.contains { event in
        if case .propertiesFailed = event { true } else { false }
      })
    #expect(values == before)
  }

  @Test("Where the side that the run wrote refuses, the other one does not follow")
  mutating func refusedWhereWritten() async throws {
    try await edit()
    there.refuse(.name, because: "no names here")
    #expect(try await scene.undoLast().summary.failed == 1)
    expectNames("At home", "At home")
    try await expectRest()
  }

  @Test("Of a remote that can only be read, what came here goes back here, and stays so")
  mutating func readOnly() async throws {
    there[.name] = "Holidays"
    try await scene.sync()
    scene.wait()
    there.canBeSet = false
    there[.name] = "Bank holidays"
    try await scene.sync()
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    expectNames("Holidays", "Bank holidays")
    #expect(there.writes == [])
    try await expectRest()
  }

  @Test("What was written to a calendar that can only be read by now is told and left")
  mutating func readOnlySince() async throws {
    try await edit()
    there.canBeSet = false
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 1)
    expectNames("At home", "At home")
    #expect(here[.color] == "#102030")
  }

  @Test("A dry run tells what it would do and writes nothing")
  mutating func dryRun() async throws {
    try await edit()
    there[.order] = "9"
    let before = values
    let runs = await scene.ledger.runCount
    scene.options.isDryRun = true
    let outcome = try await scene.undoLast()
    #expect(values == before)
    #expect(await scene.ledger.runCount == runs)
    #expect(outcome.summary.failed == 1)
    #expect(outcome.summary.properties == 0)
    let planned = outcome.events.compactMap { event in
      if case .property(let change, .planned) = event { change } else { nil }
    }
    #expect(
      planned == [
        CollectionChange(property: .name, action: .setRemote("Home")),
        CollectionChange(property: .name, action: .setLocal("Home")),
        CollectionChange(property: .color, action: .setLocal("#102030")),
        CollectionChange(property: .color, action: .setRemote("#102030")),
      ])
  }

  @Test("Without full access nothing is contacted")
  mutating func writeOnly() async throws {
    try await edit()
    scene.tier = .writeOnly
    scene.remote.clearLog()
    let (scene, reads, before) = (scene, there.reads, values)
    await #expect(throws: AccessError.self) { try await scene.undoLast() }
    #expect(scene.remote.log == [])
    #expect(there.reads == reads)
    #expect(values == before)
  }

  @Test("The journal tells what was there before and after, and what became of it")
  mutating func journal() async throws {
    try await edit()
    there.refuse(.name, because: "no names here")
    here[.name] = "Nowhere"
    try await scene.sync()
    let runs = await scene.ledger.runs(of: "home").filter { $0.summary != RunSummary() }
    let lines = try await runs.asyncMap { try await scene.ledger.propertyJournal(of: $0.id) }
    func line(
      _ property: CollectionProperty, _ side: MergeSide, _ before: String?, _ after: String?,
      agreed: String? = nil, _ state: JournalLine.State = .done
    ) -> PropertyLine {
      PropertyLine(
        property: property, side: side, before: before, after: after, agreed: agreed, state: state)
    }
    #expect(
      lines == [
        [line(.name, .remote, "At home", "Nowhere", agreed: "At home", .givenUp)],
        [
          line(.name, .remote, "Home", "At home", agreed: "Home"),
          line(.color, .local, "#102030", "#FFFFFFFF", agreed: "#102030"),
          line(.order, .local, "1", nil, agreed: "1"),
        ],
        [
          line(.name, .remote, nil, "Home"), line(.color, .remote, nil, "#102030"),
          line(.order, .remote, nil, "1"),
        ],
      ])
  }

  @Test("The intent is durable before the write, and a run that was cut off is found out about")
  mutating func cutOff() async throws {
    here[.name] = "Home"
    try await scene.sync()
    for (fault, state) in [
      (FaultPlan.Fault.crashBefore, JournalLine.State.givenUp), (.crashAfter, .done),
      (.loseAnswer, .done), (.fail, .givenUp),
    ] {
      here[.name] = "\(fault)"
      scene.faults.restart(named: ["set name there": fault])
      _ = try? await scene.sync()
      scene.faults.restart()
      let pending = try await scene.ledger.pendingProperties(of: scene.binding)
      #expect(pending.map(\.after) == ["\(fault)"])
      let run = try #require(await scene.ledger.runs(of: "home").first?.id)
      try await scene.sync()
      #expect(try await scene.ledger.pendingProperties(of: scene.binding) == [])
      #expect(try await scene.ledger.propertyJournal(of: run).map(\.state) == [state])
      #expect(there[.name] == "\(fault)")
    }
  }

  @Test(
    "Whatever goes wrong while a run is taken back, the sides come to rest as before or after it")
  mutating func everyCall() async throws {
    try await edit()
    (here[.description], here[.name]) = ("What we do", "Home again")
    try await scene.sync()
    scene.faults.restart()
    try await scene.undoLast()
    let calls = scene.faults.calls
    #expect(calls.contains("set name here"))
    for index in calls.indices {
      for fault in FaultPlan.Fault.allCases {
        self = Self.fresh()
        try await edit()
        (here[.description], here[.name]) = ("What we do", "Home again")
        try await scene.sync()
        scene.faults.restart([index: fault])
        _ = try? await scene.undoLast()
        scene.faults.restart()
        scene.wait()
        _ = try await scene.sync()
        let what: Comment = "\(fault) at call \(index), \(calls[index])"
        #expect(["At home", "Home again"].contains(here[.name]), what)
        #expect(here[.name] == there[.name], what)
        #expect(here[.description] == "What we do", what)
        #expect([nil, "What we do"].contains(there[.description]), what)
        #expect(try await scene.ledger.pendingProperties(of: scene.binding) == [], what)
        try await expectRest()
      }
    }
  }
}

extension Sequence {
  /// Maps one element after the other.
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
