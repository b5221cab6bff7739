// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct CalendarItemTests {
  static let main = [
    "BEGIN:VEVENT", "UID:1@example.org", "DTSTART;TZID=Europe/Vienna:20261124T090000",
    "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Standup", "END:VEVENT",
  ]
  static let override = [
    "BEGIN:VEVENT", "UID:1@example.org", "RECURRENCE-ID;TZID=Europe/Vienna:20261125T090000",
    "DTSTART;TZID=Europe/Vienna:20261125T100000", "SUMMARY:Standup\\, later", "END:VEVENT",
  ]
  static let zone = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "BEGIN:STANDARD", "DTSTART:19701025T030000",
    "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
  ]

  @Test("Reads a series with its override and its time zone")
  func series() throws {
    let bytes = calendar(Self.zone + Self.main + Self.override)
    let item = try CalendarItem(parsing: bytes)
    #expect(item.uid == UID("1@example.org"))
    #expect(item.kind == .event)
    #expect(item.title == "Standup")
    #expect(item.main?[.summary]?.text == "Standup")
    #expect(item.overrides.map { $0[.summary]?.text } == ["Standup, later"])
    #expect(item.components.count == 2)
    #expect(item.timeZones.count == 1)
    #expect(item.serialized() == bytes)
  }

  @Test("The order of the components does not matter")
  func order() throws {
    let item = try CalendarItem(parsing: calendar(Self.zone + Self.main + Self.override))
    let reversed = try CalendarItem(parsing: calendar(Self.override + Self.main + Self.zone))
    #expect(item.fingerprint == reversed.fingerprint)
    #expect(reversed.title == "Standup")
    #expect(reversed.main?[.summary]?.text == "Standup")
  }

  @Test("Items of the same bytes in one form share what they mean, and no others")
  func sharedMeaning() throws {
    let bytes = calendar(Self.main)
    let known = Fingerprint("4:what is known")
    let item = try CalendarItem(parsing: bytes, normalForm: NormalForm(), fingerprint: known)
    let same = try CalendarItem(parsing: bytes)
    #expect(same.fingerprint != known)
    #expect(same.sharingMeaning(with: item).fingerprint == known)
    let other = try CalendarItem(parsing: calendar(Self.override))
    #expect(other.sharingMeaning(with: item).fingerprint == other.fingerprint)
    let zones = ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
    let zoned = same.normalized(by: NormalForm(zones: zones))
    #expect(zoned.sharingMeaning(with: item).fingerprint == zoned.fingerprint)
  }

  @Test(
    "A file with conflict markers is refused, and a text with such signs is not",
    arguments: ["<<<<<<< HEAD", ">>>>>>> branch", ">>>>>>> 1a2b3c: New title"])
  func conflictMarkers(mark: String) throws {
    let error = try #require(throws: ItemError.self) {
      try CalendarItem(parsing: calendar(Self.main.dropLast() + [mark, "END:VEVENT"]))
    }
    #expect(error.message.contains("the conflict marker \(mark.prefix(7))"))
    #expect(error.position?.line == Self.main.count + 3)
    #expect(throws: Never.self) {
      try CalendarItem(
        parsing: calendar(
          Self.main.dropLast() + ["DESCRIPTION:see", " <<<<<<< HEAD", "lost", "END:VEVENT"]))
    }
  }

  @Test("An item may consist of overrides only")
  func overridesOnly() throws {
    let item = try CalendarItem(parsing: calendar(Self.override))
    #expect(item.main == nil)
    #expect(item.overrides.count == 1)
    #expect(item.title == "Standup, later")
  }

  @Test("An item without a summary has its UID for a title")
  func untitled() throws {
    let item = try CalendarItem(
      parsing: calendar(["BEGIN:VTODO", "UID:2@example.org", "END:VTODO"]))
    #expect(item.title == "2@example.org")
    #expect(item.kind == .reminder)
  }

  /// Bytes that are not one item, and how they are refused.
  struct Refusal: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: ItemError.Code
    let description: String

    var testDescription: String { name }
  }

  static let refusals = [
    Refusal(
      name: "nothing", bytes: [], code: .notCalendar,
      description: "1:1: expected BEGIN:VCALENDAR, found no calendar"),
    Refusal(
      name: "a web page", bytes: lines(["<!DOCTYPE html>", "<html></html>"]), code: .notCalendar,
      description: "1:1: expected BEGIN:VCALENDAR, found no calendar"),
    Refusal(
      name: "an event outside of a calendar", bytes: lines(main), code: .notCalendar,
      description: "1:7: expected BEGIN:VCALENDAR, found no calendar"),
    Refusal(
      name: "cut off in an event", bytes: lines(["BEGIN:VCALENDAR"] + main.dropLast()),
      code: .incomplete,
      description:
        "7:1: expected END:VEVENT for the VEVENT that begins in line 2, found the end of the file"),
    Refusal(
      name: "cut off between components", bytes: lines(["BEGIN:VCALENDAR"] + main),
      code: .incomplete, description: "8:1: expected END:VCALENDAR, found the end of the file"),
    Refusal(
      name: "an alarm that does not end",
      bytes: calendar(["BEGIN:VEVENT", "UID:1", "BEGIN:VALARM", "END:VEVENT"]), code: .incomplete,
      description:
        "7:1: expected END:VALARM for the VALARM that begins in line 6, found END:VEVENT"),
    Refusal(
      name: "the rest of a longer file after its end",
      bytes: calendar(main) + lines(["SUMMARY:Rest", "END:VEVENT", "END:VCALENDAR"]),
      code: .incomplete,
      description:
        "11:1: expected BEGIN:VCALENDAR, found something outside of any component"),
    Refusal(
      name: "no item", bytes: calendar(zone), code: .noItem,
      description: "4:1: expected an event, a reminder or a journal entry, found none"),
    Refusal(
      name: "no UID", bytes: calendar(["BEGIN:VEVENT", "SUMMARY:A", "END:VEVENT"]), code: .noUID,
      description: "4:1: expected a UID in the VEVENT, found none"),
    Refusal(
      name: "an empty UID", bytes: calendar(["BEGIN:VEVENT", "UID:", "END:VEVENT"]), code: .noUID,
      description: "4:1: expected a UID in the VEVENT, found none"),
    Refusal(
      name: "two UIDs in one event",
      bytes: calendar(["BEGIN:VEVENT", "UID:1", "UID:2", "END:VEVENT"]), code: .severalItems,
      description: "4:1: expected one UID in the VEVENT, found 2"),
    Refusal(
      name: "two UIDs",
      bytes: calendar([
        "BEGIN:VEVENT", "UID:1", "END:VEVENT", "BEGIN:VEVENT", "UID:2", "END:VEVENT",
      ]),
      code: .severalItems,
      description: "7:1: expected the UID '1' in every component, found '2' too"),
    Refusal(
      name: "an event and a reminder",
      bytes: calendar(["BEGIN:VEVENT", "UID:1", "END:VEVENT", "BEGIN:VTODO", "UID:1", "END:VTODO"]),
      code: .severalItems, description: "7:1: expected only VEVENT, found VTODO too"),
    Refusal(
      name: "two calendars", bytes: calendar(main) + calendar(override), code: .severalItems,
      description: "11:1: expected one calendar, found 2"),
  ]

  @Test("Refuses what is not one whole item", arguments: refusals)
  func refuses(_ refusal: Refusal) {
    let error = #expect(throws: ItemError.self) { try CalendarItem(parsing: refusal.bytes) }
    #expect(error?.code == refusal.code)
    #expect(error?.description == refusal.description)
  }

  @Test("Every cut of a file is refused")
  func everyCut() throws {
    let whole = calendar(Self.zone + Self.main + Self.override)
    // Without its last line end the calendar is still whole.
    for count in 0..<(whole.count - 2) {
      #expect(throws: ItemError.self, "cut after \(count) bytes") {
        try CalendarItem(parsing: Array(whole[..<count]))
      }
    }
  }

  @Test("Bad values and broken lines stay as they are")
  func badValues() throws {
    let bytes = calendar([
      "BEGIN:VEVENT", "UID:1", "DTSTART:tomorrow", "this is no content line",
      "X-APPLE-STRUCTURED-LOCATION;X-TITLE=\"A:geo:1,2", "END:VEVENT",
    ])
    #expect(try CalendarItem(parsing: bytes).serialized() == bytes)
  }

  @Test("An unchanged item keeps its line ends, and a stored one ends its lines in CRLF")
  func lineEnds() throws {
    let content = ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH"] + Self.main
    let bytes = Array((content + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    let item = try CalendarItem(parsing: bytes)
    #expect(item.serialized() == bytes + Array("\r\n".utf8))
    let stored = lines(
      ["BEGIN:VCALENDAR", "VERSION:2.0"] + Self.main + ["END:VCALENDAR"])
    #expect(item.serialized(forStorage: true) == stored)
    #expect(try CalendarItem(parsing: stored).fingerprint == item.fingerprint)
  }

  @Test("An item made of components has VERSION and PRODID, and its components keep their bytes")
  func made() throws {
    let source = try CalendarItem(parsing: calendar(Self.zone + Self.main + Self.override))
    let item = try CalendarItem(components: source.components, timeZones: source.timeZones)
    #expect(
      item.serialized()
        == lines(
          ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Epact//Epact//EN"] + Self.zone + Self.main
            + Self.override + ["END:VCALENDAR"]))
    #expect(item.fingerprint == source.fingerprint)
  }

  @Test("Of several main components the one that was revised last counts")
  func severalMains() throws {
    let old = ["BEGIN:VEVENT", "UID:1", "SEQUENCE:2", "SUMMARY:old", "END:VEVENT"]
    let new = ["BEGIN:VEVENT", "UID:1", "SEQUENCE:10", "SUMMARY:new", "END:VEVENT"]
    for bytes in [calendar(old + new), calendar(new + old)] {
      #expect(try CalendarItem(parsing: bytes).main?[.summary]?.text == "new")
    }
  }

  @Test("An item cannot be made of a component that is cut off inside")
  func madeOfCutOff() throws {
    let stream = try CalendarStream(
      parsing: lines(["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "BEGIN:VALARM"]))
    let components = stream.calendars.flatMap(\.components)
    let error = #expect(throws: ItemError.self) { try CalendarItem(components: components) }
    #expect(error?.code == .incomplete)
    let whole = try component(["BEGIN:VEVENT", "UID:1", "END:VEVENT"])
    let cut = try CalendarStream(
      parsing: lines(["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "BEGIN:STANDARD"]))
    let zone = try #require(cut.calendars.first?.components.first)
    #expect(throws: ItemError.self) { try CalendarItem(components: [whole], timeZones: [zone]) }
  }

  @Test("An item cannot be made of nothing")
  func madeOfNothing() {
    let error = #expect(throws: ItemError.self) { try CalendarItem(components: []) }
    #expect(error?.code == .noItem)
  }
}
