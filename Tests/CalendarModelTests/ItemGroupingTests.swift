// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

@Suite struct ItemGroupingTests {
  /// What comes out of a stream.
  struct Outcome {
    var items: [CalendarItem] = []
    var rejected: [Diagnostic] = []
    var diagnostics: [Diagnostic] = []

    init(of bytes: [UInt8], window: Int = 4 << 20, keepsMessages: Bool = false) throws {
      var reader = ComponentReader()
      var grouping = ItemGrouping(window: window, keepsMessages: keepsMessages)
      try reader.consume(bytes.span)
      try reader.finish()
      while let element = reader.next() {
        grouping.take(element)
        drain(&grouping)
      }
      grouping.finish()
      drain(&grouping)
    }

    private mutating func drain(_ grouping: inout ItemGrouping) {
      while let element = grouping.next() {
        switch element {
        case .item(let item): items.append(item)
        case .rejected(let diagnostic): rejected.append(diagnostic)
        case .diagnostic(let diagnostic): diagnostics.append(diagnostic)
        }
      }
    }

    var uids: [String] { items.map(\.uid.rawValue) }
    var codes: [DiagnosticCode] { diagnostics.map(\.code) }
  }

  static func event(_ uid: String, _ properties: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:\(uid)"] + properties + ["END:VEVENT"]
  }

