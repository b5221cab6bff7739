// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("A server that does not keep what it is sent")
struct LossTests {
  private static let kinds: [MemoryRemote.Quirks] = [
    .cutsValues, [.cutsValues, .noTagAfterWrite], [.cutsValues, .churnsTags],
    [.cutsValues, .keepsCursors], [.cutsValues, .rewrites],
    [.cutsValues, .rewrites, .tellsTagOfRewritten], [.cutsValues, .weakTags],
    [.cutsValues, .dropsUnknown],
  ]

  /// An event with these lines.
  private func event(_ lines: String..., uid: String = "a") -> CalendarItem {
    let text = TestItem.text(uid: uid).replacing("SUMMARY:Lunch\r\n", with: "")
    let more = lines.map { $0 + "\r\n" }.joined()
    return TestItem.parse(text.replacing("SEQUENCE:", with: more + "SEQUENCE:"))
  }

  private func losses(_ outcome: SyncScene.Outcome) -> [String] {
    outcome.events.compactMap {
      if case .lost(let loss) = $0 { "\(loss.sent) -> \(loss.kept ?? "nothing")" } else { nil }
    }
  }

  @Test("What it cuts is told of and never downloaded, by whatever run", arguments: kinds)
  func cut(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    scene.local.write(event("SUMMARY:Lunch, with Oma", "X-PLACE;VALUE=URI:geo:1.0,2.0"))
    let first = try await scene.sync()
    #expect(losses(first).contains("SUMMARY:Lunch, with Oma -> SUMMARY:Lunch"))
    let before = scene.local.contents
    for isVerifying in [false, true, true, false] {
      scene.options.isVerifying = isVerifying
      scene.remote.clearLog()
      let outcome = try await scene.sync()
      #expect(scene.local.contents == before)
      #expect(scene.remote.writes == [])
      #expect(outcome.summary == RunSummary())
      let isTold = losses(outcome).contains("SUMMARY:Lunch, with Oma -> SUMMARY:Lunch")
      #expect(isTold == isVerifying)
    }
    scene.options.isVerifying = false
    // New tags with each listing are written down each time.
    if !quirks.contains(.churnsTags) { try await scene.expectRest() }
  }

