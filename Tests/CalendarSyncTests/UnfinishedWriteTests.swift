// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("A write of several requests that ended after some of them")
struct UnfinishedWriteTests {
  /// A weekly series with an excluded and a moved occurrence, or a part of it.
  private func series(
    _ summary: String = "Yoga", location: String = "Hall", hasExclusion: Bool = true,
    moved: String? = "12"
  ) -> CalendarItem {
    let main =
      "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260102T030405Z\r\nSUMMARY:\(summary)\r\n"
      + "LOCATION:\(location)\r\nDTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\n"
      + "RRULE:FREQ=WEEKLY;COUNT=8\r\n"
      + (hasExclusion ? "EXDATE:20260316T090000Z\r\n" : "") + "END:VEVENT\r\n"
    let override = moved.map {
      "BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260102T030405Z\r\nSUMMARY:Moved\r\n"
        + "RECURRENCE-ID:20260309T090000Z\r\nDTSTART:20260309T\($0)0000Z\r\n"
        + "DTEND:20260309T\($0)3000Z\r\nEND:VEVENT\r\n"
    }
    return TestItem.parse(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Test//EN\r\n\(main)"
        + "\(override ?? "")END:VCALENDAR\r\n")
  }

  private func newScene() -> SyncScene {
    var scene = SyncScene(quirks: .writesInParts)
    scene.options.safeguards.allowed = 1
    return scene
  }

  /// A scene with an addition that ended after its first request.
  private func begunAddition(_ part: CalendarItem) async throws -> SyncScene {
    let scene = newScene()
    scene.local.write(series())
    try await scene.crash(before: "create a")
    scene.remote.write(part)
    return scene
  }

  /// A scene with a change that ended after its first request.
  private func begunChange(to changed: CalendarItem, _ part: CalendarItem) async throws -> SyncScene
  {
    let scene = newScene()
    scene.local.write(series())
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(changed)
    try await scene.crash(before: "update a")
    scene.remote.write(part)
    return scene
  }

