// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// What stays and what changes when a typed value is written into a component.
@Suite struct ComponentEditTests {
  /// An event in which everything is spelled in a way that no writer would choose.
  static let odd = [
    "begin:vevent", "x-before;A=\"b\":\\C", "uid:1",
    "dtstart;value=DATE-TIME;tzid=\"A/B\":20260101T09",
    " 0000", "Duration:+P0DT1H0M0S", "SUMMARY;LANGUAGE=de:A\\: b", "\t, C", "SUMMARY:another",
    "CATEGORIES;X-P=1:B,\\A,B", "RDATE;VALUE=PERIOD:20260102T090000Z/+PT60M",
    "EXDATE:20260103T090000Z,b",
    "GEO:48.200;16.3000", "SEQUENCE:+01", "PRIORITY:12", "CLASS:public", "STATUS:Confirmed",
    "ATTENDEE;x-a=1;CN=\"A\";ROLE=req-participant:MAILTO:A@B.org", "CREATED:20260101T000000",
    "this is no content line", "TRANSP:X-NEITHER",
    "rrule:byday=mo,TU;freq=weekly;interval=1", "RRULE:FREQ=NEVER", "BEGIN:VALARM",
    "TRIGGER;RELATED=start:-P0DT0H15M0S",
    "action:display", "X-APPLE:1", "END:VALARM", "BEGIN:X-OTHER", "A:b", "END:X-OTHER",
    "end:vevent",
  ]

  @Test("Writing back what was read changes no byte")
  func identity() throws {
    let original = try component(Self.odd)
    var written = original
    Event(original).write(to: &written)
    #expect(text(written) == text(original))
    #expect(text(written) == Self.odd.map { $0 + "\r\n" }.joined())
  }