  static func zone(_ name: String, _ offset: String = "+0100") -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
  }

  @Test("Puts overrides to their series, and to each item the zones that it uses")
  func groups() throws {
    let outcome = try Outcome(
      of: calendar(
        Self.zone("A/B") + Self.zone("C/D")
          + Self.event("1", "RRULE:FREQ=DAILY", "DTSTART;TZID=A/B:20260101T090000")
          + Self.event("2", "DTSTART:20260101T090000Z")
          + Self.event("1", "RECURRENCE-ID;TZID=A/B:20260102T090000")))
    #expect(outcome.uids == ["1", "2"])
    #expect(outcome.items.map(\.components.count) == [2, 1])
    #expect(outcome.items.map { $0.timeZones.map { $0[.tzID]?.text } } == [["A/B"], []])
    #expect(outcome.rejected.isEmpty)
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test("An item keeps PRODID and its own bytes, and leaves what is about the calendar")
  func properties() throws {
    let content = Self.event("1", "SUMMARY:A\r\n  b", "x-c;d=\"e\":F")
    let outcome = try Outcome(
      of: lines(
        [
          "BEGIN:VCALENDAR", "PRODID:-//P//P//EN", "METHOD:PUBLISH", "X-WR-CALNAME:N",
          "VERSION:2.0",
        ]
          + content + ["END:VCALENDAR"]))
    #expect(
      outcome.items.first?.serialized()
        == lines(
          ["BEGIN:VCALENDAR", "PRODID:-//P//P//EN", "VERSION:2.0"] + content + ["END:VCALENDAR"]))
  }

  @Test("Messages stay apart, with their METHOD, and several answers are no rivals")
  func messages() throws {
    func calendar(_ method: String?, _ content: [String]) -> [UInt8] {
      lines(
        ["BEGIN:VCALENDAR", "VERSION:2.0"] + (method.map { ["METHOD:\($0)"] } ?? []) + content
          + ["END:VCALENDAR"])
    }
    let bytes =
      calendar("REQUEST", Self.event("1", "SUMMARY:A"))
      + calendar("REPLY", Self.event("1", "ATTENDEE:b") + Self.event("1", "ATTENDEE:c"))
      + calendar(nil, Self.event("1", "SUMMARY:B") + Self.event("2"))
      + calendar("REPLY", Self.event("1", "ATTENDEE:d"))
      + calendar(nil, Self.event("1", "RECURRENCE-ID:20260102T000000Z"))
    let outcome = try Outcome(of: bytes, keepsMessages: true)
    #expect(outcome.uids == ["1", "1", "1", "1", "2"])
    #expect(
      outcome.items.map { SchedulingMessage($0)?.method.rawValue ?? "" }
        == ["REQUEST", "REPLY", "", "REPLY", ""])
    #expect(outcome.items.map(\.components.count) == [1, 2, 2, 1, 1])
    #expect(outcome.codes.isEmpty)
    let rivals = calendar("PUBLISH", Self.event("1", "SUMMARY:A") + Self.event("1", "SUMMARY:B"))
    #expect(try Outcome(of: rivals, keepsMessages: true).codes == [.sharedUID])
  }

  @Test("The order of the components never matters")
  func order() throws {
    let parts = [
      Self.zone("A/B"), Self.zone("C/D"),
      Self.event("1", "RRULE:FREQ=DAILY", "DTSTART;TZID=A/B:20260101T090000"),
      Self.event("1", "RECURRENCE-ID;TZID=A/B:20260102T090000", "SUMMARY:B"),
      Self.event("1", "RECURRENCE-ID;TZID=A/B:20260103T090000", "SUMMARY:C"),
      Self.event("2", "DTSTART;TZID=C/D:20260101T090000"),
      Self.event("2", "DTSTART;TZID=C/D:20260101T100000"),
      ["BEGIN:VTODO", "UID:2", "END:VTODO"],
      Self.event("3", "SEQUENCE:1"), Self.event("3", "SEQUENCE:2"),
      ["BEGIN:VEVENT", "SUMMARY:none", "END:VEVENT"],
    ]
    func result(_ parts: [[String]]) throws -> Set<String> {
      let outcome = try Outcome(of: calendar(parts.flatMap { $0 }))
      return Set(
        outcome.items.map { item in
          let zones = item.timeZones.compactMap { $0[.tzID]?.text }.sorted()
          return "\(item.uid) \(item.kind) \(item.fingerprint.rawValue) \(zones)"
        } + outcome.codes.map(\.rawValue))
    }
    let expected = try result(parts)
    #expect(expected.count == 9)
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      #expect(try result(parts.shuffled(using: &random)) == expected, "seed \(seed)")
    }
  }

  @Test("A component without a UID gets the same one each time")
  func derivedUID() throws {
    let first = try Outcome(of: calendar(["BEGIN:VEVENT", "SUMMARY:A", "END:VEVENT"]))
    let again = try Outcome(of: calendar(["BEGIN:VEVENT", "DTSTAMP:1", "SUMMARY:A", "END:VEVENT"]))
    let other = try Outcome(of: calendar(["BEGIN:VEVENT", "SUMMARY:B", "END:VEVENT"]))
    #expect(first.uids == again.uids)
    #expect(first.uids != other.uids)
    #expect(first.uids.first?.hasPrefix("epact-") == true)
    #expect(first.items.first?.main?[.uid]?.text == first.uids.first)
    #expect(first.codes == [.derivedUID])
    #expect(first.diagnostics.first?.position == SourcePosition(line: 4, column: 1))
  }

  @Test(
    "Equal components without a UID are different events if their zones are defined differently")
  func derivedUIDOfADefinedZone() throws {
    func event(_ name: String) -> [String] {
      ["BEGIN:VEVENT", "DTSTART;TZID=\(name):20260706T120000", "SUMMARY:A", "END:VEVENT"]
    }
    func uids(_ calendars: [String]...) throws -> [String] {
      try Outcome(of: calendars.flatMap { calendar($0) }).uids
    }
    let east = try uids(Self.zone("Own Zone", "+0530") + event("Own Zone"))
    let west = try uids(Self.zone("Own Zone", "-0800") + event("Own Zone"))
    #expect(east.count == 1 && west.count == 1 && east != west)
    // The definition may follow its use, and may be written in another way.
    #expect(try uids(event("Own Zone") + Self.zone("Own Zone", "+0530")) == east)
    #expect(try uids(Self.zone("Own Zone", "+053000") + event("Own Zone")) == east)
    // Both in one file, each in its calendar.
    let both = try uids(
      Self.zone("Own Zone", "+0530") + event("Own Zone"),
      event("Own Zone") + Self.zone("Own Zone", "-0800"))
    #expect(both == east + west)
    // The definition of a zone of the database does not matter.
    let named = try uids(event("Europe/Berlin"))
    #expect(try uids(Self.zone("Europe/Berlin", "+0530") + event("Europe/Berlin")) == named)
  }

  @Test("Two events that share a UID are both kept, one of them under another")
  func sharedUID() throws {
    let outcome = try Outcome(
      of: calendar(Self.event("1", "SUMMARY:A") + Self.event("1", "SUMMARY:B")))
    #expect(outcome.items.count == 2)
    #expect(Set(outcome.items.map(\.title)) == ["A", "B"])
    #expect(outcome.uids.filter { $0.hasPrefix("epact-") }.count == 1)
    #expect(outcome.codes == [.sharedUID])
  }

  @Test("An event and a reminder that share a UID are both kept, the event under it")
  func sharedByKinds() throws {
    let outcome = try Outcome(
      of: calendar(["BEGIN:VTODO", "UID:1", "END:VTODO"] + Self.event("1", "SUMMARY:A")))
    #expect(outcome.items.map(\.kind) == [.event, .reminder])
    #expect(outcome.uids.first == "1")
    #expect(outcome.codes == [.sharedUID])
  }

  @Test("What is said twice is taken once, and an older version is left out")
  func repeated() throws {
    let twice = try Outcome(
      of: calendar(Self.event("1", "SUMMARY:A") + Self.event("1", "SUMMARY:A", "CREATED:1")))
    #expect(twice.items.map(\.components.count) == [1])
    #expect(twice.codes == [.repeatedItem])
    let older = try Outcome(
      of: calendar(
        Self.event("1", "SUMMARY:new", "SEQUENCE:2") + Self.event("1", "SUMMARY:old", "SEQUENCE:1"))
    )
    #expect(older.items.map(\.title) == ["new"])
    #expect(older.codes == [.supersededItem])
    #expect(
      older.diagnostics.first?.message
        == "expected one component with the UID '1', found one with SEQUENCE 1, which one with "
        + "SEQUENCE 2 supersedes; it is omitted")
  }

  /// A calendar with these content lines that is cut off after them.
  private func withoutEnd(_ content: [String]) -> [UInt8] {
    Array(calendar(content).dropLast("END:VCALENDAR\r\n".utf8.count))
  }

  @Test("What is cut off or no item is rejected by name, and everything else is kept")
  func rejected() throws {
    let outcome = try Outcome(
      of: withoutEnd(
        ["BEGIN:VPOLL", "UID:9", "END:VPOLL", "BEGIN:VEVENT", "UID:1"] + Self.event("2", "A:1")
          + ["BEGIN:VEVENT", "UID:3"]))
    #expect(outcome.uids == ["1", "2"])
    #expect(outcome.rejected.map(\.code) == [.unknownItem, .incompleteItem])
    #expect(outcome.rejected.first?.position.line == 4)
  }

  @Test("A zone that is cut off inside is left out, so that the items that use it stay readable")
  func brokenZone() throws {
    let outcome = try Outcome(
      of: withoutEnd(
        Self.event("1", "DTSTART;TZID=Z:20260101T090000")
          + ["BEGIN:VTIMEZONE", "TZID:Z", "BEGIN:STANDARD"]))
    #expect(outcome.rejected.map(\.code) == [.incompleteItem])
    let item = try #require(outcome.items.first)
    #expect(item.timeZones.isEmpty)
    #expect(try CalendarItem(parsing: item.serialized()) == item)
  }

  @Test("Several calendars may define one zone differently; each item gets its own definition")
  func severalCalendars() throws {
    let outcome = try Outcome(
      of: calendar(Self.zone("Z", "+0100") + Self.event("1", "DTSTART;TZID=Z:20260101T090000"))
        + calendar(Self.zone("Z", "+0200") + Self.event("2", "DTSTART;TZID=Z:20260101T090000")))
    let offsets = outcome.items.map { $0.timeZones.first?.components.first?[.tzOffsetTo]?.rawValue }
    #expect(offsets == ["+0100", "+0200"])
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test("A series and its override from calendars that define their zone differently are reported")
  func zoneConflictOfOneItem() throws {
    let outcome = try Outcome(
      of: calendar(
        Self.zone("Own", "+0100")
          + Self.event("1", "DTSTART;TZID=Own:20260101T090000", "RRULE:FREQ=DAILY"))
        + calendar(
          Self.zone("Own", "+0200") + Self.event("1", "RECURRENCE-ID;TZID=Own:20260102T100000")))
    let item = try #require(outcome.items.first)
    #expect(item.components.count == 2)
    #expect(outcome.codes == [.timeZoneConflict])
    #expect(item.timeZones.map { $0[.tzID]?.text } == ["Own", "Own 2"])
    #expect(item.overrides.map { $0[.recurrenceID]?[.tzID] } == ["Own 2"])
  }

  @Test("A zone that is defined twice and differently is reported, and the first one is used")
  func zoneConflict() throws {
    let outcome = try Outcome(
      of: calendar(
        Self.zone("Z", "+0100") + Self.zone("Z", "+0200") + Self.zone("Z", "+0100")
          + Self.event("1", "DTSTART;TZID=Z:20260101T090000")))
    #expect(outcome.codes == [.timeZoneConflict])
    #expect(
      outcome.items.first?.timeZones.first?.components.first?[.tzOffsetTo]?.rawValue == "+0100")
  }

  @Test("An item that comes out before its calendar ends has its zones too")
  func zonesInTime() throws {
    let outcome = try Outcome(
      of: calendar(
        Self.zone("Z") + Self.event("1", "DTSTART;TZID=Z:20260101T090000")
          + Self.event("2", "DTSTART;TZID=Z:20260101T090000")), window: 0)
    #expect(outcome.items.map(\.timeZones.count) == [1, 1])
  }

  @Test("Whatever the window, updating with the parts in turn gives the whole items")
  func scattered() throws {
    var content: [String] = []
    for uid in 1...40 {
      content += Self.event("\(uid)", "RECURRENCE-ID:20260102T000000Z", "SUMMARY:early")
    }
    for uid in 1...40 { content += Self.event("\(uid)", "RRULE:FREQ=DAILY", "SUMMARY:main") }
    for uid in 1...40 {
      content += Self.event("\(uid)", "RECURRENCE-ID:20260103T000000Z", "SUMMARY:late")
    }
    let bytes = calendar(content)
    let whole = try Outcome(of: bytes)
    #expect(whole.items.count == 40)
    for window in [0, 100, 1000, 5000] {
      let outcome = try Outcome(of: bytes, window: window)
      var stored: [UID: CalendarItem] = [:]
      for item in outcome.items {
        switch ItemUpdate(of: stored[item.uid], by: item) {
        case .added(let item), .updated(let item): stored[item.uid] = item
        default: Issue.record("nothing is older or unchanged here")
        }
      }
      #expect(
        Set(stored.values.map(\.fingerprint)) == Set(whole.items.map(\.fingerprint)),
        "window \(window)")
      #expect(outcome.codes.allSatisfy { $0 == .scatteredItem }, "window \(window)")
    }
  }
}