  private func expectBoth(
    _ item: CalendarItem, _ scene: SyncScene, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0, sourceLocation: sourceLocation)
    #expect(
      scene.local.items["a"]?.fingerprint == item.fingerprint,
      "here: \(String(decoding: scene.local.items["a"]?.serialized() ?? [], as: UTF8.self))",
      sourceLocation: sourceLocation)
    #expect(
      scene.remote.items["a"]?.fingerprint == item.fingerprint, "there",
      sourceLocation: sourceLocation)
    try await scene.expectRest(sourceLocation: sourceLocation)
  }

  // MARK: Additions

  @Test("An addition goes on from the series, and nothing is lost here")
  func addition() async throws {
    try await expectBoth(
      series(), try await begunAddition(series(hasExclusion: false, moved: nil)))
  }

  @Test("An addition goes on from the series and its exclusions")
  func additionWithExclusions() async throws {
    try await expectBoth(series(), try await begunAddition(series(moved: nil)))
  }

  @Test("An item that was deleted here meanwhile is deleted there, and does not come back")
  func deletedMeanwhile() async throws {
    let scene = try await begunAddition(series(hasExclusion: false, moved: nil))
    scene.local.remove("a")
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["delete-remote a"])
    #expect(scene.local.items.isEmpty && scene.remote.items.isEmpty)
    try await scene.expectRest()
  }

  @Test("An edit here meanwhile and the rest of an addition are sent together")
  func editedHere() async throws {
    let scene = try await begunAddition(series(hasExclusion: false, moved: nil))
    scene.local.write(series("Pilates", moved: "14"))
    try await expectBoth(series("Pilates", moved: "14"), scene)
  }

  @Test("An edit there meanwhile arrives here, and the rest of the addition there")
  func editedThere() async throws {
    let scene = try await begunAddition(
      series("Pilates", hasExclusion: false, moved: nil))
    try await expectBoth(series("Pilates"), scene)
  }

  // MARK: Changes

  @Test("A change goes on with the occurrence that was not written")
  func change() async throws {
    let changed = series("Pilates", hasExclusion: false, moved: "14")
    let part = series("Pilates", hasExclusion: false, moved: "12")
    try await expectBoth(changed, try await begunChange(to: changed, part))
  }

  @Test("A changed series that lost its occurrences by a new start gets them again")
  func dropped() async throws {
    let changed = series("Pilates", moved: "14")
    let part = series("Pilates", hasExclusion: false, moved: nil)
    try await expectBoth(changed, try await begunChange(to: changed, part))
  }

  @Test("A value that an override inherits from its changed series is no edit")
  func inherited() async throws {
    let changed = series(location: "Garden")
    let part = TestItem.parse(
      String(decoding: changed.serialized(), as: UTF8.self)
        .replacing("SUMMARY:Moved", with: "SUMMARY:Moved\r\nLOCATION:Garden"))
    try await expectBoth(changed, try await begunChange(to: changed, part))
    let scene = try await begunChange(to: changed, part)
    scene.local.remove("a")
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.sync()
    #expect(scene.remote.items["a"] == nil && scene.local.items["a"] == nil)
  }

  @Test("An item that was deleted here after a begun change is deleted there")
  func deletedAfterChange() async throws {
    let scene = try await begunChange(
      to: series("Pilates", moved: "14"), series("Pilates", moved: "12"))
    scene.local.remove("a")
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.sync()
    #expect(scene.remote.items["a"] == nil && scene.local.items["a"] == nil)
  }

  @Test("A deletion after a begun change goes on after the process ends once more")
  func deletedTwice() async throws {
    let scene = try await begunChange(
      to: series("Pilates", moved: "14"), series("Pilates", moved: "12"))
    scene.local.remove("a")
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.crash(before: "delete a.ics")
    try await scene.sync()
    #expect(scene.remote.items["a"] == nil && scene.local.items["a"] == nil)
  }

  @Test("Edits of both sides after a begun change are merged with the rest of it")
  func editedTwice() async throws {
    let scene = try await begunChange(
      to: series("Pilates", moved: "14"), series("Pilates", location: "Garden", moved: "12"))
    scene.local.write(series("Pilates", hasExclusion: false, moved: "14"))
    try await expectBoth(
      series("Pilates", location: "Garden", hasExclusion: false, moved: "14"), scene)
  }

  @Test("A value that was edited there after a change reached it is no conflict")
  func editedReached() async throws {
    let changed = series("Pilates", location: "Garden", moved: "14")
    let scene = try await begunChange(
      to: changed, series("Boxing", location: "Garden", moved: "12"))
    try await expectBoth(series("Boxing", location: "Garden", moved: "14"), scene)
  }

  @Test("Different edits of one value are a conflict if no request of the change succeeded")
  func conflict() async throws {
    let scene = try await begunChange(to: series("Pilates"), series("Boxing"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 1)
    #expect(scene.local.items["a"]?.title == "Pilates")
    #expect(scene.remote.items["a"]?.title == "Boxing")
  }

  @Test("A change of which no request succeeded is sent again")
  func unreached() async throws {
    let changed = series("Pilates", moved: "14")
    let scene = newScene()
    scene.local.write(series())
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(changed)
    try await scene.crash(before: "update a")
    try await expectBoth(changed, scene)
  }

  @Test("A second run that ends, too, does not lose what the first one wrote")
  func twice() async throws {
    let scene = try await begunChange(
      to: series("Pilates", moved: "14"), series("Pilates", moved: "12"))
    scene.local.write(series("Pilates", location: "Garden", moved: "14"))
    try await scene.crash(before: "update a")
    try await expectBoth(series("Pilates", location: "Garden", moved: "14"), scene)
  }

  // MARK: Deletions

  @Test("A deletion goes on if some occurrences are left")
  func deletion() async throws {
    let scene = newScene()
    scene.local.write(series())
    for _ in 1...2 { try await scene.sync() }
    scene.local.remove("a")
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.crash(before: "delete a.ics")
    scene.remote.write(series(moved: nil))
    let outcome = try await scene.sync()
    #expect(outcome.verbs.contains("delete-remote a"))
    #expect(scene.remote.items["a"] == nil && scene.local.items["a"] == nil)
  }
}