  @Test("Bad values are reported, left out and kept")
  func badValues() throws {
    var diagnostics: [Diagnostic] = []
    let event = Event(try component(Self.odd), diagnostics: &diagnostics)
    #expect(event.priority == 0)
    #expect(event.transparency == .opaque)
    #expect(event.attendees.map(\.address) == [CalendarAddress("mailto:a@b.org")])
    #expect(event.recurrence.excludedDates == [.utc(wall("20260103T090000"))])
    #expect(
      diagnostics.filter { $0.severity == .error }.map(\.message) == [
        "expected a year from 0001 through 9999, found \"b\"",
        "expected a number from 0 through 9, found \"12\"",
        "expected a time in UTC, found \"20260101T000000\"",
        "expected a word that TRANSP can be, found \"X-NEITHER\"",
        "expected a frequency such as DAILY, found \"NEVER\"",
      ])
  }

  @Test("Changing one field changes its property and no other byte")
  func oneField() throws {
    let original = try component(Self.odd)
    var event = Event(original)
    event.location = "Room 2"
    event.summary = "New"
    var written = original
    event.write(to: &written)
    var expected = Self.odd
    expected.replaceSubrange(6...7, with: ["SUMMARY;LANGUAGE=de:New"])
    expected.insert("LOCATION:Room 2", at: 19)
    // The component itself is written anew, its properties and what is nested in it are not.
    expected[0] = "BEGIN:vevent"
    expected[expected.count - 1] = "END:vevent"
    #expect(text(written).split(separator: "\r\n").map(String.init).sorted() == expected.sorted())
    #expect(text(written).contains("SUMMARY;LANGUAGE=de:New\r\nSUMMARY:another\r\n"))
  }

  @Test("A rule is edited in its place")
  func rules() throws {
    var component = try event(["rrule;X-A=1:freq=daily", "SUMMARY:A"])
    var event = Event(component)
    event.recurrence.rules = [rule("FREQ=DAILY;COUNT=3")].compactMap { $0 }
    event.write(to: &component)
    #expect(
      component.properties.map { text($0) } == [
        "rrule;X-A=1:FREQ=DAILY;COUNT=3\r\n", "SUMMARY:A\r\n",
      ])
  }

  @Test("An attendee who answers keeps the parameters that nobody knows")
  func attendee() throws {
    var component = try component(Self.odd)
    var event = Event(component)
    event.attendees[0].participationStatus = .accepted
    event.write(to: &component)
    #expect(
      component.properties(named: .attendee).map { text($0) } == [
        "ATTENDEE;x-a=1;CN=A;ROLE=req-participant;PARTSTAT=ACCEPTED:MAILTO:A@B.org\r\n"
      ])
  }

  @Test("Of several attendees, those who stay keep their bytes and their places")
  func attendees() throws {
    var component = try event([
      "ATTENDEE;CN=\"A\":mailto:a@x", "SUMMARY:S", "attendee;CN=\"B\":mailto:b@x",
      "ATTENDEE;CN=\"C\":mailto:c@x",
    ])
    var event = Event(component)
    event.attendees.remove(at: 1)
    event.attendees.insert(Attendee(CalendarAddress("mailto:d@x"), commonName: "D"), at: 0)
    event.write(to: &component)
    #expect(
      component.properties.map { text($0) } == [
        "ATTENDEE;CN=\"A\":mailto:a@x\r\n", "SUMMARY:S\r\n", "ATTENDEE;CN=\"C\":mailto:c@x\r\n",
        "ATTENDEE;CN=D:mailto:d@x\r\n",
      ])
  }

  @Test("Of a list, what stays keeps its spelling and its property")
  func list() throws {
    var component = try event(["CATEGORIES;X-P=1:\\A,B,C", "CATEGORIES:D", "categories:E"])
    var event = Event(component)
    event.categories = ["A", "C", "E", "F,G"]
    event.write(to: &component)
    #expect(
      component.properties.map { text($0) } == [
        "CATEGORIES;X-P=1:\\A,C\r\n", "categories:E\r\n", "CATEGORIES:F\\,G\r\n",
      ])
  }

  @Test("A time changes its form with the parameters that it needs, and keeps the others")
  func forms() throws {
    let times: [(EventTime, String)] = [
      (.date(day("20260102")), "DTSTART;X-A=1;VALUE=DATE:20260102\r\n"),
      (.utc(wall("20260102T100000")), "DTSTART;X-A=1:20260102T100000Z\r\n"),
      (.floating(wall("20260102T100000")), "DTSTART;X-A=1:20260102T100000\r\n"),
      (.zoned(wall("20260102T100000"), tzID: "C/D"), "DTSTART;X-A=1;TZID=C/D:20260102T100000\r\n"),
    ]
    for source in ["DTSTART;X-A=1;TZID=A/B:20260101T090000", "DTSTART;X-A=1;VALUE=DATE:20260101"] {
      for (time, expected) in times {
        var component = try event([source])
        var event = Event(component)
        event.start = time
        event.write(to: &component)
        #expect(component.properties.map { text($0) } == [expected], "\(source)")
        #expect(Event(component).start == time)
      }
    }
  }

  @Test("What a property says beside its change keeps its spelling")
  func spelling() throws {
    var component = try event([
      "dtstart;tzid=\"A/B\":20260101T090000", "ATTENDEE;CN=\"A\":MAILTO:A@B.org",
    ])
    var event = Event(component)
    event.start = .zoned(wall("20260102T090000"), tzID: "A/B")
    event.attendees = [Attendee(CalendarAddress("mailto:a@b.org"), commonName: "C")]
    event.write(to: &component)
    #expect(
      component.properties.map { text($0) } == [
        "dtstart;tzid=\"A/B\":20260102T090000\r\n", "ATTENDEE;CN=C:MAILTO:A@B.org\r\n",
      ])
  }

  @Test("An end becomes a duration and back, and never both")
  func ends() throws {
    var component = try event(["DTEND:20260101T100000Z"])
    var event = Event(component)
    event.end = CivilDuration(hours: 1).map { .duration($0) }
    event.write(to: &component)
    #expect(component.properties.map { text($0) } == ["DURATION:PT1H\r\n"])
    event.end = .time(.utc(wall("20260101T110000")))
    event.write(to: &component)
    #expect(component.properties.map { text($0) } == ["DTEND:20260101T110000Z\r\n"])
  }

  @Test("An alarm is edited in its place, and others keep their bytes")
  func alarms() throws {
    let first = ["BEGIN:VALARM", "ACTION:DISPLAY", "trigger:-PT5M", "X-A:1", "END:VALARM"]
    let second = ["BEGIN:VALARM", "UID:2", "ACTION:AUDIO", "TRIGGER:-PT1M", "X-B:2", "END:VALARM"]
    let third = ["BEGIN:VALARM", "action:EMAIL", "TRIGGER:PT0S", "END:VALARM"]
    var component = try event(first + second + third)
    var event = Event(component)
    event.alarms[0].descriptionText = "New"
    event.alarms[1].trigger = CivilDuration(minutes: 9).map { .relative($0, to: .start) }
    event.alarms.remove(at: 2)
    var added = Alarm()
    added.action = .display
    event.alarms.append(added)
    event.write(to: &component)
    #expect(
      component.components.map { text($0) } == [
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\ntrigger:-PT5M\r\nX-A:1\r\nDESCRIPTION:New\r\nEND:VALARM\r\n",
        "BEGIN:VALARM\r\nUID:2\r\nACTION:AUDIO\r\nTRIGGER:PT9M\r\nX-B:2\r\nEND:VALARM\r\n",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM\r\n",
      ])
  }

  @Test("Random components come back byte for byte, and as the same value after any change")
  func randomComponents() throws {
    let values = ComponentMappingTests.events.map(\.properties)
    let changes = ComponentMappingTests.events + ComponentMappingTests.attendees
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      var content: [String] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        content += values.randomElement(using: &random) ?? []
        if Bool.random(using: &random) {
          content.append("X-\(Int.random(in: 0...9, using: &random)):y")
        }
      }
      let original = try event(content)
      var written = original
      Event(original).write(to: &written)
      #expect(text(written) == text(original), "seed \(seed)")
      var changed = Event(original)
      changes.randomElement(using: &random)?.set(&changed)
      changed.write(to: &written)
      let kept = written.properties.filter { $0.name.canonicalName.hasPrefix("X-") }
      #expect(
        kept == original.properties.filter { $0.name.canonicalName.hasPrefix("X-") }, "seed \(seed)"
      )
      let again = Event(written)
      #expect(Event.normalized(again) == Event.normalized(changed), "seed \(seed)")
    }
  }

  private func text(_ property: Property) -> String {
    var bytes: [UInt8] = []
    Serializer().write(property, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func text(_ component: Component) -> String {
    String(decoding: Serializer().bytes(of: component), as: UTF8.self)
  }
}

extension Event {
  /// The event with its lists sorted, because the order of properties carries no meaning.
  fileprivate static func normalized(_ event: Event) -> Event {
    var event = event
    event.resources.sort()
    event.comments.sort()
    event.contacts.sort()
    event.attendees.sort { "\($0)" < "\($1)" }
    event.attachments.sort { "\($0)" < "\($1)" }
    event.relations.sort { "\($0)" < "\($1)" }
    event.requestStatuses.sort { "\($0)" < "\($1)" }
    event.alarms.sort { "\($0)" < "\($1)" }
    event.recurrence.dates.sort { "\($0)" < "\($1)" }
    event.recurrence.excludedDates.sort { "\($0)" < "\($1)" }
    return event
  }
}
