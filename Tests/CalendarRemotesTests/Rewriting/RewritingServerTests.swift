// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import Testing

/// What servers make of what they are sent is no edit of anybody, and takes nothing away: one event,
/// edited on either side over several runs.
@Suite(.timeLimit(.minutes(60))) struct RewritingServerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let habit: ServerHabit
    let hasTokens: Bool
    let hasTagAfterWrite: Bool
    var testDescription: String {
      "\(habit)\(hasTokens ? ", tells what changed" : "")\(hasTagAfterWrite ? "" : ", without tags")"
    }
  }

  static let cases = cases(of: ServerHabit.allCases)

  private static func cases(of habits: [ServerHabit]) -> [Case] {
    habits.flatMap { habit in
      [(true, true), (true, false), (false, true), (false, false)].map {
        Case(habit: habit, hasTokens: $0, hasTagAfterWrite: $1)
      }
    }
  }

  /// What the person here has made of the event so far, by the beginning of each line.
  private static func expect(
    _ scene: RewritingScene, _ changes: [String: String], and there: Set<String>,
    _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let rows = ItemComparison([RewritingScene.item(changes), scene.here]).rows
    #expect(rows.isEmpty, "\(words): here", sourceLocation: sourceLocation)
    #expect(there.isSubset(of: scene.there), "\(words): there", sourceLocation: sourceLocation)
  }

  @Test("No edit is made up, and none is lost", arguments: cases)
  func story(_ example: Case) async throws {
    let scene = try RewritingScene(
      example.habit, hasTokens: example.hasTokens, hasTagAfterWrite: example.hasTagAfterWrite)
    defer { scene.stop() }
    scene.writeHere()
    #expect(try await scene.sync().uploaded == 1)
    Self.expect(scene, [:], and: ["SUMMARY:Before"], "sent")
    try await scene.expectRest("after it was sent")

    scene.writeThere(["SUMMARY": "SUMMARY:There"])
    #expect(try await scene.sync().conflicts == 0)
    var said = ["SUMMARY": "SUMMARY:There"]
    Self.expect(scene, said, and: ["SUMMARY:There"], "edited there")
    try await scene.expectRest("after an edit there")

    scene.writeHere(["CONTACT": "CONTACT:Ada", "X-KEPT": "X-KEPT:as it was"])
    #expect(try await scene.sync().conflicts == 0)
    said["CONTACT"] = "CONTACT:Ada"
    said["X-KEPT"] = "X-KEPT:as it was"
    Self.expect(scene, said, and: ["SUMMARY:There", "CONTACT:Ada"], "edited here")
    try await scene.expectRest("after an edit here")

    scene.writeHere(["DURATION": "DURATION:PT2H", "COLOR": "COLOR:teal"])
    scene.writeThere(["COMMENT": "COMMENT:come in time", "PRIORITY": "PRIORITY:1"])
    for _ in 1...2 { #expect(try await scene.sync().conflicts == 0) }
    said["DURATION"] = "DURATION:PT2H"
    said["COLOR"] = "COLOR:teal"
    said["COMMENT"] = "COMMENT:come in time"
    said["PRIORITY"] = "PRIORITY:1"
    Self.expect(scene, said, and: ["COMMENT:come in time", "PRIORITY:1"], "edited by both")
    #expect(scene.hoursThere == 2)
    try await scene.expectRest("after edits on both sides")
  }

  @Test("A conflict is of what was edited, and of nothing that was rewritten", arguments: cases)
  func conflict(_ example: Case) async throws {
    let scene = try RewritingScene(
      example.habit, hasTokens: example.hasTokens, hasTagAfterWrite: example.hasTagAfterWrite)
    defer { scene.stop() }
    scene.writeHere()
    try await scene.sync()
    scene.writeHere(["SUMMARY": "SUMMARY:Mine", "CONTACT": "CONTACT:Ada"])
    scene.writeThere(["SUMMARY": "SUMMARY:Theirs", "COMMENT": "COMMENT:come in time"])
    #expect(try await scene.sync().conflicts == 1)
    var said = ["SUMMARY": "SUMMARY:Mine", "CONTACT": "CONTACT:Ada"]
    said["COMMENT"] = "COMMENT:come in time"
    let there: Set = ["SUMMARY:Theirs", "CONTACT:Ada", "COMMENT:come in time"]
    Self.expect(scene, said, and: there, "in conflict")
    try await scene.expectRest("in conflict", conflicts: 1)

    scene.writeThere(["SUMMARY": "SUMMARY:Mine"])
    for _ in 1...2 { #expect(try await scene.sync().conflicts == 0) }
    Self.expect(scene, said, and: ["SUMMARY:Mine", "CONTACT:Ada"], "settled there")
    try await scene.expectRest("after it was settled")
  }

  @Test(
    "Alarms that the server drops are lost there, and stay here",
    arguments: cases(of: [.dropsAlarms]))
  func dropsAlarms(_ example: Case) async throws {
    let scene = try RewritingScene(
      example.habit, hasTokens: example.hasTokens, hasTagAfterWrite: example.hasTagAfterWrite)
    defer { scene.stop() }
    scene.writeHere()
    let bytes = scene.bytes
    let losses: Set = ["VEVENT VALARM", "VEVENT LOCATION", "VEVENT CATEGORIES"]
    #expect(try await scene.sync().uploaded == 1)
    #expect(scene.takeLosses() == losses)
    for isVerifying in [false, true, false] {
      #expect(try await scene.sync(isVerifying: isVerifying) == RunSummary())
      #expect(scene.takeLosses() == (isVerifying ? losses : []))
      #expect(scene.bytes == bytes)
    }
    // The summary is edited there, and the location added anew.
    scene.writeThere(["SUMMARY": "SUMMARY:There", "LOCATION": "LOCATION:Barn"])
    #expect(try await scene.sync().downloaded == 1)
    #expect(scene.here?.title == "There")
    #expect(scene.here?.main?[.location]?.text == "Barn")
    #expect(scene.here?.main?.components.count == 2)
    try await scene.expectRest("after an edit there")
  }
}
