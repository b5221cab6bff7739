// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("What loses against a policy")
struct LoserTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let policies: MergePolicies
    /// When each side was edited.
    var here = "20260401T000000Z"
    var there = "20260402T000000Z"
    let loser: MergeSide
  }

  static let cases = [
    Case(testDescription: "local", policies: MergePolicies(.local), loser: .remote),
    Case(testDescription: "remote", policies: MergePolicies(.remote), loser: .local),
    Case(testDescription: "newest, there", policies: MergePolicies(.newest), loser: .local),
    Case(
      testDescription: "newest, here", policies: MergePolicies(.newest), here: "20260403T000000Z",
      loser: .remote),
    Case(
      testDescription: "local for one property",
      policies: MergePolicies(named: ["SUMMARY": .local]), loser: .remote),
    Case(
      testDescription: "remote for one property",
      policies: MergePolicies(named: ["SUMMARY": .remote]), loser: .local),
  ]

  private func item(_ summary: String, _ location: String?, at time: String) -> CalendarItem {
    let item = TestItem.make(uid: "a", summary: summary, location: location)
    let text = String(decoding: item.serialized(), as: UTF8.self)
    return TestItem.parse(text.replacing("SEQUENCE:", with: "LAST-MODIFIED:\(time)\r\nSEQUENCE:"))
  }

  private func scene(_ row: Case, isMerged: Bool) async throws -> SyncScene {
    var scene = SyncScene()
    scene.merge = ThreeWayMerge(policies: row.policies)
    try await scene.agree(on: ["a": "base", "b": "base"])
    scene.local.write(item("mine", nil, at: row.here))
    scene.remote.write(item("theirs", isMerged ? "mill" : nil, at: row.there))
    try await scene.sync()
    return scene
  }

  @Test(
    "It is in the journal, and comes back where it was when the run is taken back", arguments: cases
  )
  func isKept(_ row: Case) async throws {
    for isMerged in [false, true] {
      let scene = try await scene(row, isMerged: isMerged)
      let (loser, winner) = row.loser == .local ? ("mine", "theirs") : ("theirs", "mine")
      scene.expectBoth(["a": winner, "b": "base"])
      let run = try #require(await scene.ledger.runs(of: "home").first)
      let journal = await scene.ledger.journal(of: run.id)
      let before = journal.compactMap(\.before).map { String(decoding: $0, as: UTF8.self) }
      #expect(before.contains { $0.contains("SUMMARY:\(loser)") })
      try await scene.undoLast()
      for _ in 1...3 {
        #expect(scene.titles.remote["a"] == "theirs")
        if row.loser == .local || isMerged { #expect(scene.titles.local["a"] == "mine") }
        #expect(scene.location("a").remote == (isMerged ? "mill" : nil))
        #expect(try await scene.sync().summary.conflicts == 1, "no policy does it again by itself")
      }
    }
  }
}