  @Test("An edit of something else is taken over, and what was cut stays here")
  func editedBeside() async throws {
    let scene = SyncScene(quirks: .cutsValues)
    scene.local.write(event("SUMMARY:Lunch, with Oma", "LOCATION:here"))
    try await scene.sync()
    scene.remote.write(event("SUMMARY:Lunch", "LOCATION:there"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
    #expect(scene.local.items["a"]?.main?[.location]?.text == "there")
    try await scene.expectRest()
  }

  @Test("A text that is escaped afterwards is sent again, and kept", arguments: [true, false])
  func escapedAfterwards(isEditedThere: Bool) async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.local.write(event("SUMMARY:Lunch, with Oma", "LOCATION:here"))
    try await scene.sync()
    if isEditedThere {
      scene.remote.write(event("SUMMARY:Lunch", "LOCATION:there"))
      try await scene.sync()
    }
    scene.options.isVerifying = true
    #expect(losses(try await scene.sync()) == ["SUMMARY:Lunch, with Oma -> SUMMARY:Lunch"])
    let place = isEditedThere ? "there" : "here"
    scene.local.write(event("SUMMARY:Lunch\\, with Oma", "LOCATION:\(place)"))
    #expect(losses(try await scene.sync()) == [])
    #expect(scene.remote.items["a"]?.title == "Lunch, with Oma")
    scene.options.isVerifying = false
    try await scene.expectRest()
  }

  @Test("What was cut stays here when the ledger starts over", arguments: MergePolicy.allCases)
  func cutWithoutBase(_ policy: MergePolicy) async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    // Another binding has no entries.
    scene.name = "other"
    #expect(losses(try await scene.sync()) == ["SUMMARY:Lunch, with Oma -> SUMMARY:Lunch"])
    #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
    try await scene.expectRest()
    scene.remote.write(event("SUMMARY:Dinner"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Dinner")
  }

  @Test("A text that another program wrote is an edit", arguments: [true, false])
  func edited(isRead: Bool) async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    scene.options.isVerifying = isRead
    try await scene.sync()
    scene.remote.write(event("SUMMARY:Dinner"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Dinner")
    try await scene.expectRest()
  }

  @Test("A text that is cut where it was seen whole and escaped is an edit")
  func editedWhereEscaped() async throws {
    var scene = SyncScene(quirks: .escapesTexts)
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    scene.options.isVerifying = true
    #expect(losses(try await scene.sync()) == [])
    scene.remote.write(event("SUMMARY:Lunch"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Lunch")
  }

  @Test("A text that came from the remote is cut by an edit")
  func editedWhereItIsFrom() async throws {
    let scene = SyncScene()
    scene.remote.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    scene.remote.write(event("SUMMARY:Lunch"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Lunch")
  }

  @Test("What is cut later is a loss too, whether it was read whole before or not")
  func cutLater() async throws {
    for isRead in [true, false] {
      for isTagged in [true, false] {
        var scene = SyncScene(quirks: isRead ? [] : .tellsTagOfRewritten)
        scene.local.write(event("SUMMARY:Lunch, with Oma"))
        try await scene.sync()
        if isTagged {
          scene.remote.write(event("SUMMARY:Lunch"))
        } else {
          scene.remote.replaceSilently("a", by: event("SUMMARY:Lunch"))
        }
        scene.options.isVerifying = true
        let outcome = try await scene.sync()
        #expect(losses(outcome) == ["SUMMARY:Lunch, with Oma -> SUMMARY:Lunch"])
        #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
        try await scene.expectRest()
      }
    }
  }

  @Test("What an older version wrote down is no agreement on what was cut")
  func olderLedger() async throws {
    var scene = SyncScene()
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    let entries = try await scene.ledger.entries(of: scene.binding)
    var entry = try #require(entries.first)
    (entry.isUnseen, entry.wasSent) = (false, false)
    let run = try await scene.ledger.beginRun(of: scene.binding, at: .init(secondsSinceEpoch: 0))
    try await scene.ledger.settle([Settlement(uid: entry.uid, change: .record(entry))], in: run)
    scene.remote.replaceSilently("a", by: event("SUMMARY:Lunch"))
    scene.options.isVerifying = true
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
    #expect(scene.remote.items["a"]?.title == "Lunch")
  }

  @Test("A local edit of what is cut is sent, and what it becomes is no conflict")
  func editedHere() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    scene.local.write(event("SUMMARY:Dinner, with Opa"))
    let outcome = try await scene.sync()
    #expect(scene.remote.items["a"]?.title == "Dinner")
    #expect(losses(outcome) == ["SUMMARY:Dinner, with Opa -> SUMMARY:Dinner"])
    scene.options.isVerifying = true
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "Dinner, with Opa")
    try await scene.expectRest()
  }

  @Test("What was added under write-only access and cut is a loss under full access")
  func appended() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.tier = .writeOnly
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    try await scene.sync()
    scene.tier = .full
    scene.options.isVerifying = true
    let outcome = try await scene.sync()
    #expect(losses(outcome) == ["SUMMARY:Lunch, with Oma -> SUMMARY:Lunch"])
    #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
    #expect(outcome.summary.conflicts == 0)
    try await scene.expectRest()
  }

  @Test("What is cut of a write whose answer was lost is a loss")
  func lostAnswer() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.local.write(event("SUMMARY:Lunch, with Oma"))
    scene.faults.restart(named: ["create a": .loseAnswer])
    try await scene.sync()
    scene.faults.restart()
    scene.options.isVerifying = true
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    #expect(scene.local.items["a"]?.title == "Lunch, with Oma")
    try await scene.expectRest()
  }

  @Test(
    "A change whose answer was lost got through, whatever the server lost of it",
    arguments: MergePolicy.allCases)
  func lostAnswerToChange(_ policy: MergePolicy) async throws {
    let changes: [(quirks: MemoryRemote.Quirks, before: String, line: String)] = [
      // The server cuts the value of the line to what it held before.
      (.cutsValues, "LOCATION:hall, left", "LOCATION:hall, left"),
      (.cutsValues, "LOCATION:hall", "LOCATION:hall, left"),
      (.dropsUnknown, "LOCATION:hall", "X-FOO:1"),
    ]
    for (quirks, before, line) in changes {
      for isEdited in [false, true] {
        var scene = SyncScene(quirks: quirks)
        scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
        scene.local.write(event("SUMMARY:Lunch", before))
        try await scene.sync()
        scene.local.write(event("SUMMARY:Dinner, with Oma", line))
        scene.faults.restart(named: ["update a": .loseAnswer])
        try await scene.sync()
        scene.faults.restart()
        if isEdited, let held = scene.remote.items["a"] {
          let text = String(decoding: held.serialized(), as: UTF8.self)
          scene.remote.write(
            TestItem.parse(text.replacing("SEQUENCE:", with: "DESCRIPTION:there\r\nSEQUENCE:")))
        }
        let outcome = try await scene.sync()
        #expect(outcome.summary.conflicts == 0)
        let item = try #require(scene.local.items["a"])
        #expect(item.title == "Dinner, with Oma")
        let lines = String(decoding: item.serialized(), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.contains { $0 == line }, "\(lines)")
        #expect(lines.contains("DESCRIPTION:there") == isEdited)
        try await scene.expectRest()
      }
    }
  }

  @Test(
    "A first match whose answer was lost got through, whatever the server cut of it",
    arguments: MergePolicy.allCases)
  func lostAnswerToMatch(_ policy: MergePolicy) async throws {
    // Either a part waits for a choice, and the others are sent, or all are merged.
    for there in ["SUMMARY:Dinner", "DESCRIPTION:there"] {
      var scene = SyncScene(quirks: .cutsValues)
      scene.merge = ThreeWayMerge(policies: MergePolicies(policy, named: ["SUMMARY": .keepBoth]))
      scene.remote.write(event(there))
      scene.local.write(event("SUMMARY:Lunch, with Oma", "LOCATION:hall, left"))
      scene.faults.restart(named: ["update a": .loseAnswer])
      try await scene.sync()
      scene.faults.restart()
      for _ in 1...2 {
        try await scene.sync()
        let item = try #require(scene.local.items["a"])
        #expect(item.title == "Lunch, with Oma")
        #expect(item.main?[.location]?.text == "hall, left")
      }
      #expect(scene.location("a").remote == "hall")
      let conflicts = try await scene.ledger.conflicts(of: scene.binding)
      #expect(conflicts.count == (there.hasPrefix("SUMMARY") ? 1 : 0))
      try await scene.expectRest()
    }
  }

  @Test("Of several additions without an answer, the one that the server cut got through")
  func lostAnswersToAdditions() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    scene.merge = ThreeWayMerge(policies: MergePolicies(.remote))
    for title in ["Lunch, with Oma", "Dinner, with Oma"] {
      scene.local.write(event("SUMMARY:\(title)"))
      scene.remote.remove("a")
      scene.faults.restart(named: ["create a": .loseAnswer])
      try await scene.sync()
      scene.faults.restart()
    }
    try await scene.sync()
    #expect(scene.titles.local == ["a": "Dinner, with Oma"])
    #expect(scene.titles.remote == ["a": "Dinner"])
    try await scene.expectRest()
  }

  @Test(
    "A value is cut wherever servers cut it",
    arguments: [
      ("DESCRIPTION:one, two, three", "DESCRIPTION:one"),
      ("DESCRIPTION:one, two, three", "DESCRIPTION:one, two"),
      ("LOCATION:Room 1; second floor", "LOCATION:Room 1"),
      ("SUMMARY:a\\, b, c", "SUMMARY:a\\, b"),
      ("SUMMARY: a , b", "SUMMARY:a"),
      ("SUMMARY:a\\nb, c", "SUMMARY:a\\nb"),
      ("SUMMARY:c:\\temp, x", "SUMMARY:c:\\\\temp"),
      ("SUMMARY:, x", "SUMMARY:"),
      ("X-FOO:a;b,c", "X-FOO:a\\;b"),
      ("X-FOO;VALUE=URI;X-TITLE=\"Home, x\":geo:1,2", "X-FOO;VALUE=URI;X-TITLE=\"Home, x\":geo:1"),
      ("CONFERENCE;VALUE=URI:tel:+1,,,2", "CONFERENCE;VALUE=URI:tel:+1"),
      ("COMMENT;LANGUAGE=de:a,b", "COMMENT;LANGUAGE=de:a"),
    ])
  func places(_ sent: String, _ kept: String) async throws {
    var scene = SyncScene()
    scene.local.write(event(sent))
    try await scene.sync()
    scene.remote.write(event(kept))
    scene.options.isVerifying = true
    let outcome = try await scene.sync()
    #expect(losses(outcome) == ["\(sent) -> \(kept)"])
    #expect(scene.local.items["a"] == event(sent))
    try await scene.expectRest()
  }

  @Test(
    "What is no beginning up to a comma is an edit",
    arguments: [
      ("SUMMARY:Lunch, with Oma", "SUMMARY:Lun"),
      ("SUMMARY:Lunch, with Oma", "SUMMARY:Lunch, with"),
      ("SUMMARY:Lunch\\, with Oma", "SUMMARY:Lunch"), ("CATEGORIES:a,b", "CATEGORIES:a"),
      ("SUMMARY:Lunch, with Oma", "SUMMARY;LANGUAGE=de:Lunch"),
    ])
  func edits(_ sent: String, _ held: String) async throws {
    let scene = SyncScene()
    scene.local.write(event(sent))
    try await scene.sync()
    scene.remote.write(event(held))
    #expect(losses(try await scene.sync()) == [])
    #expect(scene.local.items["a"] == event(held))
  }

  @Test("A long text that the server cuts anywhere is a loss while its tag is that of the write")
  func cutAnywhere() async throws {
    var scene = SyncScene()
    let text = String(repeating: "word ", count: 100) + "end"
    scene.local.write(event("DESCRIPTION:\(text)"))
    try await scene.sync()
    scene.remote.replaceSilently("a", by: event("DESCRIPTION:\(text.prefix(255))"))
    scene.options.isVerifying = true
    #expect(losses(try await scene.sync()).count == 1)
    #expect(scene.local.items["a"] == event("DESCRIPTION:\(text)"))
    try await scene.expectRest()
  }

  @Test("The text of an alarm is cut and told of, too")
  func alarm() async throws {
    var scene = SyncScene(quirks: .cutsValues)
    let alarm = [
      "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:Go, now", "END:VALARM",
    ].joined(separator: "\r\n")
    let text = TestItem.text(uid: "a").replacing("END:VEVENT", with: alarm + "\r\nEND:VEVENT")
    scene.local.write(TestItem.parse(text))
    let outcome = try await scene.sync()
    #expect(losses(outcome) == ["DESCRIPTION:Go, now -> DESCRIPTION:Go"])
    scene.options.isVerifying = true
    try await scene.expectUntouched { try await scene.sync() }
  }

  @Test("Properties that a server drops are told of")
  func dropped() async throws {
    var scene = SyncScene(quirks: .dropsUnknown)
    scene.local.write(event("SUMMARY:1", "X-NOTE:kept here"))
    try await scene.sync()
    scene.options.isVerifying = true
    for _ in 1...2 {
      #expect(losses(try await scene.sync()) == ["X-NOTE:kept here -> nothing"])
      #expect(scene.local.items["a"]?.main?["X-NOTE"]?.text == "kept here")
    }
  }

  @Test(
    "A value that a server escapes is kept, and a parameter that it drops is lost",
    arguments: [
      ("X-A;VALUE=URI:geo:1,2", "X-A;VALUE=URI:geo:1\\,2", false),
      ("LOCATION:a", "LOCATION;X-B=1:a", false), ("LOCATION;X-B=1:a", "LOCATION:a", true),
    ])
  func escaped(_ sent: String, _ kept: String, _ isLoss: Bool) async throws {
    var scene = SyncScene()
    scene.local.write(event(sent))
    try await scene.sync()
    scene.remote.replaceSilently("a", by: event(kept))
    scene.options.isVerifying = true
    #expect(losses(try await scene.sync()) == (isLoss ? ["\(sent) -> \(kept)"] : []))
    #expect(scene.local.items["a"] == event(sent))
  }

  @Test("A value that the server returns once is the remainder of one property only")
  func duplicate() async throws {
    var scene = SyncScene()
    scene.local.write(event("CATEGORIES:a", "CATEGORIES:a,b"))
    try await scene.sync()
    scene.remote.replaceSilently("a", by: event("CATEGORIES:a"))
    scene.options.isVerifying = true
    #expect(losses(try await scene.sync()) == ["CATEGORIES:a,b -> nothing"])
    #expect(scene.local.items["a"] == event("CATEGORIES:a", "CATEGORIES:a,b"))
  }

  @Test("A loss names its component")
  func component() async throws {
    let scene = SyncScene(quirks: .dropsUnknown)
    let text = event("RRULE:FREQ=DAILY").serialized()
    let override =
      "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:20260302T120000Z\r\nDTSTAMP:20260102T030405Z\r\n"
      + "DTSTART:20260302T130000Z\r\nX-NOTE:kept here\r\nEND:VEVENT\r\nEND:VCALENDAR"
    scene.local.write(
      TestItem.parse(
        String(decoding: text, as: UTF8.self).replacing("END:VCALENDAR", with: override)))
    try await scene.sync()
    var verifying = scene
    verifying.options.isVerifying = true
    let components: [String] = try await verifying.sync().events.compactMap {
      if case .lost(let loss) = $0 { loss.component } else { nil }
    }
    #expect(components == ["VEVENT 20260302T120000Z"])
  }

  @Test("The definition of a zone that a server adds to a time counts with it")
  func zone() async throws {
    var scene = SyncScene()
    let text = TestItem.text(uid: "a").replacing("120000Z", with: "120000")
    scene.local.write(TestItem.parse(text))
    try await scene.sync()
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
      + "TZOFFSETFROM:+0317\r\nTZOFFSETTO:+0317\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    let stored = TestItem.parse(
      text.replacing("DTSTART:", with: "DTSTART;TZID=Own:")
        .replacing("BEGIN:VEVENT", with: zone + "BEGIN:VEVENT"))
    scene.remote.replaceSilently("a", by: stored)
    scene.options.isVerifying = true
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.local.items["a"] == TestItem.parse(text))
    #expect(scene.remote.items["a"] == stored)
  }
}
