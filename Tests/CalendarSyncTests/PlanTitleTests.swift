// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("Titles in a plan")
struct PlanTitleTests {
  private func titles(of outcome: SyncScene.Outcome) -> [String: String] {
    var titles: [String: String] = [:]
    for case .planned(let plan) in outcome.events {
      for operation in plan.operations {
        titles["\(operation.verb) \(operation.uid)"] = operation.title
      }
    }
    return titles
  }

  @Test("A download and a merge have the title that they write")
  func written() async throws {
    var scene = SyncScene()
    try await scene.agree(on: ["a": "Alpha", "b": "Beta"])
    scene.remote.write(TestItem.make(uid: "a", summary: "Alpha, cancelled"))
    scene.remote.write(TestItem.make(uid: "b", summary: "Beta, cancelled"))
    var here = try #require(scene.local.items["b"]?.components.first)
    here[.location] = Property(.location, rawValue: "Hall")
    let item = try #require(scene.local.items["b"])
    scene.local.write(try item.replacing(components: [here], timeZones: []))
    scene.options.isDryRun = true
    let titles = titles(of: try await scene.sync())
    #expect(titles["update-local a"] == "Alpha, cancelled")
    #expect(titles["merge b"] == "Beta, cancelled")
  }

  @Test("A deletion has the title that both sides agreed on, whichever side is without the item")
  func deletions() async throws {
    var scene = SyncScene()
    try await scene.agree(on: ["a": "Alpha", "b": "Beta", "c": "Gamma", "d": "Delta"])
    scene.local.remove("a")
    scene.remote.remove("b")
    scene.options.isDryRun = true
    for isVerifying in [false, true] {
      scene.options.isVerifying = isVerifying
      let titles = titles(of: try await scene.sync())
      #expect(titles["delete-remote a"] == "Alpha")
      #expect(titles["delete-local b"] == "Beta")
    }
  }
}
