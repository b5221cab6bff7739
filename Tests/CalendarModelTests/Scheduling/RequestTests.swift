// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// PUBLISH, REQUEST and ADD (RFC 5546 §3.2.1, §3.2.2 and §3.2.4, examples in §4.1, §4.2 and §4.4).
@Suite("Requests") struct RequestTests {
  private typealias Scene = SchedulingScene

  static func override(_ day: Int, _ properties: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:meeting", "RECURRENCE-ID;TZID=Europe/Vienna:202603\(day)T090000"]
      + properties + ["END:VEVENT"]
  }

  @Test(
    "A message without a stored item is the item, without its METHOD",
    arguments: ["PUBLISH", "REQUEST"])
  func added(method: String) throws {
    let item = try CalendarItem(
      parsing: lines(
        ["BEGIN:VCALENDAR", "METHOD:\(method)", "PRODID:-//P//EN", "VERSION:2.0"] + Scene.series
          + Self.override(10) + ["END:VCALENDAR"]))
    let message = try #require(SchedulingMessage(item))
    let (stored, outcomes) = Scene.applying(message, to: nil)
    #expect(outcomes == [.added, .added])
    #expect(
      stored?.serialized()
        == lines(
          ["BEGIN:VCALENDAR", "PRODID:-//P//EN", "VERSION:2.0"] + Scene.series + Self.override(10)
            + ["END:VCALENDAR"]))
    #expect(SchedulingMessage(try Scene.item(Scene.series)) == nil)
  }

  @Test("A newer REQUEST replaces the component, and leaves what belongs to the calendar's owner")
  func revised() throws {
    let stored = try Scene.item(Scene.single)
    let request = try Scene.message(
      "REQUEST",
      [
        "DTSTAMP:20260201T000000Z", "SEQUENCE:2", "DTSTART:20260302T080000Z",
        "ORGANIZER:mailto:a@example.com", "ATTENDEE:mailto:b@example.com", "SUMMARY:Later",
      ])
    let (item, outcomes) = Scene.applying(request, to: stored)
    #expect(outcomes == [.updated(.revised)])
    #expect(
      Scene.lines(item?.main) == [
        "UID:meeting", "DTSTAMP:20260201T000000Z", "SEQUENCE:2", "DTSTART:20260302T080000Z",
        "ORGANIZER:mailto:a@example.com", "ATTENDEE:mailto:b@example.com", "SUMMARY:Later",
        "X-OWN;Y=z:1\\,2",
      ])
    #expect(item?.main?.components == stored.main?.components)
  }

  @Test(
    "A minor update keeps the answers; any keeps the owner's categories and alarms",
    arguments: [1, 2])
  func minorUpdate(_ sequence: Int) throws {
    let ben = "ATTENDEE;PARTSTAT=ACCEPTED;CN=Ben:mailto:b@example.com"
    let stored = try Scene.item(
      Scene.single.map {
        $0.contains("CN=Ben")
          ? ben : $0 == "SEQUENCE:1" ? "SEQUENCE:1\r\nCATEGORIES:Mine,Board" : $0
      })
    let request = try Scene.message(
      "REQUEST",
      components: [
        [
          "BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260201T000000Z", "SEQUENCE:\(sequence)",
          "DTSTART;TZID=Europe/Vienna:20260301T090000", "ORGANIZER:mailto:a@example.com",
          "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:B@example.com",
          "ATTENDEE;PARTSTAT=DECLINED:mailto:c@example.com", "SUMMARY:Later", "CATEGORIES:Board",
          "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT1H", "END:VALARM", "END:VEVENT",
        ]
      ])
    let (item, outcomes) = Scene.applying(request, to: stored)
    #expect(outcomes == [.updated(.revised)])
    let lines = Scene.lines(item?.main)
    let answer = sequence == 1 ? "ACCEPTED" : "NEEDS-ACTION"
    #expect(lines.contains("ATTENDEE;PARTSTAT=\(answer);RSVP=TRUE:mailto:B@example.com"))
    #expect(lines.contains("ATTENDEE;PARTSTAT=DECLINED:mailto:c@example.com"))
    #expect(lines.filter { $0.hasPrefix("CATEGORIES") } == ["CATEGORIES:Board", "CATEGORIES:Mine"])
    #expect(item?.main?.components == stored.main?.components)
    #expect(lines.contains("SUMMARY:Later"))
  }

  @Test("SEQUENCE comes before DTSTAMP, and the revision that is stored changes nothing")
  func stale() throws {
    let stored = try Scene.item(Scene.single)
    let revision = SchedulingRevision(sequence: 1, stamp: "20260101T000000Z")
    for method in ["REQUEST", "PUBLISH", "CANCEL"] {
      for (sequence, stamp) in [(0, "20270101T000000Z"), (1, "20251231T235959Z")] {
        let message = try Scene.message(
          method,
          [
            "DTSTAMP:\(stamp)", "SEQUENCE:\(sequence)", "ORGANIZER:mailto:a@example.com",
            "SUMMARY:old",
          ])
        let (item, outcomes) = Scene.applying(message, to: stored)
        let incoming = SchedulingRevision(sequence: sequence, stamp: stamp)
        #expect(outcomes == [.stale(stored: revision, incoming: incoming)], "\(method)")
        #expect(item == stored)
      }
    }
    let same = try Scene.message(
      "REQUEST",
      [
        "DTSTAMP:20260101T000000Z", "SEQUENCE:1", "ORGANIZER:MAILTO:A@example.com",
        "SUMMARY:as it was sent",
      ])
    #expect(Scene.applying(same, to: stored).outcomes == [.unchanged])
  }

  @Test(
    "A REQUEST for one occurrence changes that one, and keeps the series and the other overrides")
  func occurrence() throws {
    let stored = try Scene.item(Scene.series, Self.override(10, "SUMMARY:tenth"))
    let request = try Scene.message(
      "REQUEST",
      [
        "DTSTAMP:20260201T000000Z", "SEQUENCE:1", "RECURRENCE-ID:20260311T080000Z",
        "DTSTART:20260311T100000Z", "SUMMARY:moved",
      ])
    let (item, outcomes) = Scene.applying(request, to: stored)
    #expect(outcomes == [.updated(.revised)])
    #expect(item?.components.prefix(2) == stored.components.prefix(2))
    #expect(item?.overrides.map { $0[.summary]?.text } == ["tenth", "moved"])
    let again = try Scene.message(
      "REQUEST",
      [
        "DTSTAMP:20260202T000000Z", "SEQUENCE:1",
        "RECURRENCE-ID;TZID=Europe/Vienna:20260311T090000", "SUMMARY:moved again",
      ])
    #expect(
      Scene.applying(again, to: item).item?.overrides.map { $0[.summary]?.text }
        == ["tenth", "moved again"])
  }

  @Test("A new version brings its own definition of a time zone")
  func timeZones() throws {
    let event = Scene.single.map { $0.replacing("Europe/Vienna", with: "Custom") }
    let later = event.map { $0.replacing("SEQUENCE:1", with: "SEQUENCE:2") }
    let stored = try Scene.item(ItemGroupingTests.zone("Custom", "+0100"), event)
    let request = SchedulingMessage(
      .request, try Scene.item(ItemGroupingTests.zone("Custom", "+0500"), later))
    let (item, _) = Scene.applying(request, to: stored)
    #expect(item?.timeZones == request.item.timeZones)
  }

  @Test("A REQUEST for a series keeps the overrides whose occurrences it still has")
  func series() throws {
    let stored = try Scene.item(
      Scene.series, Self.override(10, "SUMMARY:tenth"), Self.override(30, "SUMMARY:thirtieth"),
      Self.override(31, "SEQUENCE:3", "SUMMARY:of a later revision"))
    let shorter = Scene.series.map {
      $0.replacing("COUNT=31", with: "COUNT=20").replacing("SEQUENCE:1", with: "SEQUENCE:2")
    }
    let request = try Scene.message("REQUEST", components: [shorter])
    let (item, outcomes) = Scene.applying(request, to: stored)
    #expect(outcomes == [.updated(.revised)])
    #expect(item?.overrides.map { $0[.summary]?.text } == ["tenth", "of a later revision"])
    let published = try Scene.message("PUBLISH", components: [shorter])
    #expect(
      Scene.applying(published, to: stored).item?.overrides.map { $0[.summary]?.text }
        == ["of a later revision"])
  }

  @Test("A published series that is complete may bring overrides with a SEQUENCE of their own")
  func ownSequence() throws {
    let stored = try Scene.item(Scene.series)
    let published = try Scene.message(
      "PUBLISH",
      components: [
        Scene.series, Self.override(12, "SEQUENCE:0", "DTSTAMP:20250101T000000Z", "SUMMARY:new"),
      ])
    let (item, outcomes) = Scene.applying(published, to: stored)
    #expect(outcomes == [.unchanged, .updated(.revised)])
    #expect(item?.overrides.count == 1)
    let alone = try Scene.message(
      "REQUEST",
      [
        "RECURRENCE-ID:20260312T080000Z", "SEQUENCE:0", "DTSTAMP:20250101T000000Z", "SUMMARY:old",
      ])
    #expect(Scene.applying(alone, to: stored).item == stored)
  }

  @Test("ADD adds an occurrence to a series, and to what took place once")
  func addition() throws {
    let add = try Scene.message(
      "ADD",
      [
        "DTSTAMP:20260201T000000Z", "SEQUENCE:2", "DTSTART:20260405T150000Z",
        "DTEND:20260405T160000Z", "SUMMARY:One more",
      ])
    for components in [Scene.series, Scene.single] {
      let stored = try Scene.item(components)
      let (item, outcomes) = Scene.applying(add, to: stored)
      #expect(outcomes == [.updated(.occurrenceAdded(isComplete: true))])
      #expect(
        Scene.difference(stored.main, item?.main) == [
          "-DTSTAMP:20260101T000000Z", "-SEQUENCE:1", "+DTSTAMP:20260201T000000Z", "+SEQUENCE:2",
          "+RDATE;TZID=Europe/Vienna:20260405T170000",
        ])
      #expect(
        Scene.lines(item?.overrides.first) == [
          "UID:meeting", "RECURRENCE-ID;TZID=Europe/Vienna:20260405T170000",
          "DTSTAMP:20260201T000000Z", "SEQUENCE:2", "DTSTART:20260405T150000Z",
          "DTEND:20260405T160000Z", "SUMMARY:One more",
        ])
      #expect(Scene.applying(add, add, to: stored).outcomes.last == .unchanged)
    }
    #expect(Scene.applying(add, to: nil).outcomes == [.refused(.noItem)])
    let late = try Scene.message("ADD", ["SEQUENCE:0", "DTSTART:20260405T150000Z"])
    #expect(Scene.applying(late, to: try Scene.item(Scene.series)).outcomes[0].isStale)
    let early = try Scene.message("ADD", ["SEQUENCE:5", "DTSTART:20260405T150000Z"])
    let (item, outcomes) = Scene.applying(early, to: try Scene.item(Scene.series))
    #expect(outcomes == [.updated(.occurrenceAdded(isComplete: false))])
    #expect(item?.main?[.sequence]?.rawValue == "1")
  }
}

extension SchedulingOutcome {
  /// Whether the message is stale.
  var isStale: Bool {
    if case .stale = self { true } else { false }
  }
}
