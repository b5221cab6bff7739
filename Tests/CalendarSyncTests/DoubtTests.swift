// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("A sync that cannot know something")
struct DoubtTests {
  @Test("A local file that cannot be read deletes nothing on the remote")
  func unreadableLocal() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write([], as: "a.ics")
    let outcome = try await scene.sync()
    #expect(scene.remote.items.count == 3)
    #expect(scene.remote.writes == [])
    #expect(outcome.plan.contains("local-file ("))
  }

  @Test("A local file that was renamed and cannot be read holds deletions back")
  func renamedAndUnreadable() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.local.remove("a")
    scene.local.write([], as: "renamed.ics")
    let outcome = try await scene.sync()
    #expect(scene.remote.items.count == 4)
    #expect(outcome.plan.contains("unreadable (local renamed.ics)"))
  }

  @Test("A download that was cut off is made again, whatever other file cannot be read")
  func cutOffBesideUnreadable() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write([], as: "notes.ics")
    scene.remote.write(TestItem.make(uid: "new"))
    try await scene.crash(before: "createLocal new")
    try await scene.sync()
    #expect(scene.local.items["new"] != nil)
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }

  @Test("A download that was cut off is not made again beside a damaged file of its name")
  func cutOffAndDamaged() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "new"))
    try await scene.crash(after: "createLocal new")
    scene.local.write([], as: "new.ics")
    let outcome = try await scene.sync()
    #expect(outcome.plan.contains("unreadable (local new.ics)"))
    #expect(scene.local.contents["new.ics"] == [])
    #expect(scene.local.contents.count == 4)
  }

  @Test("A local file that cannot be read holds no deletion of another item back")
  func unreadableBeside() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write([], as: "a.ics")
    scene.local.remove("b")
    try await scene.sync()
    #expect(Set(scene.remote.items.keys) == ["a", "c"])
  }

  @Test("An edit under an unchanged tag is not overwritten by a later edit of this side")
  func editedSilently() async throws {
    var scene = SyncScene()
    try await scene.agree(on: ["a": "1"])
    scene.remote.replaceSilently("a", by: TestItem.make(uid: "a", summary: "2"))
    scene.options.isVerifying = true
    // The file is edited after the plan, so that the verification cannot download its finding.
    let local = scene.local
    let engine = scene.engine { event in
      guard case .planned = event else { return }
      local.write(TestItem.make(uid: "a", summary: "1", location: "here"))
    }
    #expect(try await engine.run().deferred == 1)
    scene.options.isVerifying = false
    for _ in 1...2 { try await scene.sync() }
    scene.expectBoth(["a": "2"])
    #expect(scene.location("a").remote == "here")
    #expect(scene.location("a").local == "here")
  }

  @Test("An href that a listing spells in another way is the same place")
  func respelledHref() async throws {
    let item = TestItem.make(uid: "a@b")
    let entry = LedgerEntry(
      uid: item.uid, localName: ItemName(of: item.uid).rawValue, localBase: item.fingerprint,
      href: Href("/c/a%40b.ics"),
      etag: EntityTag("\"1\""), remoteBase: item.fingerprint, base: nil)
    for (listed, etag, verbs) in [
      ("https://h/c/a@b.ics", "\"2\"", ["skip", "skip"]),
      ("/c/a%40b.ics", "\"2\"", ["skip", "skip"]),
      ("/c/a@b.ics", "\"1\"", []),
    ] {
      let scene = SyncScene()
      scene.local.write(item)
      scene.remote.write(Array("<html>".utf8), at: listed, tag: EntityTag(etag))
      try await scene.remember([entry])
      let found = try await scene.plan().operations.map(\.verb)
      #expect(found.filter { $0 != "record" } == verbs, "\(listed)")
    }
  }

  @Test("A remote item that cannot be read deletes nothing here")
  func unreadableRemote() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(Array("<html>".utf8), at: "a.ics")
    let outcome = try await scene.sync()
    #expect(scene.local.items.count == 3)
    #expect(outcome.plan.contains("remote-item ("))
    scene.local.remove("a")
    try await scene.sync()
    #expect(scene.remote.contents.count == 3)
  }

  @Test("A remote item that is listed but not given deletes nothing here")
  func missingRemote() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "a", summary: "edited"))
    scene.remote.withhold("a.ics")
    let outcome = try await scene.sync()
    #expect(scene.local.items.count == 3)
    #expect(outcome.plan.contains(": not-delivered"))
    scene.remote.withhold("a.ics", false)
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "edited")
  }

  @Test("An upload that was cut off is not taken back because the file cannot be read since")
  func unreadableAfterCrash() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write(TestItem.make(uid: "new"))
    try await scene.crash(after: "create new")
    scene.local.write([], as: "new.ics")
    try await scene.sync()
    #expect(scene.remote.items["new"] != nil)
  }

  @Test("A download that was cut off is not taken back because the remote does not give it since")
  func missingAfterCrash() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "new"), at: "elsewhere.ics")
    try await scene.crash(after: "createLocal new")
    scene.remote.withhold("elsewhere.ics")
    try await scene.sync()
    #expect(scene.local.items["new"] != nil)
  }

  @Test("What was deleted and put back while a run was cut off stays", arguments: [true, false])
  func restoredAfterCrash(deletesLocally: Bool) async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    if deletesLocally {
      scene.local.remove("a")
      try await scene.crash(after: "delete a.ics")
      scene.local.write(TestItem.make(uid: "a", summary: "1"))
    } else {
      scene.remote.remove("a")
      try await scene.crash(after: "deleteLocal a.ics")
      scene.remote.write(TestItem.make(uid: "a", summary: "1"))
    }
    try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2", "c": "3"])
    try await scene.expectRest()
  }

  @Test("An upload that was cut off before it was sent leaves nothing behind once it is deleted")
  func staleIntent() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write(TestItem.make(uid: "new"))
    try await scene.crash(before: "create new")
    scene.local.remove("new")
    try await scene.sync()
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
    scene.remote.write(TestItem.make(uid: "new"))
    try await scene.sync()
    #expect(scene.local.items["new"] != nil)
    #expect(scene.remote.items["new"] != nil)
  }

  @Test("An item deleted after its upload was cut off is deleted on the remote without objection")
  func firstUploadDeleted() async throws {
    var scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a"))
    scene.local.write(TestItem.make(uid: "b"))
    try await scene.crash(after: "create b")
    scene.local.remove("b")
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["record a", "delete-remote b"])
    scene.expectBoth(["a": "Lunch"])
    scene.options = SyncOptions()
    try await scene.expectRest()
  }

  @Test("Two runs cut off one after the other are no edit of the other side")
  func twoCrashes() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1"])
    scene.local.write(TestItem.make(uid: "a", summary: "2"))
    try await scene.crash(after: "update a")
    scene.local.write(TestItem.make(uid: "a", summary: "3"))
    try await scene.crash(before: "update a")
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "3"])
  }

  @Test("A UID that the remote holds twice is reported, and the known one is synced")
  func duplicate() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    let copy = TestItem.make(uid: "a", summary: "copy")
    scene.remote.write(copy, at: "0-copy.ics")
    for _ in 1...3 {
      let outcome = try await scene.sync()
      #expect(outcome.plan.contains("double (a; "))
      #expect(scene.remote.writes == [])
      #expect(scene.local.items["a"]?.title == "1")
    }
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    try await scene.sync()
    #expect(scene.remote.contents["0-copy.ics"] == copy.serialized())
    #expect(scene.remote.writes == ["update a"])
  }

  @Test("A UID whose known place cannot be read is not taken from another place")
  func duplicateOfUnreadable() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.remote.write([], at: "a.ics")
    scene.remote.write(TestItem.make(uid: "a", summary: "copy"), at: "copy.ics")
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "1")
    #expect(scene.remote.writes == [])
  }

  @Test("An item that the remote moved to another place is followed")
  func moved() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.remote.remove("a")
    scene.remote.write(TestItem.make(uid: "a", summary: "1"), at: "moved.ics")
    try await scene.sync()
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("Nothing happens if the remote cannot list")
  func unlistable() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.local.remove("a")
    scene.remote.failListings()
    let runs = await scene.ledger.runCount
    try await scene.expectUntouched {
      await #expect(throws: FaultPlan.Failure.self) { try await scene.sync() }
    }
    #expect(await scene.ledger.runCount == runs)
  }

  @Test("An item that the remote refuses does not stop the others")
  func refusal() async throws {
    let scene = SyncScene()
    for uid in ["a", "b", "c", "d", "e"] { scene.local.write(TestItem.make(uid: uid)) }
    for uid in ["a", "b", "c"] { scene.remote.refuse(uid, because: "too large") }
    let outcome = try await scene.sync()
    #expect(outcome.summary.failed == 3)
    #expect(outcome.summary.uploaded == 2)
    #expect(
      outcome.events.contains {
        if case .failed(_, .reported("too large")) = $0 { true } else { false }
      })
    scene.remote.refuse("a", because: nil)
    #expect(try await scene.sync().summary.uploaded == 1)
  }

  @Test("Three failed requests in a row end the run, two do not")
  func failuresInARow() async throws {
    let scene = SyncScene()
    for uid in ["a", "b", "c", "d", "e"] { scene.local.write(TestItem.make(uid: uid)) }
    scene.faults.restart(named: ["create a": .fail, "create b": .fail, "create d": .fail])
    let outcome = try await scene.sync()
    #expect(outcome.summary.failed == 3)
    #expect(outcome.summary.uploaded == 2)

    let other = SyncScene()
    for uid in ["a", "b", "c", "d", "e"] { other.local.write(TestItem.make(uid: uid)) }
    other.faults.restart(named: ["create a": .fail, "create b": .fail, "create c": .fail])
    await #expect(throws: FaultPlan.Failure.self) { try await other.sync() }
    #expect(other.remote.items.isEmpty)
    #expect(await other.ledger.summaries.map(\.failed) == [3])
    other.faults.restart()
    try await other.sync()
    #expect(other.remote.items.count == 5)
  }

  @Test(
    "A server with habits causes no loop and no second copy",
    arguments: [
      MemoryRemote.Quirks.rewrites, [.rewrites, .tellsTagOfRewritten], .noTagAfterWrite,
      .churnsTags, [.rewrites, .churnsTags], .ignoresConditions,
    ])
  func habits(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    scene.local.write(TestItem.make(uid: "a", summary: "1"))
    scene.remote.write(TestItem.make(uid: "b", summary: "2"))
    for round in 1...3 {
      scene.local.write(TestItem.make(uid: "a", summary: "edit \(round)"))
      try await scene.sync()
      try await scene.sync()
      scene.remote.clearLog()
      let before = scene.local.contents
      let third = try await scene.sync()
      #expect(scene.remote.writes == [])
      #expect(scene.local.contents == before)
      #expect(third.summary == RunSummary())
      scene.expectBoth(["a": "edit \(round)", "b": "2"])
    }
  }

  @Test("Without tags nothing is overwritten on the remote, and that is said")
  func noTags() async throws {
    let scene = SyncScene(quirks: .noTags)
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write(TestItem.make(uid: "a", summary: "edited"))
    scene.local.remove("b")
    scene.remote.write(TestItem.make(uid: "c", summary: "edited"))
    let outcome = try await scene.sync()
    #expect(outcome.verbs == ["skip a", "skip b", "update-local c"])
    #expect(outcome.plan.contains(": no-etag"))
    #expect(scene.remote.writes == [])
  }

  /// A meeting whose start, place and title are told by one side.
  private func meeting(_ title: String, _ start: String, place: String = "1;2") -> CalendarItem {
    TestItem.parse(
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:-//Example//Test//EN\r
      BEGIN:VEVENT\r
      UID:a\r
      DTSTAMP:20260101T000000Z\r
      DTSTART\(start)\r
      GEO:\(place)\r
      SUMMARY:\(title)\r
      END:VEVENT\r
      END:VCALENDAR\r

      """)
  }

  @Test("A zone, an end and an escape that a server gives to what it was sent are no edits")
  func made() async throws {
    var scene = SyncScene()
    let zoned = ";TZID=Etc/UTC:20270105T090000\r\nDURATION:PT1H"
    scene.local.write(meeting("1", ":20270105T090000"))
    try await scene.sync()
    scene.remote.replaceSilently("a", by: meeting("1", zoned, place: "1\\;2"))
    scene.options.isVerifying = true
    try await scene.expectUntouched { try await scene.sync() }
    try await scene.expectRest()
    scene.remote.write(meeting("2", zoned, place: "1\\;2"))
    try await scene.sync()
    #expect(scene.local.items["a"] == meeting("2", ":20270105T090000"))
    try await scene.expectRest()
  }

  @Test("A zone that is given under another tag, or with other digits, is an edit")
  func zoneEdited() async throws {
    let scene = SyncScene()
    scene.local.write(meeting("1", ":20270105T090000"))
    try await scene.sync()
    scene.remote.write(meeting("1", ";TZID=Etc/UTC:20270105T090000"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.main?[.dtStart]?[.tzID] == "Etc/UTC")

    var other = SyncScene()
    other.local.write(meeting("1", ":20270105T090000"))
    try await other.sync()
    other.remote.replaceSilently("a", by: meeting("1", ";TZID=Etc/UTC:20270105T100000"))
    other.options.isVerifying = true
    try await other.sync()
    #expect(other.local.items["a"]?.main?[.dtStart]?.rawValue == "20270105T100000")
  }
}
